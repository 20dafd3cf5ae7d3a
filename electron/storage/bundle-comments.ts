import { hash } from 'node:crypto';
import { isNumbered } from '../../shared/domain/comment.ts';
import type { Comment } from '../../shared/domain/sample.ts';

const givenByABundle = /^bundle-[0-9a-f]{32}$/;

/**
 * What a comment of a bundle is called here. The numbers of another desk's service may be other comments' of this
 * desk's; and an id that a reader made up is of a place in its list. A comment that came by a bundle keeps its name on
 * its way through any number of desks.
 */
function nameOf({ id, author, content, created }: Comment): string {
  if (givenByABundle.test(id)) return id;
  const said = JSON.stringify([isNumbered(id) ? id : null, author, content, created]);
  return `bundle-${hash('sha256', said).slice(0, 32)}`;
}

/**
 * Those of theirs that ours has not, under names of their own, and how many it has. What equals one of ours, its id
 * too, is that one.
 */
export function commentsOfBundle(
  ours: readonly Comment[],
  theirs: readonly (readonly Comment[])[],
): { fresh: Comment[]; same: number } {
  const idsHere = new Map(ours.map((comment) => [nameOf(comment), comment.id]));
  const all = new Map<string, Comment>();
  for (const thread of theirs) {
    const named = thread.map((comment) => ({ comment, name: nameOf(comment) }));
    const idsInThread = new Map(named.toReversed().map(({ comment, name }) => [comment.id, idsHere.get(name) ?? name]));
    for (const { comment, name } of named) {
      const parentId = comment.parentId === null ? null : (idsInThread.get(comment.parentId) ?? null);
      if (!all.has(name)) all.set(name, { ...comment, id: name, parentId });
    }
  }
  const fresh = [...all.values()].filter(({ id }) => !idsHere.has(id));
  return { fresh, same: all.size - fresh.length };
}
