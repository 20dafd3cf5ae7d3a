import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';

/** A column of a `DataGrid`. Widths in CSS pixels. */
export interface GridColumn<Row> {
  id: string;
  title: string;
  /** Fixed, or a share of what is left that never gets narrower than `min`. */
  width: number | { flex: number; min: number };
  align?: 'start' | 'end';
  isSortable?: boolean;
  /** Names the row: what a screen reader reads first. */
  isRowHeader?: boolean;
  /** When the table gets narrow, the column with the highest number leaves first; 0, the default, never leaves. */
  leaves?: number;
  /** Where the next column is empty, this one extends into it. */
  spills?: boolean;
  cell(row: Row): ReactNode;
}

export interface GridSort {
  /** The id of a column. */
  column: string;
  descending: boolean;
}

const tickWidth = 16;
export const columnGap = 12;
const paneEdge = 16;

const figureWidth = 7.5;
const titleSpace = 28;

/** The width of a column of numbers from 1 to `most`. */
export function figuresWidth(most: number): number {
  return Math.max(titleSpace, Math.ceil(most.toLocaleString('en').length * figureWidth));
}

type Sized = Pick<GridColumn<never>, 'width' | 'leaves'>;
const leastWidth = ({ width }: Sized): number => (typeof width === 'number' ? width : width.min);

/** CSS pixels a row needs. Passed to the browser, which would otherwise lay out every cell to find it. */
export function leastRowWidth(columns: readonly Sized[], hasTicks: boolean): number {
  return columns.reduce(
    (sum, column) => sum + leastWidth(column) + columnGap,
    paneEdge * 2 - columnGap + (hasTicks ? tickWidth + columnGap : 0),
  );
}

/** The columns that fit, in their order. `width` is that of the table; null while it is not known. */
export function columnsThatFit<Column extends Sized>(
  columns: readonly Column[],
  width: number | null,
  hasTicks: boolean,
): readonly Column[] {
  if (width === null) return columns;
  const shown = [...columns];
  while (leastRowWidth(shown, hasTicks) > width) {
    const next = shown.reduce<Column | null>(
      (most, column) => ((column.leaves ?? 0) > (most?.leaves ?? 0) ? column : most),
      null,
    );
    if (next === null) break;
    shown.splice(shown.indexOf(next), 1);
  }
  return shown;
}

/** The value of `grid-template-columns`. */
export function columnTemplate(columns: readonly Sized[], hasTicks: boolean): string {
  const tracks = columns.map(({ width }) =>
    typeof width === 'number' ? `${width}px` : `minmax(${width.min}px, ${width.flex}fr)`,
  );
  return [...(hasTicks ? [`${tickWidth}px`] : []), ...tracks].join(' ');
}

/** The width of an element in CSS pixels as it changes; null until it is known. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (!element.current || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Every column once: those of the order first, as far as such columns exist, then the others at their usual places. */
export function inOrder<Id extends string>(usual: readonly Id[], order: readonly string[]): Id[] {
  const known = order.flatMap((id) => usual.find((column) => column === id) ?? []);
  const ordered = [...new Set(known)];
  for (const [at, id] of usual.entries()) {
    if (ordered.includes(id)) continue;
    const before = usual.slice(0, at).findLast((earlier) => ordered.includes(earlier));
    ordered.splice(before === undefined ? 0 : ordered.indexOf(before) + 1, 0, id);
  }
  return ordered;
}

/** The columns that are shown, in their order. `fixed` are always. */
export const visibleColumns = <Id extends string>(
  usual: readonly Id[],
  { order, hidden }: { order: readonly string[]; hidden: readonly string[] },
  fixed: readonly Id[],
): Id[] => inOrder(usual, order).filter((id) => fixed.includes(id) || !hidden.includes(id));

/** The order with one column a place further, over those that are not shown. */
export function withMoved<Id extends string>(order: readonly Id[], id: Id, step: 1 | -1): Id[] {
  const at = order.indexOf(id);
  const to = at + step;
  if (at < 0 || to < 0 || to >= order.length) return [...order];
  return order.toSpliced(at, 1).toSpliced(to, 0, id);
}
