import { z } from 'zod';
import type { Database } from './database.ts';

const countRow = z.object({ changes: z.number() });
/** Pages of words that are merged before the thread is free again: some milliseconds. */
const pagesATurn = 16;
/** A merge that had nothing to do changes one row all the same (https://sqlite.org/fts5.html, section 6.9). */
const changesOfNone = 1;

/**
 * Every commit leaves its words in a piece of its own, and a search asks each piece. They are merged in turns of the host's thread that follow, a little
 * in each. What is not merged when the program ends is merged when words are written next; of very many pieces SQLite makes one by itself.
 */
export class WordMerging {
  readonly #db: Database;
  readonly #merge;
  readonly #changes;
  #isDue = false;

  constructor(db: Database, words: 'sample_text' | 'comment_text') {
    this.#db = db;
    this.#merge = db.command(`INSERT INTO ${words} (${words}, rank) VALUES ('merge', ${pagesATurn})`);
    this.#changes = db.query(countRow, 'SELECT total_changes() AS changes');
  }

  /** Words were written, in whatever transaction this turn has. */
  due(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#turn()).unref();
  }

  #turn(): void {
    this.#isDue = false;
    if (!this.#db.sql.isOpen) return;
    try {
      if (this.#some()) this.due();
    } catch {
      // On a full disk, say. The words are found in their pieces, too, and the next that are written ask again.
    }
  }

  /** @returns whether there may be more */
  #some(): boolean {
    return this.#db.transaction(() => {
      const before = this.#count();
      this.#merge.run();
      return this.#count() - before > changesOfNone;
    }, 'soon');
  }

  #count(): number {
    return this.#changes.get()?.changes ?? 0;
  }
}
