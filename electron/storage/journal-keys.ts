import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import { databaseKeyId, endMacOf, startLink } from './journal-chain.ts';

/** A key from the token store. Its id is made from its bytes and tells nothing of them. */
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

/** Why no durable key is at hand. */
export type KeyAbsence = 'locked' | 'key-missing';

/** The keys the journal is written with: always the database's own, and the durable one while it is at hand. */
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
