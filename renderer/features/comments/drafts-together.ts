import type { CommentDraft } from '../../../shared/domain/comment.ts';
import { notesTogether } from '../sample/notes-together.ts';

/**
 * One's own draft, and what the host has instead of the one that it goes on from. What one of the two left as it was is
 * as the other has it.
 */
export function draftsTogether({
  base,
  own,
  stored,
}: Readonly<Record<'base' | 'own' | 'stored', CommentDraft>>): CommentDraft {
  const parentId = own.parentId === base.parentId ? stored.parentId : own.parentId;
  if (own.text === base.text) return { text: stored.text, parentId };
  return { text: stored.text === base.text ? own.text : notesTogether(stored.text, own.text), parentId };
}
