import { useRef, useState } from 'react';

/** Where one is in a table. */
interface GridSpot {
  row: number;
  /** CSS pixels that it is scrolled down. */
  offset: number;
  /** How many rows there are; null: not known. */
  count: number | null;
  /** When it went, the focus was in it. */
  hadFocus: boolean;
}

/** Outlives a table that comes and goes. */
export class GridMemory {
  #spot: GridSpot = { row: 0, offset: 0, count: null, hadFocus: false };
  #wantsFocus = false;

  get spot(): GridSpot {
    return this.#spot;
  }

  note(change: Partial<GridSpot>): void {
    this.#spot = { ...this.#spot, ...change };
  }

  /** The current row has the focus once it is drawn. */
  wantFocus(): void {
    this.#wantsFocus = true;
  }

  /** True once after each wish. */
  takeWish(): boolean {
    const isWanted = this.#wantsFocus;
    this.#wantsFocus = false;
    return isWanted;
  }
}

interface PlacedRows<Key> {
  memory?: GridMemory | undefined;
  count: number;
  keyAt(index: number): Key | undefined;
  hasHead: boolean;
  /** The row that another part of the view chose. */
  currentKey?: Key | null | undefined;
}

export interface GridPlace {
  /** The current row; -1 while a column head is current. */
  row: number;
  /** The current column head. */
  head: number;
  /** Whether anybody was in the table yet: before that no row is marked. */
  isEntered: boolean;
  moveTo(row: number): void;
  moveHead(step: number, heads: number): void;
  noteFocus(target: EventTarget): void;
  noteBlur(staysInside: boolean): void;
  /**
   * After each drawing: puts the focus where it belongs, and stays with the current row when rows moved.
   * @returns whether that row cannot be found any more, and the one that has its place is the current one from now on
   */
  follow(table: HTMLElement | null, first: number, last: number): boolean;
}

/** As many rows are searched for one that moved; in a longer list only those in sight. */
const searched = 1000;

/** Where one is in a table: by index for the keys, by key for what happens when rows stream in or the order changes. */
export function useGridPlace<Key>({ count, keyAt, hasHead, currentKey, memory }: PlacedRows<Key>): GridPlace {
  const firstRow = memory?.spot.row ?? 0;
  const [at, setAt] = useState({ row: firstRow, head: 0, isEntered: firstRow > 0 });
  const key = useRef<Key | undefined>(undefined);
  const chosen = useRef<Key | null | undefined>(undefined);
  const focus = useGridFocus(memory);
  const row = count === 0 && hasHead ? -1 : Math.min(at.row, count - 1);

  const isEntered = at.isEntered || (currentKey !== undefined && currentKey !== null);

  const moveTo = (next: number): void => {
    key.current = next < 0 ? undefined : keyAt(next);
    focus.want();
    setAt((before) => ({ ...before, row: next, isEntered: true }));
  };
  /** A field has the focus: its row is the current one, and the focus stays where it is. */
  const noteField = (within: HTMLElement | null): void => {
    const index = Number(within?.dataset['index'] ?? row);
    if (within === null || (index === row && at.isEntered)) return;
    key.current = keyAt(index);
    setAt((before) => ({ ...before, row: index, isEntered: true }));
  };
  const noteFocus = (target: EventTarget): void => {
    focus.note(true);
    if (!(target instanceof HTMLElement)) return;
    const { index, head } = target.dataset;
    if (index !== undefined && (Number(index) !== row || !at.isEntered)) moveTo(Number(index));
    if (index === undefined) noteField(target.closest<HTMLElement>('[data-index]'));
    if (head !== undefined) setAt((before) => ({ row: -1, head: Number(head), isEntered: before.isEntered }));
  };
  const follow = (table: HTMLElement | null, first: number, last: number): boolean => {
    if (chosen.current !== currentKey) {
      chosen.current = currentKey;
      key.current = currentKey ?? undefined;
    }
    // Before anybody was in it, the first row is the way in, whatever streams into it.
    const asked = key.current;
    const moved = row < 0 || !isEntered ? null : rowOfKey(row, first, last);
    if (moved !== null && moved !== row) setAt((before) => ({ ...before, row: moved }));
    const to = moved ?? row;
    focus.restore(table, row < 0 ? `[data-head="${at.head}"]` : `[data-index="${to}"]`, to !== row);
    return asked !== undefined && key.current !== asked;
  };
  /** Where the current row is now; its place is the new current row when it cannot be found. */
  const rowOfKey = (from: number, first: number, last: number): number => {
    const here = keyAt(from);
    if (here === undefined || here === key.current) return from;
    if (key.current !== undefined) {
      const [begin, end] = count <= searched ? [0, count - 1] : [first, last];
      for (let index = begin; index <= end; index += 1) if (keyAt(index) === key.current) return index;
    }
    key.current = here;
    return from;
  };
  return {
    row,
    head: at.head,
    isEntered,
    moveTo,
    moveHead: (step, heads) => {
      focus.want();
      setAt((before) => ({ ...before, head: Math.max(0, Math.min(heads - 1, before.head + step)) }));
    },
    noteFocus,
    noteBlur: focus.note,
    follow,
  };
}

interface GridFocus {
  /** The focus entered or left the table. */
  note(isInside: boolean): void;
  /** The current row or column head takes the focus once it is drawn. */
  want(): void;
  /** After each drawing: moves the focus to the current row or column head, when it should be there. */
  restore(table: HTMLElement | null, selector: string, hasMoved: boolean): void;
}

/** A table that has the focus keeps it when its rows move or are redrawn. */
function useGridFocus(memory: GridMemory | undefined): GridFocus {
  const holds = useRef(false);
  const wants = useRef(false);
  return {
    note: (isInside) => {
      holds.current = isInside;
    },
    want: () => {
      wants.current = true;
    },
    restore: (table, selector, hasMoved) => {
      if (holds.current && hasMoved && !isInField()) wants.current = true;
      if (memory?.takeWish() === true) wants.current = true;
      const isLost = holds.current && document.activeElement === document.body;
      if (!wants.current && !isLost) return;
      const target = table?.querySelector<HTMLElement>(selector);
      if (!target) return;
      wants.current = false;
      target.focus({ preventScroll: true });
    },
  };
}

const isInField = (): boolean => document.activeElement?.matches('[data-index] *') === true;
