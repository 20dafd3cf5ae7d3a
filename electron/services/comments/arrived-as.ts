import type { SampleRecord } from '../../../shared/domain/sample.ts';
import type { OwnCommentRow } from '../../storage/comments/comment-store.ts';
import { plainText } from '../../storage/comments/comment-thread.ts';

/**
 * The id under which a service lists a comment of this desk whose answer was lost; null when it lists none like it. A
 * comment with the same text that was there before, or is another one of this desk (`others`), is not it. Services put
 * replies elsewhere, so the parent only decides among several.
 */
export function arrivedAs(
  own: Pick<OwnCommentRow, 'content' | 'parentId' | 'knownIds'>,
  record: Pick<SampleRecord, 'comments' | 'listsComments'>,
  others: ReadonlySet<string> = new Set(),
): string | null {
  if (!record.listsComments) return null;
  const known = new Set(own.knownIds);
  const text = plainText(own.content);
  const same = record.comments.filter(
    ({ id, content }) => !known.has(id) && !others.has(id) && plainText(content) === text,
  );
  const [first = null] = same;
  return (same.find(({ parentId }) => parentId === own.parentId) ?? first)?.id ?? null;
}
