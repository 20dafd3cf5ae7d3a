import { useRef } from 'react';
import { allRows, isTicked, noRows, type RowSelection, tickedCount, withTick, withTicks } from './row-selection.ts';

export interface TickedRows<Key> {
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
  /** Extending begins anew at the next row. */
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
