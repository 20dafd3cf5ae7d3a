import { z } from 'zod';
import { type JournalRow, journalRow } from '../../../shared/domain/journal.ts';
import type { Queries, Query } from '../database/statement.ts';
import { readJson } from '../database/stored-json.ts';

const text = z.string().catch('');
const textOrNone = z.string().nullable().catch('');
const blob = z.instanceof(Uint8Array).catch(new Uint8Array());

/**
 * A row as stored. Tampering may have put anything there: what has a wrong type is read as empty, and its link fails.
 */
export const storedJournalRow = z.object({
  number: z.number(),
  time: text,
  workspaceId: textOrNone,
  operation: text,
  hash: textOrNone,
  outcome: text,
  detail: text,
  link: blob,
  sealedBy: textOrNone,
  seal: blob.nullable(),
});
export type StoredJournalRow = z.infer<typeof storedJournalRow>;

const storedJournalEnd = z.object({ keyId: z.string(), count: z.number(), link: blob, mac: blob });
export type StoredJournalEnd = z.infer<typeof storedJournalEnd>;

/** A number beyond those of JavaScript would make the whole reading fail. */
export const safeNumber = `max(min(number, ${Number.MAX_SAFE_INTEGER}), ${Number.MIN_SAFE_INTEGER})`;

/**
 * Rows with a number beyond this are left out of lists and files: no page could continue after them. A verification
 * names them.
 */
export const isCountable = `journal.number BETWEEN ${Number.MIN_SAFE_INTEGER} + 1 AND ${Number.MAX_SAFE_INTEGER} - 1`;

/**
 * Greatest number that rows are numbered on from. One that was given a number beyond it does not use up those that are
 * left.
 */
export const mostRows = 2 ** 52;

// Order by `journal.number`, which has an index: `number` alone is this expression.
export const storedJournalColumns = `${safeNumber} AS number, time, workspace_id AS workspaceId, operation, hash,
  outcome, detail, link, sealed_by AS sealedBy, seal`;

/** Characters, and fields: more than any row is written with. */
const longestDetail = 65_536;
const mostFields = 64;

export function selectRows(db: Queries, rest: string): Query<StoredJournalRow> {
  return db.query(storedJournalRow, `SELECT ${storedJournalColumns} FROM journal ${rest}`);
}

/** For display: a detail that was made endless is cut, which makes it unreadable. */
export function selectShownRows(db: Queries, rest: string): Query<StoredJournalRow> {
  const columns = storedJournalColumns.replace('detail', `substr(detail, 1, ${longestDetail}) AS detail`);
  return db.query(storedJournalRow, `SELECT ${columns} FROM journal ${rest}`);
}

export function selectEnd(db: Queries): Query<StoredJournalEnd> {
  return db.query(
    storedJournalEnd,
    `SELECT key_id AS keyId, min(count, ${Number.MAX_SAFE_INTEGER}) AS count, link, mac FROM journal_end
      WHERE key_id = ?`,
  );
}

/** The row as the contract has it; null when it was changed into something that is none, which `verify` reports. */
export function readJournalRow(stored: StoredJournalRow): JournalRow | null {
  const read = journalRow.safeParse({ ...stored, detail: readJson(stored.detail) });
  return read.success && Object.keys(read.data.detail).length <= mostFields ? read.data : null;
}
