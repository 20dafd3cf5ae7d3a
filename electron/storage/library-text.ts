import { z } from 'zod';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { Database } from './database.ts';
import type { SampleRow } from './library-rows.ts';
import { SampleNames } from './sample-names.ts';
import { betweenValues } from './search-expression.ts';

/** Characters of one column that are indexed: a hostile record must not stall the host while it is cut into words. */
const longestColumn = 20_000;

const thereRow = z.object({ there: z.number() });

/**
 * The words of each sample: its hashes, the names under which it was added, the names, tags, comments and threats that
 * services gave, and the tags of this desk.
 */
export class LibraryText {
  readonly #db: Database;
  readonly #put;
  readonly #isThere;
  readonly #names: SampleNames;

  constructor(db: Database) {
    this.#db = db;
    this.#names = new SampleNames(db);
    this.#isThere = db.query(thereRow, 'SELECT 1 AS there FROM sample WHERE id = ?');
    this.#put = db.command(
      'INSERT OR REPLACE INTO sample_text (rowid, name, hashes, tags, comments, threat) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** At the end of the transaction, unless the sample is gone by then. */
  put(sample: SampleRow, records: SampleRecord[], ownTags: string[]): void {
    const given = this.#names.of(sample.sha256).map(({ name }) => name);
    const words = wordsOf(sample, records, { ownTags, given });
    this.#db.writeLast(`sample_text ${sample.id}`, () => {
      if (this.#isThere.get(sample.id) !== null) this.#put.run(sample.id, ...words);
    });
  }
}

/** In the order of the columns. */
const wordsOf = (
  sample: SampleRow,
  records: SampleRecord[],
  { ownTags, given }: { ownTags: string[]; given: string[] },
): string[] => [
  textOf([...records.map(({ name }) => name), ...given]),
  [sample.md5, sample.sha1, sample.sha256].filter((hash) => hash !== null).join(betweenValues),
  textOf([...ownTags, ...records.flatMap(({ tags }) => tags)]),
  textOf(records.flatMap(({ comments }) => comments.map(({ content }) => content))),
  textOf(records.map(({ threat }) => threat)),
];

const textOf = (texts: (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join(betweenValues).slice(0, longestColumn).toWellFormed();
