import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import styles from './data-grid.module.css';
import { columnsThatFit, columnTemplate, type GridColumn, type GridSort, leastRowWidth } from './grid-column.ts';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import { isTicked, noRows, type RowSelection, tickedCount } from './row-selection.ts';
import { type StoredTicks, useStoredTicks } from './use-stored-ticks.ts';
import { useElementWidth } from './use-element-width.ts';
import { useFocusedRow } from './use-focused-row.ts';
import { useGridActs } from './use-grid-acts.ts';
import { type GridMemory, useGridPlace } from './use-grid-place.ts';
import { useTicks } from './use-ticks.ts';

export interface DataGridProps<Row, Key extends string | number> {
  label: string;
  columns: readonly GridColumn<Row>[];
  /** All rows, loaded or not. */
  count: number;
  /** undefined while the row is not loaded. A row that stays the same object is not drawn again. */
  rowAt(index: number): Row | undefined;
  keyOf(row: Row): Key;
  /** The rows in sight and a little around them, for whoever loads windows. Both included. */
  onRange?: (first: number, last: number) => void;
  sort?: GridSort | null;
  onSort?: (sort: GridSort) => void;
  selection?: RowSelection<Key>;
  /** Left out: rows are not ticked. */
  onSelect?: (selection: RowSelection<Key>) => void;
  /** The keys of rows that are not loaded, for extending over them. Both included. */
  keysBetween?: (first: number, last: number) => Promise<readonly Key[]>;
  /** In place of a selection: ticks that are the rows' own, kept where the rows are. They tint no row. */
  storedTicks?: StoredTicks<Row, Key>;
  /** Enter, or a double click. */
  onOpen?: (row: Row) => void;
  /**
   * Rows have fields in them: F2 opens one like Enter, Escape leads from a field to its row, and a row that moves keeps
   * its fields.
   */
  hasFields?: boolean;
  /** The current row changed, by a key or a click. */
  onCurrent?: (row: Row) => void;
  /** The row that was chosen is in the list no more, and this one has its place and the focus. */
  onReplaced?: (row: Row) => void;
  /** Makes this row the current one, where another part of the view chooses it. */
  currentKey?: Key | null;
  /** Where one was; kept by whoever draws the table, which may come and go. */
  memory?: GridMemory;
  /** Whether single letters are switched on: J, K and X. */
  letters: boolean;
  /** CSS pixels. */
  rowHeight?: number;
  hasHead?: boolean;
  /** Shown in place of the rows when there are none. */
  empty?: ReactNode;
}

const usualRow = 28;
const headHeight = 28;
const around = 2;

/**
 * A table of any length: only the rows in sight are drawn. One tab stop; the focus is on a row, which stays drawn while
 * it has it. Up from the first row leads to the column heads.
 */
export function DataGrid<Row, Key extends string | number>(props: DataGridProps<Row, Key>) {
  const {
    label,
    columns,
    count,
    rowAt,
    keyOf,
    onRange,
    sort = null,
    onSort,
    selection = noRows,
    onSelect,
    keysBetween,
    onOpen,
    letters,
    empty,
  } = props;
  const { rowHeight = usualRow, hasHead = true, hasFields = false, storedTicks } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const width = useElementWidth(scroller);
  const canTick = onSelect !== undefined || storedTicks !== undefined;
  const shown = useMemo(() => columnsThatFit(columns, width, canTick), [columns, width, canTick]);
  const keyAt = (index: number): Key | undefined => {
    const row = rowAt(index);
    return row === undefined ? undefined : keyOf(row);
  };
  const { memory, currentKey } = props;
  const place = useGridPlace({ count, keyAt, hasHead, currentKey, memory });
  const head = hasHead ? headHeight : 0;
  const headRows = hasHead ? 1 : 0;
  const current = place.row;
  const choose = useFocusedRow(scroller, { current, rowAt, keyOf, currentKey, onCurrent: props.onCurrent });
  // The mark is on the row that is shown elsewhere, or on none.
  const isChosen = (row: Row | undefined): boolean =>
    currentKey === undefined || currentKey === null || row === undefined || keyOf(row) === currentKey;
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised is given what it returns
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: around,
    // Rows come with the next paint: drawing them at each event of a scroll is what made a frame late.
    useFlushSync: false,
    scrollMargin: head,
    scrollPaddingStart: head,
    initialOffset: memory?.spot.offset ?? 0,
    // The row that has the focus stays drawn wherever the table is scrolled to: the focus would be lost with it.
    rangeExtractor: useCallback((range: Range) => withRow(defaultRangeExtractor(range), current), [current]),
  });
  const page = Math.max(1, Math.floor(((virtual.scrollRect?.height ?? 0) - head) / rowHeight) - 1);
  const selected = useTicks({ count, keyAt, selection, onSelect: onSelect ?? (() => {}), keysBetween });
  const stored = useStoredTicks({ count, rowAt, keyOf, stored: storedTicks });
  const ticks = storedTicks === undefined ? selected : stored;
  const isRowTicked = (row: Row): boolean =>
    storedTicks === undefined ? isTicked(selection, keyOf(row)) : storedTicks.isTicked(row);

  const first = Math.max(0, (virtual.range?.startIndex ?? 0) - around);
  const last = Math.min(count - 1, (virtual.range?.endIndex ?? 0) + around);
  const tellRange = useEffectEvent(() => onRange?.(first, last));
  useEffect(() => {
    if (last >= first) tellRange();
  }, [first, last]);
  useLayoutEffect(() => {
    const isReplaced = place.follow(scroller.current, first, last);
    const row = rowAt(current);
    if (
      isReplaced &&
      row !== undefined &&
      document.activeElement === scroller.current?.querySelector(`[data-index="${current}"]`)
    )
      props.onReplaced?.(row);
  });

  useMemorized(memory, scroller, { row: place.isEntered ? current : 0, count });

  const acts = useGridActs({
    count,
    rowAt,
    keyOf,
    page,
    letters,
    hasHead,
    hasFields,
    canTick,
    place,
    ticks,
    columns: shown,
    sort,
    onSort,
    onOpen,
    onCurrent: props.onCurrent,
    scrollTo: (row) => virtual.scrollToIndex(row, { align: 'auto' }),
  });
  const headTicks = storedTicks?.state ?? tickState(tickedCount(selection, count), count);
  const layout: CSSProperties & Record<'--columns' | '--least', string> = {
    '--columns': columnTemplate(shown, canTick),
    '--least': `${leastRowWidth(shown, canTick)}px`,
  };
  return (
    // Its rows and column heads take the focus, one at a time.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={count + headRows}
      aria-colcount={shown.length + (canTick ? 1 : 0)}
      aria-multiselectable={canTick || undefined}
      className={styles.grid}
      style={layout}
      onKeyDown={acts.onKeyDown}
      onKeyDownCapture={acts.onKeyDownCapture}
      onClick={acts.onClick}
      onDoubleClick={acts.onDoubleClick}
      onMouseDown={acts.onMouseDown}
      onFocus={({ currentTarget, target }) => {
        // What opens over a field is drawn elsewhere on the page: its focus is not the table's, and it gives it back
        // itself.
        if (!currentTarget.contains(target)) return;
        place.noteFocus(target);
        choose(target);
      }}
      onBlur={(event) => place.noteBlur(event.currentTarget.contains(event.relatedTarget))}
    >
      <div ref={scroller} className={styles.scroller} data-figures>
        {hasHead && (
          <GridHead
            columns={shown}
            sort={sort}
            ticks={canTick ? headTicks : null}
            tabStop={current < 0 ? place.head : null}
          />
        )}
        {count === 0 && empty}
        <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rowAt(index);
            return (
              <GridRow
                key={hasFields && row !== undefined ? `row-${keyOf(row)}` : index}
                row={row}
                index={index}
                rowIndex={index + 1 + headRows}
                top={start - head}
                height={rowHeight}
                columns={shown}
                isTicked={canTick ? row !== undefined && isRowTicked(row) : null}
                isTinted={storedTicks === undefined}
                isCurrent={place.isEntered && index === current && isChosen(row)}
                isTabStop={index === current}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Writes down where one is; the offset, and whether the focus was there, when the table goes. */
function useMemorized(
  memory: GridMemory | undefined,
  scroller: RefObject<HTMLElement | null>,
  { row, count }: { row: number; count: number },
): void {
  useLayoutEffect(() => {
    memory?.note({ row: Math.max(0, row), count });
  }, [memory, row, count]);
  useLayoutEffect(() => {
    const table = scroller.current;
    memory?.note({ hadFocus: false });
    return () => {
      if (table) memory?.note({ offset: table.scrollTop, hadFocus: table.contains(document.activeElement) });
    };
  }, [memory, scroller]);
}

function withRow(indexes: number[], row: number): number[] {
  if (row < 0 || indexes.includes(row)) return indexes;
  const [first = 0] = indexes;
  return row < first ? [row, ...indexes] : [...indexes, row];
}

const tickState = (ticked: number, count: number): 'all' | 'some' | 'none' =>
  ticked === 0 ? 'none' : ticked === count ? 'all' : 'some';
