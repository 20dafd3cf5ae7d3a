import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommentThread } from '../../shared/domain/comment.ts';
import type { CommentStore } from './comment-store.ts';
import type { ReadingThread } from './reading-thread.ts';

/** Reads what is said of a sample: where that is very much, beside the host's thread. */
export class CommentReader {
  readonly #store: Pick<CommentStore, 'thread' | 'isLong'>;
  readonly #reading: ReadingThread;

  constructor(store: Pick<CommentStore, 'thread' | 'isLong'>, reading: ReadingThread) {
    this.#store = store;
    this.#reading = reading;
  }

  /** Fails with `worker-ended`, `cancelled` when it was closed, or as the database does. */
  async thread(workspaceId: string, md5: string): Promise<CommentThread> {
    if (!this.#store.isLong(workspaceId, md5)) return this.#store.thread(workspaceId, md5);
    const thread = await this.#reading.ask({ kind: 'thread', workspaceId, md5 }, (answer) => (answer.kind === 'thread' ? answer.thread : null));
    // It came in one message, which takes some milliseconds; whoever asked has more to do with it.
    await nextTurn();
    return thread;
  }
}
