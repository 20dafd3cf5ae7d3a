import { z } from 'zod';
import { type JournalRow, journalRow } from '../../shared/domain/journal.ts';
import type { Database } from './database.ts';
import type { Query } from './statement.ts';
import { readJson } from './stored-json.ts';

const blob = z.instanceof(Uint8Array);

/** A row as stored. Loose where tampering may have put anything: such a row is found by its link, not by its type. */
export const storedJournalRow = z.object({
  number: z.number(),
  time: z.string(),
  workspaceId: z.string().nullable(),
  operation: z.string(),
  hash: z.string().nullable(),
  outcome: z.string(),
  detail: z.string(),
  link: blob,
  sealedBy: z.string().nullable(),
  seal: blob.nullable(),
});
export type StoredJournalRow = z.infer<typeof storedJournalRow>;

export const storedJournalEnd = z.object({ keyId: z.string(), count: z.number(), link: blob, mac: blob });
export type StoredJournalEnd = z.infer<typeof storedJournalEnd>;

const columns = `number, time, workspace_id AS workspaceId, operation, hash, outcome, detail, link, sealed_by AS sealedBy, seal`;

export function selectRows(db: Database, rest: string): Query<StoredJournalRow> {
  return db.query(storedJournalRow, `SELECT ${columns} FROM journal ${rest}`);
}

export function selectEnd(db: Database): Query<StoredJournalEnd> {
  return db.query(storedJournalEnd, 'SELECT key_id AS keyId, count, link, mac FROM journal_end WHERE key_id = ?');
}

/** The row as the contract has it; null when it was changed into something that is none, which `verify` reports. */
export function readJournalRow(stored: StoredJournalRow): JournalRow | null {
  const read = journalRow.safeParse({ ...stored, detail: readJson(stored.detail) });
  return read.success ? read.data : null;
}
