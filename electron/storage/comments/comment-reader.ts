import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommentThread, ThreadComment, ThreadWindow } from '../../../shared/domain/comment.ts';
import type { ReadingPort } from '../reading/reading-thread.ts';
import type { CommentStore } from './comment-store.ts';

/** Of its texts, in UTF-16 code units: what a window holds at most, but for its first comment. */
const windowCharacters = 256 * 1024;
/** A caller that reads window by window may stop before the last one. */
const heldAtMost = 2;

/** Reads what is said of a sample: where that is very much, beside the host's thread. */
export class CommentReader {
  readonly #store: Pick<CommentStore, 'thread' | 'isLong'>;
  readonly #reading: ReadingPort;
  /** Threads of which windows were read, but not yet the last one, by owner. The most recently read thread is last. */
  readonly #held = new Map<string, CommentThread>();

  constructor(store: Pick<CommentStore, 'thread' | 'isLong'>, reading: ReadingPort) {
    this.#store = store;
    this.#reading = reading;
  }

  /** Fails with `worker-ended`, `cancelled` when it was closed, or as the database does. */
  async thread(workspaceId: string, md5: string): Promise<CommentThread> {
    if (!this.#store.isLong(workspaceId, md5)) return this.#store.thread(workspaceId, md5);
    const thread = await this.#reading.request('thread', { workspaceId, md5 });
    // The thread came in one message, which takes some milliseconds, and the caller has more work to do with it.
    await nextTurn();
    return thread;
  }

  /** A stretch of it. Fails as the whole does. */
  async window(workspaceId: string, md5: string, { moment, offset, limit }: ThreadWindow): Promise<CommentThread> {
    const name = JSON.stringify([workspaceId, md5, moment]);
    const thread = this.#held.get(name) ?? (await this.thread(workspaceId, md5));
    const comments = beginningOf(thread.comments.slice(offset, offset + limit));
    const next = offset + comments.length;
    this.#held.delete(name);
    if (next >= thread.comments.length) return { ...thread, comments };
    this.#hold(name, thread);
    return { ...thread, comments, next };
  }

  #hold(name: string, thread: CommentThread): void {
    this.#held.set(name, thread);
    for (const oldest of this.#held.keys()) if (this.#held.size > heldAtMost) this.#held.delete(oldest);
  }
}

function beginningOf(comments: readonly ThreadComment[]): ThreadComment[] {
  let characters = 0;
  return comments.filter(({ content }, at) => {
    characters += content.length;
    return at === 0 || characters <= windowCharacters;
  });
}
