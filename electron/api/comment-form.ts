import type { FormField } from './request-body.ts';

/** How a comment is written into the form: as one field of JSON, as documented, or as fields with brackets. */
export type CommentForm = 'json' | 'brackets';

export interface NewComment {
  md5: string;
  content: string;
  /** The comment of the service that is answered; null for a new thread. */
  parentId: string | null;
}

/**
 * Both forms have a parent always: one of the two kinds of server reads no comment without it (docs/services.md,
 * "addcomment").
 */
export function commentFields({ md5, content, parentId }: NewComment, form: CommentForm): FormField[] {
  const comment = { content: content.toWellFormed(), parent: parentId ?? '' };
  const hash: FormField = ['hash', md5.toLowerCase()];
  if (form === 'json') return [hash, ['comment', JSON.stringify(comment)]];
  return [hash, ['comment[content]', comment.content], ['comment[parent]', comment.parent]];
}
