import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react';
import type { DifferenceCounts } from '../../../../shared/domain/publication.ts';
import { useSettings } from '../../../app/use-settings.ts';
import { rowForKey } from '../../../components/data-grid/grid-keys.ts';
import { groupsOf, itemAt, itemCount, placeOf } from './change-groups.ts';
import { ChangeRow } from './change-row.tsx';
import { text } from './text.ts';
import styles from './changes.module.css';
import type { Comparison } from './use-comparison.ts';

const lineHeight = 40;
const headingHeight = 30;
const around = 4;

export interface ChangesGridProps {
  counts: DifferenceCounts;
  comparison: Comparison;
  onOpen(): void;
}

/** Lines under the headings of their kind. One tab stop; only what is in sight is drawn, and the line that is shown. */
export function ChangesGrid({ counts, comparison: { total, index, row, show, windows }, onOpen }: ChangesGridProps) {
  const { values } = useSettings();
  const scroller = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => groupsOf(counts), [counts]);
  const current = placeOf(groups, index);
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised is given what it returns
  const virtual = useVirtualizer({
    count: itemCount(groups),
    getScrollElement: () => scroller.current,
    estimateSize: (place) => (itemAt(groups, place)?.kind === 'heading' ? headingHeight : lineHeight),
    overscan: around,
    useFlushSync: false,
    rangeExtractor: (range: Range) => [...new Set([...defaultRangeExtractor(range), current])].toSorted((first, second) => first - second),
  });
  const lineNear = (place: number): number => {
    const item = itemAt(groups, place);
    return item === null ? 0 : item.kind === 'heading' ? item.group.first : item.index;
  };
  const first = lineNear(virtual.range?.startIndex ?? 0);
  const last = lineNear(virtual.range?.endIndex ?? 0);
  const tellRange = useEffectEvent(() => windows.onRange(first, last));
  useEffect(() => tellRange(), [first, last]);
  const onKeyDown = useLineKeys(scroller, {
    index, onOpen, show,
    lineFor: (key) => rowForKey(key, { row: index, count: total, page: pageOf(virtual.scrollRect?.height), letters: values.singleLetterKeys }),
  });
  const follow = useEffectEvent(() => {
    const { range } = virtual;
    const isInSight = range !== null && range.startIndex < current && current < range.endIndex;
    if (!isInSight) virtual.scrollToIndex(current, { align: 'auto' });
  });
  useEffect(() => follow(), [current]);
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its lines take the focus, one at a time
    <div ref={scroller} role="grid" aria-label={text.changes} aria-rowcount={total} className={styles.lines} onKeyDown={onKeyDown}>
      <div role="presentation" className={styles.room} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index: place, start }) => {
          const item = itemAt(groups, place);
          if (item === null) return null;
          if (item.kind === 'heading') return <div key={item.group.kind} role="presentation" className={styles.heading} style={{ transform: `translateY(${start}px)` }}>{text.kinds[item.group.kind]}</div>;
          return <ChangeRow key={item.index} row={item.index === index ? row : windows.rowAt(item.index)} index={item.index} top={start} isCurrent={item.index === index} onChoose={() => show(item.index)} />;
        })}
      </div>
    </div>
  );
}

const pageOf = (height = 0): number => Math.max(1, Math.floor(height / lineHeight) - 1);

interface LineKeys {
  index: number;
  lineFor(key: string): number | null;
  show(index: number): void;
  onOpen(): void;
}

/** Keys move the focus with the line that is shown. */
function useLineKeys(scroller: RefObject<HTMLElement | null>, { index, lineFor, show, onOpen }: LineKeys): (event: KeyboardEvent) => void {
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  }, [scroller, index]);
  return (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = lineFor(event.key);
    if (to === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (to === null) return onOpen();
    if (to < 0 || to === index) return;
    wantsFocus.current = true;
    show(to);
  };
}
