import { useCallback, useState } from 'react';
import type { ThreadComment } from '../../../shared/domain/comment.ts';
import { settledWords } from './own-words.ts';

interface Told {
  /** The thread as it was read last. */
  comments: readonly ThreadComment[] | undefined;
  words: string;
  /** What is to be in sight: the one that was meant from outside, until one is begun here. */
  meant: string | null;
  marked: string | null;
}

/**
 * What became of this desk's comments since the thread was opened, once each, for a live region; and the comment that
 * is brought into sight: `marked`, or the one that was begun since.
 */
export function useTold(
  comments: readonly ThreadComment[] | undefined,
  marked: string | null,
): { words: string; meant: string | null; tell(words: string): void } {
  const [told, setTold] = useState<Told>({ comments, words: '', meant: marked, marked });
  if (told.comments !== comments || told.marked !== marked) setTold(next(told, comments, marked));
  const tell = useCallback((words: string) => setTold((before) => ({ ...before, words })), []);
  return { words: told.words, meant: told.meant, tell };
}

function next(before: Told, comments: readonly ThreadComment[] | undefined, marked: string | null): Told {
  const meant = before.marked === marked ? before.meant : marked;
  // What was there when the thread was opened is no news.
  if (before.comments === undefined || comments === undefined) return { ...before, comments, meant, marked };
  const words = settledWords(before.comments, comments);
  const known = new Set(before.comments.map(({ own }) => own?.id));
  const begun = comments.findLast(({ own }) => own !== null && !known.has(own.id));
  return { comments, words: words.length === 0 ? before.words : words.join('. '), meant: begun?.id ?? meant, marked };
}
