import { z } from 'zod';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { Database } from './database.ts';
import { sampleColumns, sampleRow, type SampleRow } from './library-rows.ts';
import { betweenValues, searchExpression } from './search-expression.ts';

/** Characters of one column that are indexed: a hostile record must not stall the host while it is cut into words. */
const longestColumn = 20_000;

/** The words of each sample: its hashes, the names, tags, comments and threats that services gave, and the tags of this desk. */
export class LibraryText {
  readonly #put;
  readonly #find;

  constructor(db: Database) {
    this.#put = db.command('INSERT OR REPLACE INTO sample_text (rowid, name, hashes, tags, comments, threat) VALUES (?, ?, ?, ?, ?, ?)');
    this.#find = db.query(
      sampleRow,
      `SELECT ${sampleColumns} FROM sample_text JOIN sample ON sample.id = sample_text.rowid
       WHERE sample_text MATCH ? ORDER BY sample_text.rowid DESC LIMIT ?`,
    );
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

  /** The samples that have every word, the last letters of each left open; newest first. */
  find(text: string, limit: number): SampleRow[] {
    const expression = searchExpression(text);
    return expression === null ? [] : this.#find.all(expression, z.number().int().positive().parse(limit));
  }
}

const textOf = (texts: (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join(betweenValues).slice(0, longestColumn).toWellFormed();
