import type { JsonRow } from './json-rows.ts';

export interface TreeMove {
  to: number;
  /** Opens, closes or loads the row it goes to. */
  acts: boolean;
}

/** What a key does in a tree whose current row is `at`; null when the key is not the tree's (WAI-ARIA tree pattern). */
export function moveInTree(rows: readonly JsonRow[], at: number, key: string): TreeMove | null {
  const row = rows[at];
  if (!row) return null;
  const go = (to: number): TreeMove => ({ to: Math.max(0, Math.min(rows.length - 1, to)), acts: false });
  const act: TreeMove = { to: at, acts: true };
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'Enter':
    case ' ':
      return row.kind === 'leaf' ? go(at) : act;
    case 'ArrowRight':
      if (row.kind !== 'branch') return go(at);
      return row.expanded ? go(at + 1) : act;
    case 'ArrowLeft':
      return row.kind === 'branch' && row.expanded ? act : go(parentOf(rows, at));
    default:
      return null;
  }
}

function parentOf(rows: readonly JsonRow[], at: number): number {
  const depth = rows[at]?.depth ?? 1;
  for (let index = at - 1; index >= 0; index -= 1) if ((rows[index]?.depth ?? 0) < depth) return index;
  return at;
}
