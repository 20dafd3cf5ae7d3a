import { z } from 'zod';
import type { Database } from './database.ts';
import { LibraryRecords } from './library-records.ts';
import { sampleColumns, sampleRow } from './library-rows.ts';
import { LibraryTags } from './library-tags.ts';
import { LibraryText } from './library-text.ts';

const belowRow = z.object({ below: z.number() });

/**
 * Puts the words of samples in anew that an older version put in without a border between two values: a phrase ran from
 * one into the next.
 */
export class WordUpkeep {
  readonly #db: Database;
  readonly #records: LibraryRecords;
  readonly #tags: LibraryTags;
  readonly #text: LibraryText;
  readonly #below;
  readonly #rows;
  readonly #reached;
  readonly #over;

  constructor(db: Database) {
    this.#db = db;
    this.#records = new LibraryRecords(db);
    this.#tags = new LibraryTags(db);
    this.#text = new LibraryText(db);
    this.#below = db.query(belowRow, 'SELECT below FROM word_upkeep');
    this.#rows = db.query(
      sampleRow,
      `SELECT ${sampleColumns} FROM sample WHERE id >= ? AND id < ?
      AND (EXISTS (SELECT 1 FROM record WHERE record.md5 = sample.md5) OR
        EXISTS (SELECT 1 FROM sample_tag WHERE sample_tag.sha256 = sample.sha256))`,
    );
    this.#reached = db.command('UPDATE word_upkeep SET below = ?');
    this.#over = db.command('DELETE FROM word_upkeep WHERE below <= 1');
  }

  /** So many numbers of samples further, the newest first. @returns whether any are left */
  step(numbers: number): boolean {
    const { below } = this.#below.get() ?? { below: 0 };
    if (below === 0) return false;
    const from = Math.max(1, below - numbers);
    this.#db.transaction(() => {
      for (const row of this.#rows.all(from, below))
        this.#text.put(row, this.#records.about(row), this.#tags.of(row.sha256));
      this.#reached.run(from);
      this.#over.run();
    }, 'soon');
    return from > 1;
  }
}
