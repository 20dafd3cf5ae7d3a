import { createHash, createHmac, createSecretKey, type Hmac, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';

/**
 * What holds the journal together. Every row has a *link*: an HMAC-SHA256 over the row before it and its own canonical
 * bytes, with a key kept in the database. Anyone who can write the database can make links, so alone they only detect
 * accidents. While a key from the token store is available, every row also has a *seal*: an HMAC of its link with that
 * key. A link covers all rows up to it, so a seal holds them all. The end of the journal (count and last link) is kept
 * once for each key, under a MAC of that key, so that cutting rows off is detected as well.
 */
export interface ChainedRow {
  number: number;
  time: string;
  workspaceId: string | null;
  operation: string;
  hash: string | null;
  outcome: string;
  /** The JSON text as stored. */
  detail: string;
}

export interface JournalEnd {
  keyId: string;
  /** Number of the last row, which is the count of rows. */
  count: number;
  link: Uint8Array;
}

/** The id of the key that is kept in the database. */
export const databaseKeyId = 'database';
export const startLink = new Uint8Array(32);

/** 32 bytes. Canonical: one JSON array in fixed order, so that no two rows have the same bytes. */
export function linkOf(key: Uint8Array, previous: Uint8Array, row: ChainedRow): Uint8Array {
  const { number, time, workspaceId, operation, hash, outcome, detail } = row;
  const canonical = JSON.stringify(['row', number, time, workspaceId, operation, hash, outcome, detail]);
  return hmacOf(key).update(previous).update(canonical).digest();
}

export function sealOf(key: Uint8Array, link: Uint8Array): Uint8Array {
  return hmacOf(key).update('["seal"]').update(link).digest();
}

export function endMacOf(key: Uint8Array, { keyId, count, link }: JournalEnd): Uint8Array {
  return hmacOf(key)
    .update(JSON.stringify(['end', keyId, count]))
    .update(link)
    .digest();
}

/** Whether an end was written with this key. What is at it may have been cut off since. */
export const isEndOf = (key: Uint8Array, end: JournalEnd & { mac: Uint8Array }): boolean =>
  sameBytes(end.mac, endMacOf(key, end));

/**
 * Node makes a key object of bytes at each use, which costs more than the HMAC itself; of the same bytes one is enough.
 */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function hmacOf(key: Uint8Array): Hmac {
  const object = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, object);
  return createHmac('sha256', object);
}

export const sameBytes = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && Buffer.compare(one, other) === 0;

/** A key from the token store. Its id is made from its bytes and reveals nothing of them. */
export interface DurableKey {
  id: string;
  bytes: Uint8Array;
}

export const newDurableKey = (): DurableKey => durableKeyFrom(randomBytes(32));

export function durableKeyFrom(bytes: Uint8Array): DurableKey {
  return { id: createHash('sha256').update('journal key id').update(bytes).digest('hex').slice(0, 16), bytes };
}

const countRow = z.object({ count: z.number() });
const keyRow = z.object({ bytes: z.instanceof(Uint8Array) });

/** Why no durable key is available. */
export type KeyAbsence = 'locked' | 'key-missing';

/** The keys the journal is written with: always the database's own, and the durable one while it is available. */
export class JournalKeys {
  readonly database: Uint8Array;
  durable: DurableKey | null = null;
  absence: KeyAbsence = 'key-missing';

  /** Fails with `data-damaged` where a table of the journal is gone, or its key while there are rows or ends. */
  constructor(db: Database) {
    requireTables(db);
    this.database = db.query(keyRow, 'SELECT bytes FROM journal_key').get()?.bytes ?? createDatabaseKey(db);
  }
}

function requireTables(db: Database): void {
  const tables = db
    .query(
      countRow,
      `SELECT count(*) AS count FROM sqlite_schema WHERE type = 'table'
        AND name IN ('journal', 'journal_key', 'journal_end')`,
    )
    .get()?.count;
  if (tables !== 3) fail({ kind: 'data-damaged', path: db.path, code: 'JOURNAL_TABLES' });
}

/** The key and the end of the still empty journal are made together; an end that is missing later was taken away. */
function createDatabaseKey(db: Database): Uint8Array {
  const written = db
    .query(
      countRow,
      `SELECT EXISTS (SELECT 1 FROM journal WHERE number > 0) + EXISTS (SELECT 1 FROM journal_end
        WHERE key_id = ?) AS count`,
    )
    .get(databaseKeyId)?.count;
  if (written !== 0) return fail({ kind: 'data-damaged', path: db.path, code: 'JOURNAL_KEY' });
  const bytes = randomBytes(32);
  const end = { keyId: databaseKeyId, count: 0, link: startLink };
  db.transaction(() => {
    db.command('INSERT INTO journal_key (only, bytes) VALUES (1, ?)').run(bytes);
    db.command('INSERT INTO journal_end (key_id, count, link, mac) VALUES (?, ?, ?, ?)').run(
      end.keyId,
      end.count,
      end.link,
      endMacOf(bytes, end),
    );
  });
  return bytes;
}
