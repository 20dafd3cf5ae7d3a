import type { Json } from '../../shared/domain/sample.ts';

/** One line of the tree. `path` is its identity; `depth` counts from 1, as `aria-level` does. */
export interface JsonRow {
  path: string;
  name: string;
  depth: number;
  kind: 'leaf' | 'branch' | 'more';
  /** A leaf's value as text, a branch's count of entries, or how many a bound leaves out. */
  value: Json;
  size: number;
  position: number;
  siblings: number;
  expanded: boolean;
}

/** Bounds: a hostile record may hold a million entries, or a thousand levels. */
export const childrenShown = 200;
export const deepestShown = 32;
const rowsShown = 5_000;

type Branch = Json[] | { [key: string]: Json };

export function isBranch(value: Json): value is Branch {
  return typeof value === 'object' && value !== null;
}

/** The lines that are visible with these paths open, in order, never more than a bounded number. */
export function jsonRows(
  root: { readonly [key: string]: Json },
  open: ReadonlySet<string>,
  shown: ReadonlyMap<string, number> = new Map(),
): JsonRow[] {
  const rows: JsonRow[] = [];
  // Not recursive: depth is the sender's choice.
  const stack: JsonRow[] = childRows({ path: '', depth: 0, value: root }, open, shown).toReversed();
  for (let row = stack.pop(); row !== undefined && rows.length < rowsShown; row = stack.pop()) {
    rows.push(row);
    if (row.kind === 'branch' && row.expanded) stack.push(...childRows(row, open, shown).toReversed());
  }
  return rows;
}

function childRows(
  parent: { path: string; depth: number; value: Json },
  open: ReadonlySet<string>,
  shown: ReadonlyMap<string, number>,
): JsonRow[] {
  if (!isBranch(parent.value)) return [];
  const limit = shown.get(parent.path) ?? childrenShown;
  const entries = entriesOf(parent.value, limit);
  const total = sizeOf(parent.value);
  const siblings = entries.length + (total > entries.length ? 1 : 0);
  const depth = parent.depth + 1;
  const rows = entries.map(([name, value], index): JsonRow => {
    const path = `${parent.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const size = isBranch(value) ? sizeOf(value) : 0;
    const kind = isBranch(value) && size > 0 && depth < deepestShown ? 'branch' : 'leaf';
    return { path, name, depth, kind, value, size, position: index + 1, siblings, expanded: open.has(path) };
  });
  if (total <= entries.length) return rows;
  return [
    ...rows,
    {
      path: `${parent.path}/~more`,
      name: parent.path,
      depth,
      kind: 'more',
      value: null,
      size: total - entries.length,
      position: siblings,
      siblings,
      expanded: false,
    },
  ];
}

function entriesOf(branch: Branch, limit: number): [string, Json][] {
  if (Array.isArray(branch)) return branch.slice(0, limit).map((value, index) => [String(index), value]);
  return Object.entries(branch).slice(0, limit);
}

function sizeOf(branch: Branch): number {
  return Array.isArray(branch) ? branch.length : Object.keys(branch).length;
}
