import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { Database } from './database.ts';
import { commentsOfSample, hitsOfSample } from './library-counts.ts';
import { type KnownRecord, LibraryRecords } from './library-records.ts';
import type { SampleRow } from './library-rows.ts';
import { LibraryTags } from './library-tags.ts';
import { LibraryText } from './library-text.ts';
import { SampleNames } from './sample-names.ts';
import { strictestOfSample } from './library-tlps.ts';
import { serviceTagsOf } from './service-tags.ts';

/**
 * What a row of the library shows and is found by, made from the tables that say it. Whoever changes one of these calls
 * `refresh` in the same transaction; who changes many hits or comments, `LibraryCounts`.
 */
export class LibraryLines {
  readonly #records: LibraryRecords;
  readonly #tags: LibraryTags;
  readonly #text: LibraryText;
  readonly #names: SampleNames;
  readonly #put;
  readonly #putOwn;

  constructor(db: Database) {
    this.#records = new LibraryRecords(db);
    this.#tags = new LibraryTags(db);
    this.#text = new LibraryText(db);
    this.#names = new SampleNames(db);
    const own = `tlp = ${strictestOfSample}, has_note = EXISTS (SELECT 1 FROM sample_own
      WHERE sample_own.sha256 = sample.sha256 AND note IS NOT NULL)`;
    this.#put = db.command(
      `UPDATE sample SET name = ?2,
        type = ifnull((SELECT sample_look.type FROM sample_look WHERE sample_look.sha256 = sample.sha256), ?3),
        tags = ?4,
      threat = ?5, hits = ${hitsOfSample}, comments = ${commentsOfSample}, ${own} WHERE id = ?1`,
    );
    this.#putOwn = db.command(`UPDATE sample SET ${own} WHERE id = ?`);
  }

  /** `known`: a record that was put in the same transaction. */
  refresh(row: SampleRow, known: KnownRecord | null = null): void {
    const [records, ownTags] = [this.#records.about(row, known), this.#tags.of(row.sha256)];
    const lastSaid = (fact: 'mime' | 'threat'): string | null =>
      records.find((record) => record[fact] !== null)?.[fact] ?? null;
    const name = this.#records.nameOf(row) ?? this.#names.latest(row.sha256);
    this.#put.run(row.id, name, lastSaid('mime'), tagsOf(records, ownTags), lastSaid('threat'));
    this.#text.put(row, records, ownTags);
  }

  /** To be called when nothing but the person's own TLP or note is another: the words of the row stay. */
  refreshOwn(row: SampleRow): void {
    this.#putOwn.run(row.id);
  }
}

/** Each once, between commas. */
function tagsOf(records: readonly SampleRecord[], own: readonly string[]): string {
  const tags = new Set([...own, ...records.flatMap(({ tags: theirs }) => serviceTagsOf(theirs))]);
  return `,${[...tags]
    .toSorted()
    .map((one) => `${one},`)
    .join('')}`;
}
