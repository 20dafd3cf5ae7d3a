import { nextTask } from '../../state/next-task.ts';

/** What goes to the clipboard, and what is said of it. */
export interface CopiedText {
  words: string;
  news: string;
}

/** So much of a frame may go into a text; then the page has its turn. */
const stintMs = 8;

/** Puts a long text together while the page goes on. */
export async function joinedInStints(pieces: Iterable<string>): Promise<string> {
  const made: string[] = [];
  let began = performance.now();
  for (const piece of pieces) {
    made.push(piece);
    if (performance.now() - began < stintMs) continue;
    await nextTask();
    began = performance.now();
  }
  return made.join('');
}
