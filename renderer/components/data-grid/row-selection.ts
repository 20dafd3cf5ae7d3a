/**
 * Which rows are ticked, by key. A list of which only a window is loaded can be ticked as a whole, so "all" is no list
 * of keys: it says which rows are not meant, and rows that stream in later belong to it.
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

export function withTick<Key>(selection: RowSelection<Key>, key: Key, ticked: boolean): RowSelection<Key> {
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
