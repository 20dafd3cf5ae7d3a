import { z } from 'zod';
import { type LibrarySample, tlpSource } from '../../../shared/domain/library.ts';
import { type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import type { Database } from '../database/database.ts';

const levelRow = z.object({ level: z.number().nullable() });
const saidRow = z.object({ level: z.number(), source: tlpSource });

/** What JavaScript's `trim` takes off. */
const whiteSpace = `char(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200,
  8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279)`;
const levelWhen = (before: string): string =>
  tlpLevels.map((level, index) => `WHEN '${before}${level}' THEN ${index}`).join(' ');
/** As `tlpOf` of the TLP domain reads it; null for a tag that is none. */
const levelOfTag = (tag: string): string =>
  `CASE lower(trim(${tag}, ${whiteSpace})) ${levelWhen('tlp:')} WHEN 'tlp:white' THEN 0 END`;
/** What cannot be read may be the strictest there is, and is taken for it. */
const levelOfField = (tlp: string): string => `CASE ${tlp} ${levelWhen('')} ELSE ${tlpLevels.length - 1} END`;

const field = (source: string, table: string, sha256: string): string =>
  `SELECT ${levelOfField(`${table}.tlp`)} AS level, '${source}' AS source FROM ${table}
    WHERE ${table}.sha256 = ${sha256} AND ${table}.tlp IS NOT NULL AND ${table}.sha256 IS NOT NULL`;

/**
 * Each TLP of a sample, as its index in `tlpLevels`, and its source. A record that names a SHA-256 applies to that
 * sample only.
 */
const said = (md5: string, sha256: string): string => `
  SELECT ${levelOfTag('each.value')} AS level, 'tag' AS source
    FROM record, json_each(iif(json_valid(record.body), record.body, '{}'), '$.tags') AS each
    WHERE record.md5 = ${md5} AND (${sha256} IS NULL OR record.sha256 IS NULL OR record.sha256 = ${sha256})
      AND record.body LIKE '%tlp:%' AND each.type = 'text'
  UNION ALL ${field('own', 'sample_own', sha256)}
  UNION ALL ${field('upload', 'upload_file', sha256)}
  UNION ALL ${field('scan', 'scan_file', sha256)}`;

/** What `sample.tlp` is to be, in a statement over `sample`. */
export const strictestOfSample = `(SELECT max(level) FROM (${said('sample.md5', 'sample.sha256')}))`;

/**
 * The strictest that is said of an MD5, `?1`, and a SHA-256, `?2`, whether or not a sample has them: its place in
 * `tlpLevels`.
 */
export const strictestSaid = `SELECT max(level) AS level FROM (${said('?1', '?2')})`;

/** What is said of how far a sample may go. */
export class LibraryTlps {
  readonly #strictest;
  readonly #said;

  constructor(db: Database) {
    this.#strictest = db.query(levelRow, strictestSaid);
    this.#said = db.query(
      saidRow,
      `SELECT DISTINCT level, source FROM (${said('?1', '?2')}) WHERE level IS NOT NULL ORDER BY level DESC, source`,
    );
  }

  strictest({ md5, sha256 }: { md5: string | null; sha256: string | null }): TlpLevel | null {
    return levelAt(this.#strictest.get(md5, sha256)?.level ?? null);
  }

  /**
   * The strictest TLP of these bytes that is set here or in a record; the TLPs of files of uploads and scans do not
   * count.
   */
  ofSample(sample: { md5: string; sha256: string }): TlpLevel | null {
    return this.said(sample).find(({ source }) => source === 'own' || source === 'tag')?.level ?? null;
  }

  /** The strictest first; a source with several gives each. */
  said({ md5, sha256 }: { md5: string; sha256: string | null }): LibrarySample['tlps'] {
    return this.#said
      .all(md5, sha256)
      .flatMap(({ level, source }) => (tlpLevels[level] === undefined ? [] : [{ level: tlpLevels[level], source }]));
  }
}

const levelAt = (index: number | null): TlpLevel | null => (index === null ? null : (tlpLevels[index] ?? null));

/**
 * Keeps `sample.tlp` up to date as files of uploads and scans come, change and go. Their stores write these in a dozen
 * statements, many rows at once, and none may forget the update. The triggers belong to this connection and not to the
 * database, so they always match this code.
 */
export function watchTlps(db: Database): void {
  for (const table of ['upload_file', 'scan_file']) {
    const watch = (name: string, when: string, then: string): unknown =>
      db.command(`CREATE TEMP TRIGGER IF NOT EXISTS ${table}_tlp_${name} AFTER ${when} BEGIN ${then} END`).run();
    const [came, went] = [raised, lowered(table)];
    watch('came', `INSERT ON main.${table} WHEN new.tlp IS NOT NULL`, came);
    watch(
      'changed',
      `UPDATE OF tlp, sha256 ON main.${table} WHEN old.tlp IS NOT new.tlp OR old.sha256 IS NOT new.sha256`,
      `${went} ${came}`,
    );
    watch('went', `DELETE ON main.${table} WHEN old.tlp IS NOT NULL`, went);
  }
}

// Thousands of a draft may be equal: for most of them nothing is to be worked out again.
const raised = `UPDATE sample SET tlp = ${levelOfField('new.tlp')} WHERE new.tlp IS NOT NULL AND sha256 = new.sha256
  AND ifnull(tlp, -1) < ${levelOfField('new.tlp')};`;
const lowered = (
  table: string,
): string => `UPDATE sample SET tlp = ${strictestOfSample} WHERE old.tlp IS NOT NULL AND sha256 = old.sha256
  AND tlp = ${levelOfField('old.tlp')}
  AND NOT EXISTS (SELECT 1 FROM ${table} AS other WHERE other.sha256 = old.sha256 AND other.tlp = old.tlp
    AND other.sha256 IS NOT NULL);`;
