import { setImmediate as nextTurn } from 'node:timers/promises';
import { FailureError } from '../../../shared/failure.ts';
import { CommentReader } from '../../storage/comments/comment-reader.ts';
import { JobReader } from '../../storage/jobs/job-reader.ts';
import { JournalReader } from '../../storage/journal/journal-reader.ts';
import { LibraryReader } from '../../storage/library/library-reader.ts';
import { readingsOf } from '../../storage/reading/reading-answers.ts';
import type { Answering, ReadingName, ReadingPort, Readings } from '../../storage/reading/reading-thread.ts';
import { ScanReader } from '../../storage/scans/scan-reader.ts';
import type { Stores } from '../../storage/stores.ts';

/**
 * Answers what a reading thread does, in this thread: that of the reader takes longer to start than most tests to run.
 */
export class ReadingHere implements ReadingPort {
  readonly #answers: Answering;
  #isClosed = false;

  /** `path`: the database file. */
  constructor(path: string) {
    this.#answers = readingsOf(path);
  }

  /** Later than at once and in copies, as an answer of another thread comes. */
  async request<K extends ReadingName>(name: K, request: Readings[K]['request']): Promise<Readings[K]['answer']> {
    const sent = structuredClone(request);
    await nextTurn();
    if (this.#isClosed) throw new FailureError({ kind: 'cancelled' });
    return structuredClone(this.#answers[name](sent));
  }

  prepare(): void {}

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

/**
 * The same stores, but for their readers, which start no thread. None overtakes another one's question: for who asks
 * one list at a time.
 */
export function withReadersHere(stores: Stores): Stores {
  const reading = new ReadingHere(stores.databasePath);
  return {
    ...stores,
    jobReader: new JobReader(reading),
    scanReader: new ScanReader(reading),
    commentReader: new CommentReader(stores.comments, reading),
    libraryReader: new LibraryReader(new ReadingHere(stores.databasePath)),
    journalReader: new JournalReader(new ReadingHere(stores.databasePath)),
  };
}
