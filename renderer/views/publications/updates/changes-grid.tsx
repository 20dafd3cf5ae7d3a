import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { useSettings } from '../../../app/use-settings.ts';
import { rowForKey } from '../../../components/data-grid/grid-keys.ts';
import layout from '../../../styles/layout.module.css';
import { ChangeRow } from './change-row.tsx';
import { text } from './text.ts';
import type { Comparison } from './use-comparison.ts';

const lineHeight = 32;
const around = 6;

export interface ChangesGridProps {
  comparison: Comparison;
  total: number;
  onOpen(): void;
}

/** Rules under the heads of their groups. One tab stop; only what is in sight is drawn, and the line that is shown. */
export function ChangesGrid({
  comparison: { index, item, query, review, show, toggle, windows },
  total,
  onOpen,
}: ChangesGridProps) {
  const { values } = useSettings();
  const scroller = useRef<HTMLDivElement>(null);
  const muted = new Set(review?.muted);
  const virtual = useVirtualLines(scroller, { total, index, windows });
  const itemAt = (at: number): ReviewItem | undefined => (at === index ? item : undefined) ?? windows.rowAt(at);
  const onKeyDown = useLineKeys(scroller, {
    index,
    item,
    onOpen,
    show,
    toggle,
    lineFor: (key) =>
      rowForKey(key, {
        row: index,
        count: total,
        page: pageOf(virtual.scrollRect?.height),
        letters: values.singleLetterKeys,
      }),
  });
  useShownInSight(virtual, index);
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its lines take the focus, one at a time
    <div
      ref={scroller}
      role="treegrid"
      aria-label={text.changes}
      aria-rowcount={total}
      className={layout.scroll}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={layout.relative} style={{ height: virtual.getTotalSize() }}>
        {virtual
          .getVirtualItems()
          .filter(({ index: at }) => at < total)
          .map(({ index: at, start }) => {
            const shown = itemAt(at);
            return (
              <ChangeRow
                key={at}
                measure={virtual.measureElement}
                item={shown}
                index={at}
                top={start}
                isCurrent={at === index}
                isMuted={shown?.kind === 'row' && muted.has(shown.row.name)}
                isGrouped={query.sort === 'file'}
                onChoose={() => show(at)}
                onToggle={() => shown !== undefined && 'key' in shown && toggle(shown.key, at)}
              />
            );
          })}
      </div>
    </div>
  );
}

/** Lines in sight and a few around them, whose rows are read; the line that is shown stays drawn. */
function useVirtualLines(
  scroller: RefObject<HTMLDivElement | null>,
  { total, index, windows }: { total: number } & Pick<Comparison, 'index' | 'windows'>,
): Virtualizer<HTMLDivElement, HTMLElement> {
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised is given what it returns
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    // A long name is as many lines high as it needs. Where nothing is laid out, each is one.
    measureElement: (row: HTMLElement) => row.offsetHeight || lineHeight,
    overscan: around,
    useFlushSync: false,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), Math.max(0, index)])].toSorted((first, second) => first - second),
  });
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;
  const tellRange = useEffectEvent(() => windows.onRange(first, last));
  useEffect(() => tellRange(), [first, last]);
  return virtual;
}

/** Scrolls to the shown line when it changes. */
function useShownInSight(virtual: Virtualizer<HTMLDivElement, HTMLElement>, index: number): void {
  const follow = useEffectEvent((line: number) => {
    const { range } = virtual;
    const isInSight = range !== null && range.startIndex < line && line < range.endIndex;
    if (!isInSight && line >= 0) virtual.scrollToIndex(line, { align: 'auto' });
  });
  useEffect(() => follow(index), [index]);
}

const pageOf = (height = 0): number => Math.max(1, Math.floor(height / lineHeight) - 1);

interface LineKeys {
  index: number;
  item: ReviewItem | undefined;
  lineFor(key: string): number | null;
  show(index: number): void;
  toggle(key: string, index: number): void;
  onOpen(): void;
}

/**
 * The focus goes with the line that is shown, also where a button shows another; to the left and right keys close and
 * open a group.
 */
function useLineKeys(
  scroller: RefObject<HTMLElement | null>,
  { index, item, lineFor, show, toggle, onOpen }: LineKeys,
): (event: KeyboardEvent) => void {
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    const hasFocus = document.activeElement !== null && scroller.current?.contains(document.activeElement) === true;
    if (!wantsFocus.current && !hasFocus) return;
    wantsFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  }, [scroller, index]);
  return (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const group = item !== undefined && 'key' in item ? item : null;
    const turns =
      group !== null &&
      (event.key === 'Enter' ||
        (event.key === 'ArrowRight' && !group.isOpen) ||
        (event.key === 'ArrowLeft' && group.isOpen));
    const to = lineFor(event.key);
    if (to === null && event.key !== 'Enter' && !turns) return;
    event.preventDefault();
    if (turns) return toggle(group.key, index);
    if (to === null) return onOpen();
    if (to < 0 || to === index) return;
    wantsFocus.current = true;
    show(to);
  };
}
