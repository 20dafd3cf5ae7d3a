import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
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
import layout from '../../styles/layout.module.css';
import styles from './data-grid.module.css';
import {
  columnsThatFit,
  columnTemplate,
  type GridColumn,
  type GridSort,
  leastRowWidth,
  useElementWidth,
} from './grid-column.ts';
import { GridHead, GridRow, type GridRowProps } from './grid-row.tsx';
import {
  isTicked,
  noRows,
  type RowSelection,
  type StoredTicks,
  tickedCount,
  type Ticks,
  useStoredTicks,
  useTicks,
} from './row-selection.ts';
import { useFocusedRow, useGridActs } from './use-grid-acts.ts';
import { type GridMemory, type GridPlace, useGridPlace } from './use-grid-place.ts';

interface DataGridProps<Row, Key extends string | number> {
  label: string;
  columns: readonly GridColumn<Row>[];
  /** All rows, loaded or not. */
  count: number;
  /** undefined while the row is not loaded. A row that stays the same object is not drawn again. */
  rowAt(index: number): Row | undefined;
  keyOf(row: Row): Key;
  /** The rows in sight and a little around them, for callers that load windows. Both included. */
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
  /** The last position; kept by the component that draws the table, which may come and go. */
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
  const { label, count, rowAt, keyOf, sort = null, rowHeight = usualRow, hasHead = true, empty } = props;
  const { scroller, columns, canTick, tickState, place, choose, drawn, acts, stateOf } = useGrid(props);
  return (
    // Its rows and column heads take the focus, one at a time.
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={count + (hasHead ? 1 : 0)}
      aria-colcount={columns.length + (canTick ? 1 : 0)}
      aria-multiselectable={canTick || undefined}
      className={layout.view}
      style={layoutOf(columns, canTick)}
      {...acts}
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
            columns={columns}
            sort={sort}
            ticks={canTick ? tickState : null}
            tabStop={place.row < 0 ? place.head : null}
          />
        )}
        {count === 0 && empty}
        <GridRows
          drawn={drawn}
          rowAt={rowAt}
          keyOf={props.hasFields === true ? keyOf : null}
          columns={columns}
          height={rowHeight}
          hasHead={hasHead}
          stateOf={stateOf}
        />
      </div>
    </div>
  );
}

/** The drawn rows, the current row, the ticks, and what keys and the pointer do. */
function useGrid<Row, Key extends string | number>(props: DataGridProps<Row, Key>) {
  const { columns, count, rowAt, keyOf, sort = null, onCurrent, currentKey, memory, storedTicks } = props;
  const { rowHeight = usualRow, hasHead = true, hasFields = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const width = useElementWidth(scroller);
  const canTick = props.onSelect !== undefined || storedTicks !== undefined;
  const shown = useMemo(() => columnsThatFit(columns, width, canTick), [columns, width, canTick]);
  const keyAt = (index: number): Key | undefined => {
    const row = rowAt(index);
    return row === undefined ? undefined : keyOf(row);
  };
  const place = useGridPlace({ count, keyAt, hasHead, currentKey, memory });
  const current = place.row;
  const choose = useFocusedRow(scroller, { current, rowAt, keyOf, currentKey, onCurrent });
  const drawn = useDrawnRows(scroller, { count, current, rowHeight, head: hasHead ? headHeight : 0, memory });
  const { ticks, tickState, isRowTicked } = useGridTicks(props, keyAt);
  useReportedRange(drawn, props.onRange);
  useFollowedRow(scroller, { place, drawn, rowAt, onReplaced: props.onReplaced });
  useMemorized(memory, scroller, { row: place.isEntered ? current : 0, count });
  const { page, scrollTo } = drawn;
  const acts = useGridActs({
    ...props,
    page,
    hasHead,
    hasFields,
    canTick,
    place,
    ticks,
    columns: shown,
    sort,
    scrollTo,
  });
  // The mark is on the row that is shown elsewhere, or on none.
  const isChosen = (row: Row | undefined): boolean =>
    currentKey === undefined || currentKey === null || row === undefined || keyOf(row) === currentKey;
  const stateOf = (row: Row | undefined, index: number): RowState => ({
    isTicked: canTick ? row !== undefined && isRowTicked(row) : null,
    isTinted: storedTicks === undefined,
    isCurrent: place.isEntered && index === current && isChosen(row),
    isTabStop: index === current,
  });
  return { scroller, columns: shown, canTick, tickState, place, choose, drawn, acts, stateOf };
}

type RowState = Pick<GridRowProps<unknown>, 'isTicked' | 'isTinted' | 'isCurrent' | 'isTabStop'>;

interface GridRowsProps<Row> {
  drawn: DrawnRows;
  rowAt(index: number): Row | undefined;
  /** null: an element belongs to a place in the table, not to a row. */
  keyOf: ((row: Row) => string | number) | null;
  columns: readonly GridColumn<Row>[];
  height: number;
  hasHead: boolean;
  stateOf(row: Row | undefined, index: number): RowState;
}

function GridRows<Row>({ drawn, rowAt, keyOf, columns, height, hasHead, stateOf }: GridRowsProps<Row>) {
  return (
    <div role="rowgroup" className={styles.rows} style={{ height: drawn.height }}>
      {drawn.items.map(({ index, start }) => {
        const row = rowAt(index);
        return (
          <GridRow
            key={keyOf !== null && row !== undefined ? `row-${keyOf(row)}` : index}
            row={row}
            index={index}
            rowIndex={index + 1 + (hasHead ? 1 : 0)}
            top={start - (hasHead ? headHeight : 0)}
            height={height}
            columns={columns}
            {...stateOf(row, index)}
          />
        );
      })}
    </div>
  );
}

interface DrawnRows {
  items: readonly VirtualItem[];
  /** CSS pixels, of all rows. */
  height: number;
  /** The rows in sight and a little around them. Both included. */
  first: number;
  last: number;
  /** Rows that a page key passes. */
  page: number;
  scrollTo(row: number): void;
}

interface ScrolledRows {
  count: number;
  current: number;
  rowHeight: number;
  /** CSS pixels. */
  head: number;
  memory: GridMemory | undefined;
}

/** Only the rows in sight are drawn, and the current one. */
function useDrawnRows(
  scroller: RefObject<HTMLElement | null>,
  { count, current, rowHeight, head, memory }: ScrolledRows,
): DrawnRows {
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
  return {
    page: Math.max(1, Math.floor(((virtual.scrollRect?.height ?? 0) - head) / rowHeight) - 1),
    // Before the items: computing these moves the range.
    first: Math.max(0, (virtual.range?.startIndex ?? 0) - around),
    last: Math.min(count - 1, (virtual.range?.endIndex ?? 0) + around),
    height: virtual.getTotalSize(),
    items: virtual.getVirtualItems(),
    scrollTo: (row) => virtual.scrollToIndex(row, { align: 'auto' }),
  };
}

interface GridTicks<Row> {
  ticks: Ticks;
  /** Of all rows. */
  tickState: StoredTicks<Row, unknown>['state'];
  isRowTicked(row: Row): boolean;
}

/** The ticks of a selection, or those that are stored with the rows. */
function useGridTicks<Row, Key extends string | number>(
  { count, rowAt, keyOf, selection = noRows, onSelect, keysBetween, storedTicks }: DataGridProps<Row, Key>,
  keyAt: (index: number) => Key | undefined,
): GridTicks<Row> {
  const selected = useTicks({ count, keyAt, selection, onSelect: onSelect ?? (() => {}), keysBetween });
  const stored = useStoredTicks({ count, rowAt, keyOf, stored: storedTicks });
  return storedTicks === undefined
    ? {
        ticks: selected,
        tickState: tickStateOf(tickedCount(selection, count), count),
        isRowTicked: (row) => isTicked(selection, keyOf(row)),
      }
    : { ticks: stored, tickState: storedTicks.state, isRowTicked: (row) => storedTicks.isTicked(row) };
}

/** Reports the rows in sight when they change, for callers that load windows. */
function useReportedRange({ first, last }: DrawnRows, onRange: ((first: number, last: number) => void) | undefined) {
  const report = useEffectEvent(() => onRange?.(first, last));
  useEffect(() => {
    if (last >= first) report();
  }, [first, last]);
}

interface FollowedRow<Row> {
  place: GridPlace;
  drawn: DrawnRows;
  rowAt(index: number): Row | undefined;
  onReplaced: ((row: Row) => void) | undefined;
}

/** After each drawing, stays with the current row; reports the row that replaced it, when that one has the focus. */
function useFollowedRow<Row>(
  scroller: RefObject<HTMLElement | null>,
  { place, drawn: { first, last }, rowAt, onReplaced }: FollowedRow<Row>,
): void {
  useLayoutEffect(() => {
    const isReplaced = place.follow(scroller.current, first, last);
    const row = rowAt(place.row);
    if (
      isReplaced &&
      row !== undefined &&
      document.activeElement === scroller.current?.querySelector(`[data-index="${place.row}"]`)
    )
      onReplaced?.(row);
  });
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

/** Column widths, as the style sheet takes them. */
const layoutOf = <Row,>(
  columns: readonly GridColumn<Row>[],
  canTick: boolean,
): CSSProperties & Record<'--columns' | '--least', string> => ({
  '--columns': columnTemplate(columns, canTick),
  '--least': `${leastRowWidth(columns, canTick)}px`,
});

const tickStateOf = (ticked: number, count: number): 'all' | 'some' | 'none' =>
  ticked === 0 ? 'none' : ticked === count ? 'all' : 'some';
