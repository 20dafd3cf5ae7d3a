import type { UploadFile } from '../../../shared/domain/upload.ts';
import { text } from './text.ts';

/**
 * What is posted as a comment where a sample is known already: the comment, and its tags and TLP as a line. "" when
 * there is nothing to say.
 */
export function postedText(comment: string, { tags, tlp }: Pick<UploadFile, 'tags' | 'tlp'>): string {
  const words = [...tags, ...(tlp === null ? [] : [`tlp:${tlp}`])];
  return [comment.trim() === '' ? '' : comment, words.length === 0 ? '' : text.tagsLine(words.join(', '))]
    .filter((part) => part !== '')
    .join('\n');
}
