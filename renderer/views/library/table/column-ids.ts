import type { LibrarySortBy } from '../../../../shared/domain/library.ts';

export type ColumnId = LibrarySortBy | 'bytes';

/** In their usual order. */
export const columnIds: readonly ColumnId[] = [
  'hash',
  'name',
  'bytes',
  'size',
  'type',
  'tags',
  'tlp',
  'threat',
  'hits',
  'comments',
  'firstSeen',
  'lastSeen',
  'vault',
];

/** A row without its hash or its name would be nobody's. */
export const fixedColumns: readonly ColumnId[] = ['hash', 'name'];

/**
 * Every column once: those of the order first, as far as there are such columns, then the others where they usually
 * stand.
 */
export function orderedColumns(order: readonly string[]): ColumnId[] {
  const known = order.flatMap((id) => columnIds.find((column) => column === id) ?? []);
  const ordered = [...new Set(known)];
  for (const [at, id] of columnIds.entries()) {
    if (ordered.includes(id)) continue;
    const before = columnIds.slice(0, at).findLast((earlier) => ordered.includes(earlier));
    ordered.splice(before === undefined ? 0 : ordered.indexOf(before) + 1, 0, id);
  }
  return ordered;
}

/** The columns that are shown, in their order. */
export function shownColumns(order: readonly string[], hidden: readonly string[]): ColumnId[] {
  return orderedColumns(order).filter((id) => fixedColumns.includes(id) || !hidden.includes(id));
}

/** The order with one column a place further, over those that are not shown. */
export function withMoved(order: readonly ColumnId[], id: ColumnId, step: 1 | -1): ColumnId[] {
  const at = order.indexOf(id);
  const to = at + step;
  if (at < 0 || to < 0 || to >= order.length) return [...order];
  return order.toSpliced(at, 1).toSpliced(to, 0, id);
}
