import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { letterKeyOf, shortcutKeyOf } from '../shortcut-key.ts';
import type { GridColumn, GridSort } from './grid-column.ts';
import type { Ticks } from './row-selection.ts';
import type { GridPlace } from './use-grid-place.ts';

interface ActedGrid<Row> {
  count: number;
  rowAt(index: number): Row | undefined;
  keyOf(row: Row): string | number;
  /** Rows that a page key passes. */
  page: number;
  letters: boolean;
  hasHead: boolean;
  /** Whether rows have fields in them. */
  hasFields: boolean;
  canTick: boolean;
  place: GridPlace;
  ticks: Ticks;
  /** Those that are shown. */
  columns: readonly GridColumn<Row>[];
  sort: GridSort | null;
  onSort?: (sort: GridSort) => void;
  onOpen?: (row: Row) => void;
  onCurrent?: (row: Row) => void;
  scrollTo(row: number): void;
}

interface GridActs {
  onKeyDown(event: KeyboardEvent): void;
  onKeyDownCapture(event: KeyboardEvent): void;
  onClick(event: MouseEvent): void;
  onDoubleClick(event: MouseEvent): void;
  onMouseDown(event: MouseEvent): void;
}

const control = 'button, a, input, textarea, select';

/**
 * What keys and the pointer do in a table: rows are moved among, ticked, extended over and opened, column heads sorted
 * by.
 */
export function useGridActs<Row>(grid: ActedGrid<Row>): GridActs {
  const { columns, canTick, sort, ticks, place } = grid;
  const pressed = useRef<{ index: number; row: Row } | null>(null);
  const goTo = (row: number, extend: boolean): void => {
    if (extend && canTick && row >= 0) ticks.extend(Math.max(0, place.row), row);
    else ticks.settle();
    place.moveTo(row);
    if (row >= 0) grid.scrollTo(row);
    const reached = grid.rowAt(row);
    if (reached !== undefined) grid.onCurrent?.(reached);
  };
  const open = (index: number): boolean => {
    const row = grid.rowAt(index);
    if (row === undefined || grid.onOpen === undefined) return false;
    grid.onOpen(row);
    return true;
  };
  /** By the place of a column head; that of the ticks ticks all. */
  const sortBy = (head: number): void => {
    const column = columns[head - (canTick ? 1 : 0)];
    if (column === undefined) return ticks.toggleAll();
    if (column.isSortable === true)
      grid.onSort?.({ column: column.id, descending: sort?.column === column.id && !sort.descending });
  };
  /** Another row came under the pointer while it was down: that one was not meant. */
  const hasMoved = (index: number): boolean => {
    const before = pressed.current;
    const now = grid.rowAt(index);
    pressed.current = null;
    return before?.index === index && now !== undefined && grid.keyOf(before.row) !== grid.keyOf(now);
  };
  const act = keyActs(grid, { goTo, open, sortBy });
  return {
    onKeyDown: (event) => {
      if (event.defaultPrevented || event.altKey || isControl(event.target) || !isOfGrid(event)) return;
      if (act(event)) event.preventDefault();
    },
    onKeyDownCapture: (event) => {
      const index = grid.hasFields && event.key === 'Escape' ? placeOf(event.target) : null;
      // A list that is open at a field is closed first.
      if (index === null || isOver(event.target, '[data-index]:focus, [aria-expanded="true"]')) return;
      event.preventDefault();
      event.stopPropagation();
      place.moveTo(index);
    },
    onClick: (event) => {
      const head = placeOf(event.target, 'head');
      if (head !== null) return sortBy(head);
      const index = placeOf(event.target);
      if (index === null || isControl(event.target) || hasMoved(index)) return;
      const isTick = canTick && (event.ctrlKey || event.metaKey || isOver(event.target, '[data-tick]'));
      goTo(index, event.shiftKey);
      if (isTick && !event.shiftKey) ticks.toggle(index);
    },
    onDoubleClick: (event) => {
      const index = placeOf(event.target);
      if (index !== null && !isOver(event.target, `${control}, [data-tick]`)) open(index);
    },
    onMouseDown: (event) => {
      const index = placeOf(event.target);
      const row = index === null ? undefined : grid.rowAt(index);
      pressed.current = index === null || row === undefined ? null : { index, row };
      // Extending by the pointer selects rows, no text.
      if (event.shiftKey && index !== null) event.preventDefault();
    },
  };
}

interface RowActs {
  goTo(row: number, extend: boolean): void;
  open(index: number): boolean;
  sortBy(head: number): void;
}

/** @returns whether the key meant something here */
function keyActs<Row>(grid: ActedGrid<Row>, { goTo, open, sortBy }: RowActs): (event: KeyboardEvent) => boolean {
  const { count, columns, page, letters, hasHead, canTick, place, ticks } = grid;
  const current = place.row;
  const isInHead = current < 0;
  return (event) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey)
      return shortcutKeyOf(event) === 'a' && !event.shiftKey && canTick && done(ticks.all);
    if (isInHead && (key === 'ArrowLeft' || key === 'ArrowRight'))
      return done(() => place.moveHead(key === 'ArrowLeft' ? -1 : 1, columns.length + (canTick ? 1 : 0)));
    if (key === 'Escape') return canTick && ticks.clear();
    if (key === 'F2' && grid.hasFields) return !isInHead && open(current);
    if (key === 'Enter') return isInHead ? done(() => event.repeat || sortBy(place.head)) : open(current);
    if (letters && letterKeyOf(event) === 'x' && canTick)
      return done(() => event.repeat || (isInHead ? ticks.toggleAll() : ticks.toggle(current)));
    const to = rowForKey(event, { row: current, count, page, letters });
    if (to === null || (to < 0 && !hasHead)) return false;
    return done(() => goTo(to, event.shiftKey));
  };
}

/** Which row or column head something is in. */
function placeOf(target: EventTarget | null, of: 'index' | 'head' = 'index'): number | null {
  const within = target instanceof Element ? target.closest<HTMLElement>(`[data-${of}]`) : null;
  return within === null ? null : Number(within.dataset[of]);
}

const isOver = (target: EventTarget, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
/** What opens over a field is drawn elsewhere on the page, and its keys are its own; so are those inside of a field. */
const isOfGrid = ({ target, currentTarget }: KeyboardEvent): boolean =>
  target === currentTarget ||
  (currentTarget.contains(nodeOf(target)) && isOver(target, '[data-index]:focus, [data-head]:focus'));
const nodeOf = (target: EventTarget): Node | null => (target instanceof Node ? target : null);
const isControl = (target: EventTarget): boolean => isOver(target, control);

function done(action: () => void): true {
  action();
  return true;
}

interface KeyPlace {
  /** From 0; -1 is the row of column heads. */
  row: number;
  count: number;
  /** Rows that are seen at once. */
  page: number;
  /** Whether J and K move, too. */
  letters: boolean;
}

/** The row that a key leads to; null when the key moves nowhere. Up from the first row leads to the column heads. */
export function rowForKey(
  pressed: Parameters<typeof letterKeyOf>[0],
  { row, count, page, letters }: KeyPlace,
): number | null {
  if (count === 0) return null;
  const within = (to: number): number => Math.max(0, Math.min(count - 1, to));
  switch (pressed.key) {
    case 'ArrowDown':
      return within(row + 1);
    case 'ArrowUp':
      return row <= 0 ? -1 : row - 1;
    case 'PageDown':
      return within(row + page);
    case 'PageUp':
      return within(row - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return letters ? rowForLetter(letterKeyOf(pressed), row, within) : null;
  }
}

function rowForLetter(key: string, row: number, within: (to: number) => number): number | null {
  if (key === 'j') return within(row + 1);
  return key === 'k' ? within(row - 1) : null;
}

interface ChosenRow<Row, Key> {
  /** The current row, by its place. */
  current: number;
  rowAt(index: number): Row | undefined;
  keyOf(row: Row): Key;
  /** undefined: rows are chosen only here. */
  currentKey: Key | null | undefined;
  onCurrent: ((row: Row) => void) | undefined;
}

/**
 * Where another part of the view shows the row that is chosen, the row that has the focus is chosen: also when the
 * focus came by Tab, after a search, or before the row. Else a key would act on another one than the one it seems to.
 * Give what it gives the row that the focus came to.
 */
export function useFocusedRow<Row, Key>(
  table: RefObject<HTMLElement | null>,
  { current, rowAt, keyOf, currentKey, onCurrent }: ChosenRow<Row, Key>,
): (target: EventTarget) => void {
  const choose = (target: EventTarget | null): void => {
    const row =
      target instanceof HTMLElement && target.dataset['index'] !== undefined
        ? rowAt(Number(target.dataset['index']))
        : undefined;
    if (row !== undefined && currentKey !== undefined && keyOf(row) !== currentKey) onCurrent?.(row);
  };
  const isLoaded = rowAt(current) !== undefined;
  const chooseLoaded = useEffectEvent(() => {
    const { activeElement } = document;
    if (table.current?.contains(activeElement) === true) choose(activeElement);
  });
  useEffect(() => {
    if (isLoaded) chooseLoaded();
  }, [isLoaded]);
  return choose;
}
