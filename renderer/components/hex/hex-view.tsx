import { Binary, ChevronDown, ChevronUp, Search } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Button } from '../button.tsx';
import { EmptyState } from '../empty-state.tsx';
import { FailureNotice } from '../failure-notice.tsx';
import { useLate } from '../use-late.ts';
import { type CopyAs, useByteCopy, useBytePages, useBytePlace } from './byte-pages.ts';
import { FindBar, useFinding } from './find-bar.tsx';
import { GoToField } from './go-to-field.tsx';
import { pressInRows, pressInView } from './hex-keys.ts';
import {
  type ByteSpan,
  type HexMark,
  rowBytes,
  rowCount,
  rowOf,
  shortOffset,
  type Stretch,
  stretchesOf,
  stretchOf,
  within,
} from './hex-mark.ts';
import { HexRows } from './hex-rows.tsx';
import styles from './hex-view.module.css';
import { useRowScroll } from './row-scroll.ts';
import { text } from './strings.ts';

export interface HexViewProps {
  source: ByteSource;
  sizeBytes: number;
  /** In any order; they may overlap. Keep the array the same while nothing in it changes. */
  marks: readonly HexMark[];
  /** The place in `marks` of the current one; -1: none. When it becomes another one, its bytes are shown. */
  current: number;
  /** Asked for with N, P and the buttons. */
  onCurrent(index: number): void;
  /** Goes there each time `times` is another one. */
  goTo?: { offset: number; times: number } | undefined;
  onCursor?: ((offset: number) => void) | undefined;
  /** The bytes in sight, for a map of the file. */
  onWindow?: ((window: ByteSpan) => void) | undefined;
  /** Whether single letters are switched on: N, P and G. */
  letters?: boolean | undefined;
}

/**
 * The bytes of a file as hexadecimal digits and as text: its head with the search, the rows, and the current position.
 * Fills its flex column.
 */
export function HexView(props: HexViewProps) {
  if (props.sizeBytes === 0) {
    return (
      <section className={classNames(layout.view, styles.view)} aria-label={text.bytes}>
        <EmptyState icon={<Binary size={20} strokeWidth={1.6} />} title={text.empty} sentence={text.emptySentence} />
      </section>
    );
  }
  // Another file resets the view.
  return <OpenBytes key={JSON.stringify(props.source)} {...props} />;
}

/** One file, of at least one byte. */
export function OpenBytes(props: HexViewProps) {
  const { sizeBytes, marks, current, letters = true } = props;
  const bytes = useOpenBytes(props);
  const { scroll, place, pages, copying, finding, inMark, copy, goToMark, moveTo, jumpTo, closeFind } = bytes;
  const { cursor, selected } = place;
  const goToField = useRef<HTMLInputElement>(null);
  const mark = marks[current];
  const matches = useMemo(() => stretchesOf(marks), [marks]);
  const goTo = (offset: number): void => {
    jumpTo(offset);
    scroll.focus();
  };
  const viewActs = {
    goToMark,
    openGoTo: () => goToField.current?.focus(),
    openFind: finding.open,
    findAgain: finding.find,
    leaveFind: finding.isOpen ? bytes.leaveFind : null,
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of all that is in it
    <section
      className={classNames(layout.view, styles.view)}
      aria-label={text.bytes}
      onKeyDown={(event) => pressInView(event, viewActs, letters)}
    >
      <HexHead
        goTo={
          <GoToField field={goToField} cursor={cursor} sizeBytes={sizeBytes} onLeave={scroll.focus} onGoTo={goTo} />
        }
        marks={marks.length}
        current={current}
        onMark={goToMark}
        isFinding={finding.isOpen}
        onFind={finding.isOpen ? closeFind : finding.open}
      />
      {finding.isOpen && <FindBar {...finding} onForm={finding.setForm} onFind={finding.find} onClose={closeFind} />}
      {pages.failed !== null && (
        <div className={layout.inset}>
          <FailureNotice
            failure={pages.failed.failure}
            retry={{ name: 'bytes.read', input: pages.failed.input }}
            onRetry={pages.readAgain}
          />
        </div>
      )}
      <HexRows
        sizeBytes={sizeBytes}
        scroll={scroll}
        pages={pages}
        marked={{ matches, current: mark === undefined ? null : stretchOf(mark), selected }}
        cursor={cursor}
        moveTo={moveTo}
        onKeyDown={(event) => pressInRows(event, { cursor, sizeBytes, page: scroll.page }, bytes.rowActs)}
      />
      <HexFoot
        cursor={cursor}
        sizeBytes={sizeBytes}
        selected={selected}
        mark={inMark}
        isReading={pages.isReading}
        said={copying.said}
        onCopy={copy}
      />
    </section>
  );
}

/** The bytes in sight, the cursor and the selection, and what is done with them. */
function useOpenBytes(props: HexViewProps) {
  const { source, sizeBytes, marks, current, onCurrent } = props;
  const scroll = useRowScroll(rowCount(sizeBytes));
  const place = useBytePlace(sizeBytes);
  const sight = {
    start: scroll.first * rowBytes,
    end: Math.min(sizeBytes, (scroll.first + Math.max(1, scroll.shown)) * rowBytes),
  };
  // A screen before and one after: who scrolls finds the bytes there.
  const around = sight.end - sight.start;
  const pages = useBytePages(source, sizeBytes, { start: sight.start - around, end: sight.end + around });
  const copying = useByteCopy(source);
  const finding = useFinding(source, sizeBytes, { place, show: (offset) => scroll.show(rowOf(offset), 'jump') });
  const go = (offset: number, extend: boolean, how: 'edge' | 'jump'): void => {
    place.moveTo(offset, extend);
    scroll.show(rowOf(within(offset, sizeBytes)), how);
  };
  const jumpTo = (offset: number): void => go(offset, false, 'jump');
  const moveTo = (offset: number, extend: boolean): void => go(offset, extend, 'edge');
  useHexNews(props, { jumpTo, cursor: place.cursor, sight, isReady: scroll.isReady });

  const inMark = markAt(marks, marks[current], place.cursor);
  const copy = (as: CopyAs): void => {
    const { start, end } = place.selected ?? stretchOf(inMark ?? { offset: place.cursor, length: 1 });
    copying.copy({ start, end: Math.min(end, sizeBytes) }, as);
  };
  const goToMark = (step: 1 | -1): void => {
    if (marks.length > 0) onCurrent(nextMark(current, step, marks.length));
  };
  const closeFind = (): void => {
    finding.close();
    scroll.focus();
  };
  const leaveFind = (): void => {
    if (!finding.stop()) closeFind();
  };
  const selectNothing = (): boolean => {
    place.selectNothing();
    return place.selected !== null;
  };
  const rowActs = { moveTo, copy: () => copy('hex'), selectAll: () => place.select(0, sizeBytes), selectNothing };
  return {
    scroll,
    place,
    pages,
    copying,
    finding,
    inMark,
    copy,
    goToMark,
    moveTo,
    jumpTo,
    closeFind,
    leaveFind,
    rowActs,
  };
}

/** Round and round; from none to the first one, or to the last. */
function nextMark(current: number, step: 1 | -1, count: number): number {
  if (current < 0) return step > 0 ? 0 : count - 1;
  return (current + step + count) % count;
}

/** Of several marks that a byte is in, the current one. */
function markAt(marks: readonly HexMark[], current: HexMark | undefined, offset: number): HexMark | null {
  const isIn = ({ start, end }: Stretch): boolean => offset >= start && offset < end;
  if (current && isIn(stretchOf(current))) return current;
  return marks.find((mark) => isIn(stretchOf(mark))) ?? null;
}

export interface HexHeadProps {
  /** The field that leads to an offset. */
  goTo: ReactNode;
  marks: number;
  current: number;
  onMark(step: 1 | -1): void;
  isFinding: boolean;
  onFind(): void;
}

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

export function HexHead({ goTo, marks, current, onMark, isFinding, onFind }: HexHeadProps) {
  return (
    <div className={classNames(layout.row8, layout.top, styles.head)}>
      <h2 className={typography.title}>{text.bytes}</h2>
      {goTo}
      <span className={layout.grow} />
      {marks > 0 && (
        <>
          <span className={styles.match} data-figures>
            {current < 0 ? text.matches(marks) : text.matchOf(current + 1, marks)}
          </span>
          <Step label={text.matchBefore} letter="P" onPress={() => onMark(-1)}>
            <ChevronUp {...icon} />
          </Step>
          <Step label={text.nextMatch} letter="N" onPress={() => onMark(1)}>
            <ChevronDown {...icon} />
          </Step>
        </>
      )}
      <span className={styles.small}>
        <Button size="small" aria-label={text.openFind} aria-expanded={isFinding} onPress={onFind}>
          <Search {...icon} />
        </Button>
      </span>
    </div>
  );
}

/** The letter is announced and presses the button from elsewhere in the view; there is no space to show it. */
function Step({
  label,
  letter,
  onPress,
  children,
}: {
  label: string;
  letter: string;
  onPress(): void;
  children: ReactNode;
}) {
  return (
    <span className={styles.small}>
      <Button size="small" aria-label={label} data-letter={letter} onPress={onPress}>
        {children}
      </Button>
    </span>
  );
}

export interface HexFootProps {
  cursor: number;
  sizeBytes: number;
  selected: Stretch | null;
  /** The one that the cursor is in. */
  mark: HexMark | null;
  isReading: boolean;
  /** What became of copying; empty: nothing is to be said. */
  said: string;
  onCopy(as: CopyAs): void;
}

/** Where one is, said aloud, too: the rows themselves are too many to be read out. */
export function HexFoot({ cursor, sizeBytes, selected, mark, isReading, said, onCopy }: HexFootProps) {
  const isLate = useLate(isReading);
  const start = selected?.start ?? cursor;
  return (
    <div className={classNames(layout.row8, layout.bottom, styles.foot)} data-figures>
      <span role="status" className={classNames(layout.flex8, styles.place)}>
        <code>{shortOffset(start)}</code>{' '}
        {selected === null ? (
          mark !== null && <InMark mark={mark} />
        ) : (
          <span>{text.selected(shortOffset(selected.end - 1), selected.end - selected.start)}</span>
        )}
      </span>
      <span className={layout.grow} />
      <span role="status">{isLate ? text.reading : said}</span>
      <Button look="inline" onPress={() => onCopy('hex')}>
        {text.copyHex}
      </Button>
      <Button look="inline" onPress={() => onCopy('text')}>
        {text.copyText}
      </Button>
      <span>{text.share(((start / sizeBytes) * 100).toFixed(1))}</span>
    </div>
  );
}

function InMark({ mark }: { mark: HexMark }) {
  const { length, label } = text.inMark(Math.max(1, mark.length), visibleText(mark.label));
  return (
    <span>
      {length} <bdi className={classNames(typography.accent, typography.mono)}>{label}</bdi>
    </span>
  );
}

interface HexPlaces {
  cursor: number;
  sight: Stretch;
  isReady: boolean;
  jumpTo(offset: number): void;
}

/** Moves the view on behalf of its parent, and reports its cursor and window back. */
function useHexNews(
  { marks, current, goTo, onCursor, onWindow }: HexViewProps,
  { cursor, sight: { start, end }, isReady, jumpTo }: HexPlaces,
): void {
  const mark = marks[current];
  const times = goTo?.times;
  // The same match in another array is no reason to leave where one is.
  const shownMark = mark && `${current} ${mark.offset} ${mark.label}`;
  const showMark = useEffectEvent(() => mark && jumpTo(mark.offset));
  const follow = useEffectEvent(() => goTo && jumpTo(goTo.offset));
  const reportCursor = useEffectEvent((offset: number) => onCursor?.(offset));
  const reportWindow = useEffectEvent((window: ByteSpan) => onWindow?.(window));
  useEffect(() => {
    if (isReady && shownMark !== undefined) showMark();
  }, [isReady, shownMark]);
  useEffect(() => {
    if (isReady && times !== undefined) follow();
  }, [isReady, times]);
  useEffect(() => reportCursor(cursor), [cursor]);
  useEffect(() => {
    if (isReady) reportWindow({ offset: start, length: end - start });
  }, [isReady, start, end]);
}
