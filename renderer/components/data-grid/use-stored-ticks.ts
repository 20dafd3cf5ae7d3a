import { useRef } from 'react';
import type { Ticks } from './use-ticks.ts';

/** Ticks that belong to the rows and are kept with them, wherever the rows come from. */
export interface StoredTicks<Row, Key> {
  isTicked(row: Row): boolean;
  /** A row that nobody ticks along with others: extending passes over it. */
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

interface Extension<Key> {
  from: number;
  to: number;
  /** Rows met so far, by index, and whether the extending may tick them. */
  known: Map<number, { key: Key; canTick: boolean }>;
  /** Indexes that the extending itself has ticked. */
  ticked: Set<number>;
}

/** What ticking means where the ticks are the rows' own. Escape takes none of them back. */
export function useStoredTicks<Row, Key>({ count, rowAt, keyOf, stored }: TickedList<Row, Key>): Ticks {
  const extension = useRef<Extension<Key> | null>(null);
  const settle = (): void => {
    extension.current = null;
  };
  const learn = (known: Extension<Key>['known'], index: number, row: Row): void => {
    if (stored !== undefined && !known.has(index))
      known.set(index, { key: keyOf(row), canTick: !stored.isTicked(row) && stored.isTickedAlone?.(row) !== true });
  };
  const show = ({ from, to, known, ticked }: Extension<Key>): void => {
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
  const learnMissing = async (now: Extension<Key>, first: number, last: number): Promise<void> => {
    for (const [step, row] of ((await stored?.rowsBetween(first, last)) ?? []).entries())
      learn(now.known, first + step, row);
    if (extension.current === now) show(now);
  };
  const tickAll = (isTicked: boolean): void => {
    settle();
    stored?.onTickAll(isTicked);
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

const ends = (from: number, to: number): [number, number] => [Math.min(from, to), Math.max(from, to)];
