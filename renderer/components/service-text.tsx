import { useState } from 'react';
import { visibleLine, visibleText } from '../../shared/domain/visible-text.ts';
import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { Button } from './button.tsx';
import { formatAgo, cutMiddle, readTime, words } from './format.ts';
import styles from './service-text.module.css';

/** A time in UTC with Z; one without a zone is the service's own and marked so. */
export function TimeText({ sent }: { sent: string }) {
  const time = readTime(sent);
  if (time.kind === 'utc')
    return (
      <time dateTime={time.iso} title={formatAgo(time.iso)} className={styles.time}>
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

/**
 * A tag as it was sent: the namespace, up to the last colon, is fainter than the value. `isForeign`: the tag is a
 * service's, not a local one.
 */
export function TagChip({ tag, isForeign = false }: { tag: string; isForeign?: boolean }) {
  const shown = visibleText(tag);
  const cut = shown.lastIndexOf(':') + 1;
  return (
    <span
      className={classNames(styles.chip, isForeign && styles.foreign)}
      title={isForeign ? words.serviceTag : undefined}
    >
      <bdi>
        {cut > 0 && <span className={typography.faint}>{shown.slice(0, cut)}</span>}
        {shown.slice(cut)}
      </bdi>
    </span>
  );
}

/** Characters at the end of a name that stay in sight however narrow the column is: they say what the file would do. */
const tail = 8;
/** Shorter names are never cut. */
const shortestHead = 4;
const longestShown = 200;

/**
 * A file's name, cut in the middle to the available width: a flex item of its container. Its ending stays at the right
 * whatever script it begins with.
 */
export function CutName({ name }: { name: string }) {
  const characters = [...name];
  const shown =
    characters.length > longestShown
      ? [...characters.slice(0, longestShown - tail), '…', ...characters.slice(-tail)]
      : characters;
  if (shown.length <= tail + shortestHead)
    return (
      <bdi dir="ltr" className={styles.name}>
        <span className={classNames(typography.ellipsis, styles.head)}>{oneLine(name)}</span>
      </bdi>
    );
  return (
    <>
      {/* Two pieces beside each other would be read as two words. */}
      <bdi dir="ltr" className={aloud.only}>
        {visibleText(shown.join(''))}
      </bdi>
      <bdi dir="ltr" className={styles.name} aria-hidden="true">
        <span className={classNames(typography.ellipsis, styles.head)}>{oneLine(shown.slice(0, -tail).join(''))}</span>
        <span className={classNames(layout.inRow, styles.tail)} data-gives-way>
          {oneLine(shown.slice(-tail).join(''))}
        </span>
      </bdi>
    </>
  );
}

/** Spaces are kept where it is cut, so that a tab or a new line would be, too. */
const oneLine = (text: string): string => visibleText(text).replaceAll(/[\t\r\n]/g, ' ');

/**
 * A file's name as a person must read it: its ending stays at the right whatever script it begins with, because the
 * ending decides what opening it would do. Cut before its marks are spelt out, so that none of them is cut in two.
 * Length in characters.
 */
export function SampleName({ name, longest }: { name: string; longest: number }) {
  return <bdi dir="ltr">{visibleLine(cutMiddle(name, longest))}</bdi>;
}
