import { useRef } from 'react';

/**
 * Which rows are ticked, by key. A list of which only a window is loaded can be ticked as a whole, so "all" is no list
 * of keys: it holds the excluded rows, and rows that stream in later belong to it.
 */
export type RowSelection<Key> =
  { kind: 'these'; keys: ReadonlySet<Key> } | { kind: 'all-except'; keys: ReadonlySet<Key> };

export const noRows: RowSelection<never> = { kind: 'these', keys: new Set() };
export const allRows: RowSelection<never> = { kind: 'all-except', keys: new Set() };

export function isTicked<Key>({ kind, keys }: RowSelection<Key>, key: Key): boolean {
  return keys.has(key) === (kind === 'these');
}

/** `total` counts the rows of the list, loaded or not. */
export function tickedCount<Key>({ kind, keys }: RowSelection<Key>, total: number): number {
  return kind === 'these' ? keys.size : Math.max(0, total - keys.size);
}

function withTick<Key>(selection: RowSelection<Key>, key: Key, ticked: boolean): RowSelection<Key> {
  return withTicks(selection, [key], ticked);
}

export function withTicks<Key>(
  { kind, keys }: RowSelection<Key>,
  changed: Iterable<Key>,
  ticked: boolean,
): RowSelection<Key> {
  const next = new Set(keys);
  for (const key of changed) {
    if (ticked === (kind === 'these')) next.add(key);
    else next.delete(key);
  }
  return { kind, keys: next };
}

interface TickedRows<Key> {
  count: number;
  /** undefined while the row is not loaded. */
  keyAt(index: number): Key | undefined;
  selection: RowSelection<Key>;
  onSelect(selection: RowSelection<Key>): void;
  /** The keys of rows that are not loaded, from `first` to `last`, both included. */
  keysBetween?: ((first: number, last: number) => Promise<readonly Key[]>) | undefined;
}

export interface Ticks {
  toggle(index: number): void;
  /** Ticks from where extending began to `to`; going back takes back only what the extending had ticked. */
  extend(from: number, to: number): void;
  /** The next extension starts at the next row. */
  settle(): void;
  toggleAll(): void;
  all(): void;
  /** False when nothing was ticked. */
  clear(): boolean;
}

interface Extension<Key> {
  from: number;
  before: RowSelection<Key>;
  to: number;
  /** Keys met so far, by index: rows scrolled out of the window are asked for once. */
  known: Map<number, Key>;
}

/** What ticking means, over rows of which only a window is loaded. */
export function useTicks<Key>({ count, keyAt, selection, onSelect, keysBetween }: TickedRows<Key>): Ticks {
  const extension = useRef<Extension<Key> | null>(null);
  const settle = (): void => {
    extension.current = null;
  };
  const show = ({ before, from, to, known }: Extension<Key>): void => {
    const [first, last] = ends(from, to);
    onSelect(
      withTicks(
        before,
        [...known].flatMap(([index, key]) => (index >= first && index <= last ? [key] : [])),
        true,
      ),
    );
  };
  const extend = (from: number, to: number): void => {
    const now = { ...(extension.current ?? { from, before: selection, known: new Map<number, Key>() }), to };
    extension.current = now;
    const missing = learnKeys(now, keyAt);
    show(now);
    if (missing === null || keysBetween === undefined) return;
    void learnMissing(now, missing, keysBetween);
  };
  const learnMissing = async (
    now: Extension<Key>,
    missing: [number, number],
    read: NonNullable<typeof keysBetween>,
  ): Promise<void> => {
    for (const [offset, key] of (await read(...missing)).entries()) now.known.set(missing[0] + offset, key);
    if (extension.current === now) show(now);
  };
  const change = (next: RowSelection<Key>): void => {
    settle();
    onSelect(next);
  };
  return {
    settle,
    extend,
    toggle: (index) => {
      const key = keyAt(index);
      if (key !== undefined) change(withTick(selection, key, !isTicked(selection, key)));
    },
    all: () => change(allRows),
    toggleAll: () => change(tickedCount(selection, count) === count ? noRows : allRows),
    clear: () => {
      if (tickedCount(selection, count) === 0) return false;
      change(noRows);
      return true;
    },
  };
}

const ends = (from: number, to: number): [number, number] => [Math.min(from, to), Math.max(from, to)];

/** Notes the keys of the loaded rows in reach; the span of those that are not loaded, or null. */
function learnKeys<Key>(
  { from, to, known }: Extension<Key>,
  keyAt: (index: number) => Key | undefined,
): [number, number] | null {
  const [first, last] = ends(from, to);
  let missing: [number, number] | null = null;
  for (let index = first; index <= last; index += 1) {
    const key = known.get(index) ?? keyAt(index);
    if (key !== undefined) known.set(index, key);
    else missing = [missing?.[0] ?? index, index];
  }
  return missing;
}

/** Ticks that belong to the rows and are kept with them, wherever the rows come from. */
export interface StoredTicks<Row, Key> {
  isTicked(row: Row): boolean;
  /** A row that is never ticked along with others: extending skips it. */
  isTickedAlone?(row: Row): boolean;
  /** Of all rows that `onTickAll` is about, loaded or not. */
  state: 'all' | 'some' | 'none';
  onTick(keys: readonly Key[], isTicked: boolean): void;
  onTickAll(isTicked: boolean): void;
  /** Rows that are not loaded, for extending over them. Both ends included. */
  rowsBetween(first: number, last: number): Promise<readonly Row[]>;
}

interface TickedList<Row, Key> {
  count: number;
  rowAt(index: number): Row | undefined;
  keyOf(row: Row): Key;
  stored: StoredTicks<Row, Key> | undefined;
}

interface StoredExtension<Key> {
  from: number;
  to: number;
  /** Rows met so far, by index, and whether the extending may tick them. */
  known: Map<number, { key: Key; canTick: boolean }>;
  /** Indexes that the extending itself has ticked. */
  ticked: Set<number>;
}

/** What ticking means where the ticks are the rows' own. Escape takes none of them back. */
export function useStoredTicks<Row, Key>({ count, rowAt, keyOf, stored }: TickedList<Row, Key>): Ticks {
  const extension = useRef<StoredExtension<Key> | null>(null);
  const settle = (): void => {
    extension.current = null;
  };
  const learn = (known: StoredExtension<Key>['known'], index: number, row: Row): void => {
    if (stored !== undefined && !known.has(index))
      known.set(index, { key: keyOf(row), canTick: !stored.isTicked(row) && stored.isTickedAlone?.(row) !== true });
  };
  const show = ({ from, to, known, ticked }: StoredExtension<Key>): void => {
    const [first, last] = ends(from, to);
    const isIn = (index: number): boolean => index >= first && index <= last;
    const come = [...known].filter(([index, row]) => isIn(index) && row.canTick && !ticked.has(index));
    const gone = [...ticked].filter((index) => !isIn(index));
    for (const [index] of come) ticked.add(index);
    for (const index of gone) ticked.delete(index);
    if (come.length > 0)
      stored?.onTick(
        come.map(([, { key }]) => key),
        true,
      );
    if (gone.length > 0)
      stored?.onTick(
        gone.flatMap((index) => known.get(index)?.key ?? []),
        false,
      );
  };
  const extend = (from: number, to: number): void => {
    const now = { ...(extension.current ?? { from, known: new Map(), ticked: new Set() }), to };
    extension.current = now;
    const [first, last] = ends(now.from, to);
    const missing: number[] = [];
    for (let index = first; index <= last; index += 1) {
      const row = now.known.has(index) ? undefined : rowAt(index);
      if (row !== undefined) learn(now.known, index, row);
      else if (!now.known.has(index)) missing.push(index);
    }
    show(now);
    const [begin, end] = [missing[0], missing.at(-1)];
    if (begin !== undefined && end !== undefined) void learnMissing(now, begin, end);
  };
  const learnMissing = async (now: StoredExtension<Key>, first: number, last: number): Promise<void> => {
    for (const [step, row] of ((await stored?.rowsBetween(first, last)) ?? []).entries())
      learn(now.known, first + step, row);
    if (extension.current === now) show(now);
  };
  const tickAll = (isEvery: boolean): void => {
    settle();
    stored?.onTickAll(isEvery);
  };
  return {
    settle,
    extend,
    toggle: (index) => {
      settle();
      const row = rowAt(index);
      if (row !== undefined && count > 0) stored?.onTick([keyOf(row)], !stored.isTicked(row));
    },
    all: () => tickAll(true),
    toggleAll: () => tickAll(stored?.state !== 'all'),
    clear: () => false,
  };
}
