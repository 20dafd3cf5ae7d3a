import { isNumbered } from '../../../shared/domain/comment.ts';
import type { Comment, Json, SampleRecord } from '../../../shared/domain/sample.ts';
import type { OwnCommentRow } from '../../storage/comments/comment-store.ts';

/** Far below what a reply is cut at, and what a service may leave out by itself. Text in UTF-16 code units. */
const surelyWhole = { comments: 1000, characters: 1024 * 1024 } as const;

/**
 * Whether a comment whose answer was lost did certainly not arrive, so that sending it again makes no double. That its
 * text is not listed says nothing, for services change texts: a list that is whole must hold nothing at all that was
 * not known when it was begun. `wasListKnown`: whether there was a list then; without it, ids that were known tell of
 * one.
 */
export function surelyDidNotArrive(
  { knownIds, wasListKnown }: Pick<OwnCommentRow, 'knownIds'> & { wasListKnown: boolean },
  { listsComments, comments, unknown }: Pick<SampleRecord, 'listsComments' | 'comments' | 'unknown'>,
): boolean {
  if (!listsComments || !isWhole(comments, unknown['comments'] ?? [])) return false;
  if (!wasListKnown && !knownIds.some(isNumbered)) return false;
  const known = new Set(knownIds);
  // An id that was given here is of a place in the list, not of a comment.
  return comments.every(({ id }) => isNumbered(id) && known.has(id));
}

/**
 * `leftOver` is what was not understood of the list: of an entry that was, its id and its other members
 * (`readComments`).
 */
function isWhole(comments: readonly Comment[], leftOver: Json): boolean {
  if (comments.length >= surelyWhole.comments || !Array.isArray(leftOver)) return false;
  if (comments.reduce((sum, { content }) => sum + content.length, 0) >= surelyWhole.characters) return false;
  const ids = new Set(comments.map(({ id }) => id));
  return leftOver.every((entry) => isOfOneListed(entry, ids));
}

function isOfOneListed(entry: Json, ids: ReadonlySet<string>): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  const { id = null } = entry;
  return typeof id === 'string' && ids.has(id) && !Object.hasOwn(entry, 'content');
}
