import type { KeyRows } from '../../components/key-table.tsx';

/**
 * The rows in which every word stands: as the key itself, or in what it does or where. Tables without one are left out.
 */
export function keysFound(tables: readonly KeyRows[], find: string): KeyRows[] {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return tables
    .map(({ title, rows }) => ({
      title,
      rows: rows.filter(({ keys, does }) =>
        words.every((word) => hasKey(keys, word) || `${title} ${does}`.toLowerCase().includes(word)),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
}

/** A letter is looked for as a key and not as a part of one: `e` is not in `Enter`. */
const hasKey = (keys: string, word: string): boolean => keys.toLowerCase().split(/[ ,]+/).includes(word);
