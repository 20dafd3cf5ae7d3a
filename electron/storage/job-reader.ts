import type { ItemFilter, JobItem } from '../../shared/domain/job.ts';
import type { Answer, ItemsAnswer, ItemsRequest, Reading } from './reading-thread.ts';

export type { ItemsAnswer, ItemsRequest } from './reading-thread.ts';

const itemsAPage = 1000;

/** Reads the items of jobs: any order and any filter over half a million of them takes long. */
export class JobReader {
  readonly #thread: Reading;

  constructor(thread: Reading) {
    this.#thread = thread;
  }

  /** Fails with `job-missing`, with `worker-ended`, or as the database does. */
  items(request: ItemsRequest): Promise<ItemsAnswer> {
    return this.#thread.ask({ kind: 'items', request }, itemsOf);
  }

  /** All items that match, by position, some at a time. An item that changes meanwhile is given as it is by then. */
  async *itemsForExport(id: number, filter: ItemFilter): AsyncGenerator<JobItem[], void, undefined> {
    for (let after = 0; ;) {
      const { items } = await this.#thread.ask(
        { kind: 'page', request: { id, filter, after, limit: itemsAPage } },
        itemsOf,
      );
      if (items.length > 0) yield items;
      if (items.length < itemsAPage) return;
      after = items.at(-1)?.position ?? after;
    }
  }

  /** Closes the thread, and with it every reader over it. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

const itemsOf = (answer: Answer): ItemsAnswer | null => (answer.kind === 'items' ? answer.answer : null);
