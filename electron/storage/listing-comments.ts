import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibraryStore, NotedRecord } from './library-store.ts';
import { linesAStep } from './stored-thread.ts';

/**
 * To be awaited behind `recordLookup` and `noteRecord`: writes the comments that these left, of which there may be tens
 * of thousands. It ends early when the signal is aborted; the next start of the program writes the rest.
 */
export async function listComments(
  library: Pick<LibraryStore, 'commentsInSteps'>,
  noted: NotedRecord,
  signal?: AbortSignal,
): Promise<void> {
  // To note so large a record takes some milliseconds by itself.
  if (noted.record.comments.length > linesAStep) await nextTurn();
  for (const _ of library.commentsInSteps(noted)) {
    await nextTurn();
    if (signal?.aborted) return;
  }
}
