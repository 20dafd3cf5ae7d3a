import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { migrations, versionOf } from '../migrations/migrations.ts';
import { rowsOf } from './statement.ts';
import { readJson } from './stored-json.ts';

/** Reading the whole of a larger file takes seconds. */
const checkedBytes = 64 * 1024 * 1024;
const countedRows = 200_000;
const mostProblems = 100;
const mostJobs = 100;
const mostItemsOfAJob = 2_000;
const journalRowsRead = 5_000;

const taskKind = "CASE WHEN json_valid(task) THEN json_extract(task, '$.kind') END";

/**
 * Sizes in bytes, pages, rows of each table, and whether the file is whole. Nothing that was written by a person or a
 * service.
 */
export interface DatabaseSummary {
  sqlite: string;
  schemaVersion: number;
  schemaVersionOfThisProgram: number;
  sizes: { database: number; writeAheadLog: number };
  pages: { size: number; all: number; free: number };
  /**
   * Problems that a quick check found, of which it lists the first hundred; null: the file is too large to check here.
   */
  problems: number | null;
  /** A text where there are more rows than are counted. */
  rows: Record<string, number | string>;
}

/** Throws SQLite's error. */
export function databaseSummary(sql: DatabaseSync, path: string): DatabaseSummary {
  const sizes = { database: sizeOf(path), writeAheadLog: sizeOf(`${path}-wal`) };
  return {
    sqlite: texts(sql, 'SELECT sqlite_version()')[0] ?? '',
    schemaVersion: versionOf(sql),
    schemaVersionOfThisProgram: migrations.length,
    sizes,
    pages: {
      size: numberOf(sql, 'PRAGMA page_size'),
      all: numberOf(sql, 'PRAGMA page_count'),
      free: numberOf(sql, 'PRAGMA freelist_count'),
    },
    problems: sizes.database <= checkedBytes ? problemsIn(sql) : null,
    rows: Object.fromEntries(tableNames(sql).map((name) => [name, rowCount(sql, name)])),
  };
}

function problemsIn(sql: DatabaseSync): number {
  const rows = texts(sql, `PRAGMA quick_check(${mostProblems})`);
  return rows.length === 1 && rows[0] === 'ok' ? 0 : rows.length;
}

/** Without the parts of a search index. What is no name of ours is left out: it is read into a statement. */
const tableNames = (sql: DatabaseSync): string[] =>
  texts(
    sql,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
  ).filter((name) => /^[a-z_]{1,40}$/.test(name) && !name.startsWith('sqlite_') && !name.includes('_text_'));

function rowCount(sql: DatabaseSync, table: string): number | string {
  const found = numberOf(sql, `SELECT count(*) FROM (SELECT 1 FROM "${table}" LIMIT ${countedRows})`);
  return found === countedRows ? `at least ${countedRows}` : found;
}

/** As they are stored: values and bodies are JSON that may be damaged, of any version. */
export interface StoredSettings {
  settings: ReadonlyMap<string, unknown>;
  workspaces: { id: string; body: unknown }[];
  /** Of a workspace: how it looks for rule packages; null: as usual. */
  ruleUpdates: { id: string; options: unknown }[];
  watchedFolder: 'on' | 'off' | 'not set';
}

const settingRow = z.object({ name: z.string(), value: z.string() });
const workspaceRow = z.object({ id: z.string(), body: z.string() });
const rulesRow = z.object({ id: z.string(), options: z.string().nullable() });

/** Throws SQLite's error. */
export function storedSettings(sql: DatabaseSync): StoredSettings {
  const watched = rowsOf(sql, z.object({ isOn: z.number() }), 'SELECT is_on AS isOn FROM watched_folder')[0];
  return {
    settings: new Map(
      rowsOf(sql, settingRow, 'SELECT name, value FROM setting').map(({ name, value }) => [name, readJson(value)]),
    ),
    workspaces: rowsOf(sql, workspaceRow, 'SELECT id, body FROM workspace ORDER BY position').map(({ id, body }) => ({
      id,
      body: readJson(body),
    })),
    ruleUpdates: rowsOf(sql, rulesRow, 'SELECT workspace_id AS id, options FROM rule_state ORDER BY 1').map(
      ({ id, options }) => ({ id, options: options === null ? null : readJson(options) }),
    ),
    watchedFolder: watched === undefined ? 'not set' : watched.isOn === 1 ? 'on' : 'off',
  };
}

const jobCount = z.object({ kind: z.string().nullable(), state: z.string(), count: z.number() });
export type JobCount = z.infer<typeof jobCount>;

/** How many jobs there are of each kind and state, and how many of their items. Throws SQLite's error. */
export function jobCounts(sql: DatabaseSync): { jobs: JobCount[]; items: JobCount[] } {
  return {
    jobs: rowsOf(
      sql,
      jobCount,
      `SELECT ${taskKind} AS kind, state, count(*) AS count FROM job WHERE hidden = 0 GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
    items: rowsOf(
      sql,
      jobCount,
      `SELECT ${taskKind} AS kind, job_count.state, sum(items) AS count FROM job_count JOIN job ON job.id = job_id
        WHERE hidden = 0 GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  };
}

const haltedJob = z.object({
  id: z.number(),
  kind: z.string().nullable(),
  state: z.string(),
  ended: z.string().nullable(),
  failure: z.string(),
});
const journalOutcome = z.object({ number: z.number(), time: z.string(), operation: z.string(), outcome: z.string() });

/** What went wrong, newest first. Failures are JSON that may be damaged. */
export interface StoredFailures {
  jobs: (Omit<z.infer<typeof haltedJob>, 'failure'> & { failure: unknown })[];
  items: { job: number; failures: unknown[] }[];
  /** Of the newest rows all, also those that went well. */
  journal: z.infer<typeof journalOutcome>[];
}

/** Throws SQLite's error. */
export function storedFailures(sql: DatabaseSync): StoredFailures {
  const halted = rowsOf(
    sql,
    haltedJob,
    `SELECT id, ${taskKind} AS kind, state, ended, failure FROM job WHERE hidden = 0 AND failure IS NOT NULL
      ORDER BY id DESC LIMIT ${mostJobs}`,
  );
  const ids = rowsOf(
    sql,
    z.object({ id: z.number() }),
    `SELECT DISTINCT job_id AS id FROM job_count WHERE items > 0
      AND state IN ('failed', 'refused', 'vanished', 'mismatch', 'forbidden') ORDER BY job_id DESC LIMIT 20`,
  );
  const ofJob = sql.prepare(
    `SELECT failure FROM job_item WHERE job_id = ? AND failure IS NOT NULL LIMIT ${mostItemsOfAJob}`,
  );
  return {
    jobs: halted.map((job) => ({ ...job, failure: readJson(job.failure) })),
    items: ids.map(({ id }) => ({ job: id, failures: ofJob.all(id).map((row) => readJson(String(row['failure']))) })),
    journal: rowsOf(
      sql,
      journalOutcome,
      `SELECT number, time, operation, outcome FROM journal ORDER BY number DESC LIMIT ${journalRowsRead}`,
    ),
  };
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const texts = (sql: DatabaseSync, query: string): string[] =>
  sql
    .prepare(query)
    .all()
    .flatMap((row) => Object.values(row))
    .filter((value) => typeof value === 'string');

function numberOf(sql: DatabaseSync, query: string): number {
  const [value] = Object.values(sql.prepare(query).get() ?? {});
  return typeof value === 'number' ? value : 0;
}
