import type { SampleRecord } from '../../../shared/domain/sample.ts';
import type { OwnCommentRow } from '../../storage/comment-store.ts';

/**
 * The id under which a service lists a comment of this desk whose answer was lost; null when it lists none like it. A
 * comment with the same text that was there before, or is another one of this desk (`others`), is not it.
 */
export function arrivedAs(own: Pick<OwnCommentRow, 'content' | 'parentId' | 'knownIds'>, record: Pick<SampleRecord, 'comments' | 'listsComments'>, others: ReadonlySet<string> = new Set()): string | null {
  if (!record.listsComments) return null;
  const known = new Set(own.knownIds);
  const same = record.comments.find(({ id, parentId, content }) =>
    !known.has(id) && !others.has(id) && parentId === own.parentId && plain(content) === plain(own.content));
  return same?.id ?? null;
}

/** Line ends change on their way through forms (HTML Standard, "multipart/form-data encoding algorithm"), and ends are trimmed. */
const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
