import { z } from 'zod';
import { type SampleRecord, worstSeverity } from '../../../shared/domain/sample.ts';
import type { Database } from '../database/database.ts';
import { betweenValues, indexedText } from '../database/search-expression.ts';
import { type KnownRecord, LibraryRecords } from './library-records.ts';
import { LibraryTags } from './library-tags.ts';
import { strictestOfSample } from './library-tlps.ts';
import { SampleNames } from './local-annotations.ts';
import {
  commentsOfSample,
  hitsOfSample,
  sampleColumns,
  type SampleRow,
  sampleRow,
  severityNumber,
} from './sample-table.ts';
import { SampleValues } from './sample-values.ts';
import { serviceTagsOf } from './service-tags.ts';

/**
 * What a row of the library shows and is found by, derived from the source tables. Code that changes one of these calls
 * `refresh` in the same transaction; code that changes many hits or comments calls `LibraryCounts`.
 */
export class LibraryIndex {
  readonly #records: LibraryRecords;
  readonly #tags: LibraryTags;
  readonly #text: LibraryText;
  readonly #names: SampleNames;
  readonly #values: SampleValues;
  readonly #put;
  readonly #putOwn;

  constructor(db: Database) {
    this.#records = new LibraryRecords(db);
    this.#tags = new LibraryTags(db);
    this.#text = new LibraryText(db);
    this.#names = new SampleNames(db);
    this.#values = new SampleValues(db);
    const own = `tlp = ${strictestOfSample}, has_note = EXISTS (SELECT 1 FROM sample_own
      WHERE sample_own.sha256 = sample.sha256 AND note IS NOT NULL)`;
    this.#put = db.command(
      `UPDATE sample SET name = ?2,
        type = ifnull((SELECT sample_look.type FROM sample_look WHERE sample_look.sha256 = sample.sha256), ?3),
        tags = ?4,
      threat = ?5, severity = ?6, hits = ${hitsOfSample}, comments = ${commentsOfSample}, ${own} WHERE id = ?1`,
    );
    this.#putOwn = db.command(`UPDATE sample SET ${own} WHERE id = ?`);
  }

  /** `known`: a record that was put in the same transaction. */
  refresh(row: SampleRow, known: KnownRecord | null = null): void {
    const [records, ownTags] = [this.#records.about(row, known), this.#tags.of(row.sha256)];
    const lastSaid = (fact: 'mime' | 'threat'): string | null =>
      records.find((record) => record[fact] !== null)?.[fact] ?? null;
    const name = this.#records.nameOf(row) ?? this.#names.latest(row.sha256);
    const worst = severityNumber(worstSeverity(records.map(({ criticity }) => criticity)));
    this.#put.run(row.id, name, lastSaid('mime'), tagsOf(records, ownTags), lastSaid('threat'), worst);
    const given = givenNames(this.#names, row);
    this.#values.put(row.id, records, given);
    this.#text.put(row, records, { ownTags, given });
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

const belowRow = z.object({ below: z.number() });

/**
 * Indexes samples again that an older version indexed otherwise: first their words, which had no border between two
 * values, so that a phrase ran from one into the next; then what their records state.
 */
export class IndexUpkeep {
  readonly #words: Upkeep;
  readonly #values: Upkeep;

  constructor(db: Database) {
    const [records, tags, text] = [new LibraryRecords(db), new LibraryTags(db), new LibraryText(db)];
    const [names, values] = [new SampleNames(db), new SampleValues(db)];
    this.#words = new Upkeep(db, {
      table: 'word_upkeep',
      hasThat: 'EXISTS (SELECT 1 FROM sample_tag WHERE sample_tag.sha256 = sample.sha256)',
      put: (row) => text.put(row, records.about(row), { ownTags: tags.of(row.sha256), given: givenNames(names, row) }),
    });
    this.#values = new Upkeep(db, {
      table: 'value_upkeep',
      hasThat: 'EXISTS (SELECT 1 FROM sample_name WHERE sample_name.sha256 = sample.sha256)',
      put: (row) => values.put(row.id, records.uncommented(row), givenNames(names, row)),
    });
  }

  /** So many numbers of samples further, the newest first. @returns whether any are left */
  step(numbers: number): boolean {
    return this.#words.step(numbers) || this.#values.step(numbers);
  }
}

interface UpkeepWork {
  /** Has the number below which samples are still to be indexed again. */
  table: 'word_upkeep' | 'value_upkeep';
  /** A condition over `sample`: it has what is indexed besides records. */
  hasThat: string;
  put(row: SampleRow): void;
}

class Upkeep {
  readonly #db: Database;
  readonly #put: UpkeepWork['put'];
  readonly #below;
  readonly #rows;
  readonly #reached;
  readonly #over;

  constructor(db: Database, { table, hasThat, put }: UpkeepWork) {
    this.#db = db;
    this.#put = put;
    this.#below = db.query(belowRow, `SELECT below FROM ${table}`);
    this.#rows = db.query(
      sampleRow,
      `SELECT ${sampleColumns} FROM sample WHERE id >= ? AND id < ?
      AND (EXISTS (SELECT 1 FROM record WHERE record.md5 = sample.md5) OR ${hasThat})`,
    );
    this.#reached = db.command(`UPDATE ${table} SET below = ?`);
    this.#over = db.command(`DELETE FROM ${table} WHERE below <= 1`);
  }

  step(numbers: number): boolean {
    const { below } = this.#below.get() ?? { below: 0 };
    if (below === 0) return false;
    const from = Math.max(1, below - numbers);
    this.#db.transaction(() => {
      for (const row of this.#rows.all(from, below)) this.#put(row);
      this.#reached.run(from);
      this.#over.run();
    }, 'soon');
    return from > 1;
  }
}

const givenNames = (names: SampleNames, { sha256 }: SampleRow): string[] => names.of(sha256).map(({ name }) => name);

/** Characters of one column that are indexed: a hostile record must not stall the host while it is cut into words. */
const longestColumn = 20_000;

const thereRow = z.object({ there: z.number() });

/**
 * The words of each sample: its hashes, the names under which it was added, the names, tags, comments and threats that
 * services gave, and the tags of this computer.
 */
class LibraryText {
  readonly #db: Database;
  readonly #put;
  readonly #isThere;

  constructor(db: Database) {
    this.#db = db;
    this.#isThere = db.query(thereRow, 'SELECT 1 AS there FROM sample WHERE id = ?');
    this.#put = db.command(
      'INSERT OR REPLACE INTO sample_text (rowid, name, hashes, tags, comments, threat) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** At the end of the transaction, unless the sample is gone by then. */
  put(sample: SampleRow, records: SampleRecord[], own: OwnWords): void {
    const words = wordsOf(sample, records, own);
    this.#db.writeLast(`sample_text ${sample.id}`, () => {
      if (this.#isThere.get(sample.id) !== null) this.#put.run(sample.id, ...words);
    });
  }
}

interface OwnWords {
  ownTags: string[];
  given: string[];
}

/** In the order of the columns. */
const wordsOf = (sample: SampleRow, records: SampleRecord[], { ownTags, given }: OwnWords): string[] => [
  textOf([...records.map(({ name }) => name), ...given]),
  [sample.md5, sample.sha1, sample.sha256].filter((hash) => hash !== null).join(betweenValues),
  textOf([...ownTags, ...records.flatMap(({ tags }) => tags)]),
  textOf(records.flatMap(({ comments }) => comments.map(({ content }) => content))),
  textOf(records.map(({ threat }) => threat)),
];

const textOf = (texts: (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null).map(indexedText))]
    .join(betweenValues)
    .slice(0, longestColumn)
    .toWellFormed();
