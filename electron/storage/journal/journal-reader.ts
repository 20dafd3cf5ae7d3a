import type { JournalFilter, JournalVerification, JournalWorkspace } from '../../../shared/domain/journal.ts';
import type { JournalListAnswer, JournalListRequest, ReadingPort } from '../reading/reading-thread.ts';
import { type CheckKeys, checkStart } from './journal-check.ts';
import type { StoredJournalRow } from './journal-rows.ts';

/** Writing them to a file happens on the thread that all callers share. */
const rowsAPage = 250;
/** Some 50 ms: the longest that scrolling through the list has to wait meanwhile. */
const rowsAStep = 4000;

/**
 * Reads the journal, which may have millions of rows. Every question fails with `worker-ended`, `cancelled`, or as the
 * database does.
 */
export class JournalReader {
  readonly #thread: ReadingPort;

  constructor(thread: ReadingPort) {
    this.#thread = thread;
  }

  /**
   * One window, newest first. One that waits for its turn fails with `cancelled` when the same asker asks with another
   * filter.
   */
  list(request: JournalListRequest): Promise<JournalListAnswer> {
    const { asker, filter } = request;
    const list = asker === undefined ? null : { asker, key: JSON.stringify(filter) };
    return this.#thread.request('journalList', request, list);
  }

  /** Whose rows there are. */
  workspaces(): Promise<JournalWorkspace[]> {
    return this.#thread.request('journalWorkspaces', {});
  }

  /** How many rows come before this one, newest first. */
  position(number: number): Promise<number> {
    return this.#thread.request('journalPosition', { number });
  }

  /** Rows as they are stored, oldest first, some at a time. */
  async *stored(filter: JournalFilter): AsyncGenerator<StoredJournalRow[], void, undefined> {
    for (let after: number | null = null; ;) {
      const request = { filter, after, limit: rowsAPage };
      const rows: StoredJournalRow[] = await this.#thread.request('journalRows', request);
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAPage) return;
      const last: number | null = rows.at(-1)?.number ?? null;
      if (last === null || (after !== null && last <= after)) return;
      after = last;
    }
  }

  /**
   * Checks every row, and starts over when the durable key came or went meanwhile: the recorded end depends on the keys
   * of that moment.
   */
  async verify(keys: () => CheckKeys): Promise<JournalVerification> {
    for (;;) {
      const before = keys();
      const verification = await this.#check(before);
      if (keys().durable?.id === before.durable?.id) return verification;
    }
  }

  async #check(keys: CheckKeys): Promise<JournalVerification> {
    for (let from = checkStart; ;) {
      const step = await this.#thread.request('journalCheck', { keys, from, atMost: rowsAStep });
      if (step.kind === 'done') return step.verification;
      from = step.next;
    }
  }

  /** Closes the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
