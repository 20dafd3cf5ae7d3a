import type { Comment } from '../../shared/domain/sample.ts';

export interface ThreadEntry<C extends Comment> {
  comment: C;
  /** 0 for a root, at most `deepest`. */
  depth: number;
  /** What it answers, where the indent no longer shows it. */
  repliesTo: C | null;
}

/** Beyond this many lines a thread would be a staircase: deeper replies stay here and name whom they answer. */
export const deepest = 3;

/**
 * Puts a flat list of comments in reading order: each root in the order it came, its replies below it. A comment
 * whose parent is missing, itself, or its own descendant is a root: no reply of a server loses a comment or hangs.
 */
export function threadOrder<C extends Comment>(comments: readonly C[]): ThreadEntry<C>[] {
  const known = new Set(comments.map(({ id }) => id));
  const children = new Map<string, C[]>();
  const roots: C[] = [];
  for (const comment of comments) {
    const parent = comment.parentId;
    if (parent === null || parent === comment.id || !known.has(parent)) roots.push(comment);
    else append(children, parent, comment);
  }
  const placed = new Set<C>();
  const entries = unfold(roots, children, placed);
  const inCircles = comments.filter((comment) => !placed.has(comment));
  return [
    ...entries,
    ...inCircles.flatMap((comment) => (placed.has(comment) ? [] : unfold([comment], children, placed))),
  ];
}

function append<C>(lists: Map<string, C[]>, key: string, item: C): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Not recursive: a chain of ten thousand replies must not be the end of the page. */
function unfold<C extends Comment>(
  roots: readonly C[],
  children: ReadonlyMap<string, C[]>,
  placed: Set<C>,
): ThreadEntry<C>[] {
  const entries: ThreadEntry<C>[] = [];
  const stack = roots.toReversed().map((comment) => ({ comment, level: 0, parent: null as C | null }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { comment, level, parent } = next;
    if (placed.has(comment)) continue;
    placed.add(comment);
    entries.push({ comment, depth: Math.min(level, deepest), repliesTo: level > deepest ? parent : null });
    for (const reply of (children.get(comment.id) ?? []).toReversed())
      stack.push({ comment: reply, level: level + 1, parent: comment });
  }
  return entries;
}
