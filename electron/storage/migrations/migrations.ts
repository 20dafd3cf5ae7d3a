import { readFileSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { normalTag } from '../../../shared/domain/tag.ts';
import { atOnce } from '../database/statement.ts';
import { readJson } from '../database/stored-json.ts';
import { shownValues, storedValues } from '../library/stated-values.ts';
import { serviceTagsOf } from '../library/service-tags.ts';

/** The n-th takes a database from version n - 1 to version n. Only ever appended to. */
const names: readonly string[] = [
  '001-samples-and-journal',
  '002-jobs-and-packs',
  '003-uploads-and-comments',
  '004-rule-packages',
  '005-scans',
  '006-library-columns',
  '007-library-changes',
  '008-watched-folder',
  '009-unfinished-threads',
  '010-manual-word-merges',
  '011-package-tokens',
  '012-small-word-pages',
  '013-older-hits',
  '014-package-file-names',
  '015-coverage',
  '016-scan-names-and-variables',
  '017-relaxed-packages',
  '018-rule-warnings',
  '019-names-left',
  '020-rule-costs',
  '021-added-files',
  '022-upload-members',
  '023-server-actions',
  '024-omitted-comments',
  '025-sleeping-jobs',
  '026-severity',
  '027-scan-times',
  '028-record-values',
  '029-shown-values',
];

/** The SQL of each, which lies beside this module, in a build too (`build/vite.host.ts`). */
export const migrations: readonly string[] = names.map((name) =>
  readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8'),
);

const versionRow = z.object({ user_version: z.number().int() });

/** The schema version that an open database states; 0 when there is none yet. */
export function versionOf(sql: DatabaseSync): number {
  return versionRow.parse(sql.prepare('PRAGMA user_version').get()).user_version;
}

/**
 * Brings a database up to date. Each step and the version it makes are one transaction, so a crash in the middle
 * leaves the version before it, whole. A step that another process has done meanwhile is not done twice, and a newer
 * database stays as it is. Throws SQLite's error and leaves the step undone.
 */
export function migrate(sql: DatabaseSync, steps: readonly string[] = migrations): void {
  const found = versionOf(sql);
  if (found < steps.length) addMigrationFunctions(sql);
  for (const [index, step] of steps.entries()) if (index >= found) applyStep(sql, step, index + 1);
}

function applyStep(sql: DatabaseSync, step: string, version: number): void {
  atOnce(sql, () => {
    if (versionOf(sql) >= version) return;
    sql.exec(step);
    sql.exec(`PRAGMA user_version = ${version}`);
  });
}

const texts = z
  .array(z.unknown())
  .catch([])
  .transform((values) => values.filter((value) => typeof value === 'string'));

/**
 * Functions for rules of the domain that SQLite cannot express: it knows no capital letter and no white space but those
 * of ASCII.
 */
export function addMigrationFunctions(sql: DatabaseSync): void {
  sql.function('normal_tag', { deterministic: true }, (text) => normalTag(String(text)));
  sql.function('record_values', { deterministic: true }, (body) => JSON.stringify(storedValues(String(body))));
  sql.function('shown_values', { deterministic: true }, (field, value) =>
    JSON.stringify(shownValues(String(field), String(value))),
  );
  sql.function('service_tags', { deterministic: true }, (tags) =>
    JSON.stringify(serviceTagsOf(texts.parse(readJson(String(tags))))),
  );
}

/**
 * The schema version of a database that no one else has open, read without changing a byte of it or leaving a file
 * beside it. 0 when there is none yet. Throws SQLite's error when the file is damaged or is no database.
 */
export function readSchemaVersion(path: string): number {
  if (sizeOf(path) === 0) return 0;
  return readingUntouched(path, (sql) => {
    // Reading the schema as well finds a file whose first page is whole and whose rest is cut off.
    sql.prepare('SELECT count(*) FROM sqlite_schema').get();
    return versionOf(sql);
  });
}

/**
 * Reads a database that no one else has open, without changing a byte of it or leaving a file beside it. Throws
 * SQLite's error.
 */
export function readingUntouched<T>(path: string, read: (sql: DatabaseSync) => T): T {
  return sizeOf(`${path}-wal`) === 0 ? readQuietly(path, read) : readWithLog(path, read);
}

/** Without a write-ahead log the file alone is the truth: `immutable` keeps SQLite from making any other. */
function readQuietly<T>(path: string, read: (sql: DatabaseSync) => T): T {
  const url = pathToFileURL(path);
  url.search = 'mode=ro&immutable=1';
  return readAndClose(new DatabaseSync(url, { readOnly: true }), read);
}

/** After a crash the newest version may be in the log only. Reading it makes an index file, which goes again. */
function readWithLog<T>(path: string, read: (sql: DatabaseSync) => T): T {
  const index = `${path}-shm`;
  const hadIndex = statSync(index, { throwIfNoEntry: false }) !== undefined;
  try {
    return readAndClose(new DatabaseSync(path, { readOnly: true }), read);
  } finally {
    if (!hadIndex) rmSync(index, { force: true });
  }
}

function readAndClose<T>(sql: DatabaseSync, read: (sql: DatabaseSync) => T): T {
  try {
    return read(sql);
  } finally {
    sql.close();
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
