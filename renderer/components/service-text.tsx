import { useState } from 'react';
import { longestTag } from '../../shared/domain/tag.ts';
import { cutText, visibleLine, visibleText } from '../../shared/domain/visible-text.ts';
import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { Button } from './button.tsx';
import { cutMiddle, formatAgo, formatOtherZone, readTime, rightToLeft, words } from './format.ts';
import styles from './service-text.module.css';

/** A time with its zone, and the other zone in its tool tip; one without a zone is the service's own and marked so. */
export function TimeText({ sent }: { sent: string }) {
  const time = readTime(sent);
  if (time.kind === 'utc')
    return (
      <time dateTime={time.iso} title={timeTitle(time.iso)} className={styles.time}>
        {time.text}
      </time>
    );
  if (time.kind === 'server')
    return (
      <span className={styles.time}>
        <span data-figures>{time.text}</span> <span className={typography.faint}>{words.serverTime}</span>
      </span>
    );
  return <bdi>{visibleText(time.text)}</bdi>;
}

/** How long ago it was, and when in the zone that is not shown. */
export const timeTitle = (iso: string): string =>
  [formatAgo(iso), formatOtherZone(new Date(iso))].filter((part) => part !== null).join(', ');

/** In UTF-16 code units. */
const longestPiece = 1000;

/** The parts of a text, each at most so long, cut behind a line or a word where there is one. Together they are all. */
export function piecesOf(text: string, longest = longestPiece): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > longest) {
    const most = from + longest;
    const breaks = ['\n', ' '].map((one) => text.lastIndexOf(one, most - 1)).find((place) => place > from);
    const isPair = (text.codePointAt(most - 1) ?? 0) > 0xffff;
    const end = breaks === undefined ? most - Number(isPair) : breaks + 1;
    pieces.push(text.slice(from, end));
    from = end;
  }
  return [...pieces, text.slice(from)];
}

/**
 * A text of any length. A browser lays out a paragraph as a whole, and of one without a place to break at it takes
 * minutes: a long one is drawn in pieces below each other, those in sight only.
 */
export function TextPieces({ text }: { text: string }) {
  if (text.length <= longestPiece) return text;
  return piecesOf(text).map((piece, index) => (
    <span key={index} className={styles.piece} dir="auto">
      {piece}
    </span>
  ));
}

interface LongTextProps {
  text: string;
  /** As many are read at a glance; the rest is one press away, never gone. */
  charactersShown: number;
}

/** A service's text of any length: its beginning, and a way to all of it. */
export function LongText({ text, charactersShown }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= charactersShown) return <TextPieces text={text} />;
  return (
    <>
      {`${text.slice(0, charactersShown)}… `}
      <Button size="small" look="inline" onPress={() => setWhole(true)}>
        {words.wholeText(text.length)}
      </Button>
    </>
  );
}

/** In UTF-16 code units: a tag that a person gave is whole. */
const longestChip = longestTag;

/** Whether a chip shows only the beginning of a tag. */
export const isCutTag = (tag: string): boolean => visibleText(tag).length > longestChip;

interface TagChipProps {
  tag: string;
  isForeign?: boolean;
  /** However long it is. */
  isWhole?: boolean;
}

/**
 * A tag as it was sent: the namespace, up to the last colon, is fainter than the value. `isForeign`: the tag is a
 * service's, not a local one.
 */
export function TagChip({ tag, isForeign = false, isWhole = false }: TagChipProps) {
  const whole = visibleText(tag);
  const shown = isWhole ? whole : cutText(whole, longestChip);
  const cut = shown.lastIndexOf(':') + 1;
  return (
    <span
      className={classNames(styles.chip, isForeign && styles.foreign)}
      title={shown !== whole ? whole : isForeign ? words.serviceTag : undefined}
    >
      <bdi>
        {cut > 0 && <span className={typography.faint}>{shown.slice(0, cut)}</span>}
        {shown.slice(cut)}
      </bdi>
    </span>
  );
}

/** What the edge of a chip means. */
export function TagLegend() {
  return (
    <p className={classNames(layout.wrap, typography.smallHint, styles.legend)}>
      {[true, false].map((isForeign) => (
        <span key={String(isForeign)} className={layout.inline6}>
          <span className={classNames(styles.swatch, isForeign && styles.foreign)} aria-hidden="true" />
          {isForeign ? words.repositoryTags : words.localTags}
        </span>
      ))}
    </p>
  );
}

interface ShownTag {
  tag: string;
  isForeign: boolean;
}

/** The tags of a sample in the order of their chips: families first, for they name it; local ones before others. */
export function orderedTags(tags: readonly string[], serviceTags: readonly string[] = []): ShownTag[] {
  const all = [
    ...tags.map((tag) => ({ tag, isForeign: false })),
    ...serviceTags.map((tag) => ({ tag, isForeign: true })),
  ];
  return all.toSorted((one, other) => Number(isFamily(other)) - Number(isFamily(one)));
}

const isFamily = ({ tag }: ShownTag): boolean => /^family:/i.test(tag);

/** A longer name is drawn with an ellipsis at its middle: no column is so wide. In characters. */
const longestShown = 200;

/**
 * The name of a sample or a file, everywhere: on one line, whole where it fits, else cut in its middle to the width
 * there is. Its ending stays at the right whatever script it begins with, because the ending decides what opening it
 * would do. An item of a line or a flex row.
 */
export function SampleName({ name }: { name: string }) {
  const whole = visibleLine(cutMiddle(name, longestShown));
  const { head, tail } = splitName(name);
  if (tail === '')
    return (
      <bdi dir="ltr" className={styles.name} title={whole}>
        <span dir={head.includes('.') ? 'ltr' : 'auto'} className={classNames(typography.ellipsis, styles.head)}>
          {visibleLine(head)}
        </span>
      </bdi>
    );
  return (
    <bdi dir="ltr" className={styles.name} title={whole}>
      {/* Two pieces beside each other would be read as two words. */}
      <span className={classNames(aloud.only, styles.spoken)}>{whole}</span>
      <span
        dir={rightToLeft.test(head) ? 'auto' : 'ltr'}
        className={classNames(typography.ellipsis, styles.head)}
        aria-hidden="true"
      >
        {visibleLine(head)}
      </span>
      <span className={styles.tail} aria-hidden="true" data-gives-way>
        {visibleLine(tail)}
      </span>
    </bdi>
  );
}

/** Shorter names are not taken apart. In characters, as all of these. */
const longestWhole = 12;
const usualTail = 8;
const longestEnding = 16;

/**
 * Where a name may be cut: before its last characters, or before its ending where that is longer. A name with letters
 * that run from right to left is taken apart at its ending only: elsewhere its pieces would change places. So is one
 * with marks that are spelt out, which would leave no space for its beginning.
 */
export function splitName(name: string): { head: string; tail: string } {
  const characters = [...cutMiddle(name, longestShown)];
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= longestEnding ? characters.length - dot : 0;
  const isPlain = !rightToLeft.test(name) && visibleLine(name) === name;
  const length = isPlain ? Math.max(ending, usualTail) : ending;
  if ((isPlain && characters.length <= longestWhole) || length === 0) return { head: characters.join(''), tail: '' };
  let at = characters.length - length;
  while (at < characters.length && /^\p{M}/u.test(characters[at] ?? '')) at += 1;
  return { head: characters.slice(0, at).join(''), tail: characters.slice(at).join('') };
}
