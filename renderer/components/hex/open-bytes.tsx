import { useMemo, useRef } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { FailureNotice } from '../failure-notice.tsx';
import { FindBar } from './find-bar.tsx';
import { GoToField } from './go-to-field.tsx';
import { HexFoot } from './hex-foot.tsx';
import { HexHead } from './hex-head.tsx';
import { pressInRows, pressInView } from './hex-keys.ts';
import type { HexMark } from './hex-mark.ts';
import { HexRows } from './hex-rows.tsx';
import type { HexViewProps } from './hex-view.tsx';
import styles from './hex-view.module.css';
import { type Stretch, stretchesOf, stretchOf } from './mark-spans.ts';
import { rowBytes, rowCount, rowOf, within } from './offsets.ts';
import { text } from './text.ts';
import { type CopyAs, useByteCopy } from './use-byte-copy.ts';
import { useBytePages } from './use-byte-pages.ts';
import { useBytePlace } from './use-byte-place.ts';
import { useFinding } from './use-finding.ts';
import { useHexNews } from './use-hex-news.ts';
import { useRowScroll } from './use-row-scroll.ts';

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
