import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { Database } from './database.ts';
import type { SampleRow } from './library-rows.ts';
import { betweenValues } from './search-expression.ts';

/** Characters of one column that are indexed: a hostile record must not stall the host while it is cut into words. */
const longestColumn = 20_000;

/** The words of each sample: its hashes, the names, tags, comments and threats that services gave, and the tags of this desk. */
export class LibraryText {
  readonly #put;

  constructor(db: Database) {
    this.#put = db.command('INSERT OR REPLACE INTO sample_text (rowid, name, hashes, tags, comments, threat) VALUES (?, ?, ?, ?, ?, ?)');
  }

  put(sample: SampleRow, records: SampleRecord[], ownTags: string[]): void {
    const hashes = [sample.md5, sample.sha1, sample.sha256].filter((hash) => hash !== null).join(betweenValues);
    this.#put.run(
      sample.id,
      textOf(records.map(({ name }) => name)),
      hashes,
      textOf([...ownTags, ...records.flatMap(({ tags }) => tags)]),
      textOf(records.flatMap(({ comments }) => comments.map(({ content }) => content))),
      textOf(records.map(({ threat }) => threat)),
    );
  }
}

const textOf = (texts: (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join(betweenValues).slice(0, longestColumn).toWellFormed();
