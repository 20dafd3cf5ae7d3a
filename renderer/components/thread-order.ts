import type { Comment } from '../../shared/domain/sample.ts';

export interface ThreadEntry {
  comment: Comment;
  /** 0 for a root, at most `deepest`. */
  depth: number;
  /** Whom it answers, named where the indent no longer shows it. */
  repliesTo: string | null;
}

/** Beyond this many lines a thread would be a staircase: deeper replies stay here and name whom they answer. */
export const deepest = 3;

/**
 * Puts a flat list of comments in reading order: each root in the order it came, its replies below it. A comment
 * whose parent is missing, itself, or its own descendant is a root: no reply of a server loses a comment or hangs.
 */
export function threadOrder(comments: readonly Comment[]): ThreadEntry[] {
  const known = new Set(comments.map(({ id }) => id));
  const children = new Map<string, Comment[]>();
  const roots: Comment[] = [];
  for (const comment of comments) {
    const parent = comment.parentId;
    if (parent === null || parent === comment.id || !known.has(parent)) roots.push(comment);
    else children.set(parent, [...(children.get(parent) ?? []), comment]);
  }
  const placed = new Set<Comment>();
  const entries = unfold(roots, children, placed);
  const inCircles = comments.filter((comment) => !placed.has(comment));
  return [...entries, ...inCircles.flatMap((comment) => (placed.has(comment) ? [] : unfold([comment], children, placed)))];
}

/** Not recursive: a chain of ten thousand replies must not be the end of the page. */
function unfold(roots: readonly Comment[], children: ReadonlyMap<string, Comment[]>, placed: Set<Comment>): ThreadEntry[] {
  const entries: ThreadEntry[] = [];
  const stack = roots.toReversed().map((comment) => ({ comment, level: 0, parent: null as Comment | null }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { comment, level, parent } = next;
    if (placed.has(comment)) continue;
    placed.add(comment);
    entries.push({ comment, depth: Math.min(level, deepest), repliesTo: level > deepest ? (parent?.author ?? null) : null });
    for (const reply of (children.get(comment.id) ?? []).toReversed()) stack.push({ comment: reply, level: level + 1, parent: comment });
  }
  return entries;
}
