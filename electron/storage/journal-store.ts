import type { JournalOperation, JournalRow, JournalVerification } from '../../shared/domain/journal.ts';
import type { Database } from './database.ts';
import { type ChainedRow, databaseKeyId, endMacOf, linkOf, sameBytes, sealOf, startLink } from './journal-chain.ts';
import { type CheckKeys, checkRows, checkStart } from './journal-check.ts';
import type { DurableKey, JournalKeys } from './journal-keys.ts';
import { readJournalRow, selectEnd, selectRows, type StoredJournalEnd } from './journal-rows.ts';

export interface JournalEntry {
  workspaceId: string | null;
  operation: JournalOperation;
  /** MD5, SHA-1 or SHA-256 in lower case, whichever the operation was asked with. */
  hash: string | null;
  /** A word: `done`, `found`, or the kind of a failure. */
  outcome: string;
  detail?: Record<string, string | number | boolean | null>;
}

const longestText = 2_000;
const rowsAtOnce = 500;

/**
 * The chained record of what this desk did (see `journal-chain.ts` for the chain). Appending joins the caller's
 * transaction, so a change and its row are stored together or not at all.
 *
 * What it cannot show: a whole data directory put back from an older copy; and, while only the database's key was at
 * hand, changes to the rows of that time made before a durable key came and sealed them.
 */
export class Journal {
  readonly #db: Database;
  readonly #keys: JournalKeys;
  readonly #lastRow;
  readonly #rowAt;
  readonly #rowsOf;
  readonly #endOf;
  readonly #insert;
  readonly #moveEnd;

  constructor(db: Database, keys: JournalKeys) {
    this.#db = db;
    this.#keys = keys;
    this.#lastRow = selectRows(db, 'ORDER BY journal.number DESC LIMIT 1');
    this.#rowAt = selectRows(db, 'WHERE journal.number = ?');
    this.#rowsOf = selectRows(db, 'WHERE hash IN (SELECT value FROM json_each(?)) ORDER BY journal.number DESC LIMIT ?');
    this.#endOf = selectEnd(db);
    this.#insert = db.command(
      'INSERT INTO journal (number, time, workspace_id, operation, hash, outcome, detail, link, sealed_by, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#moveEnd = db.command('INSERT OR REPLACE INTO journal_end (key_id, count, link, mac) VALUES (?, ?, ?, ?)');
  }

  append(entry: JournalEntry): JournalRow {
    const [row] = this.appendAll([entry]);
    if (row === undefined) throw new TypeError('an entry without a row');
    return row;
  }

  /** Several rows in one step: where the journal ends is checked and moved once, which is most of the work of a row. */
  appendAll(entries: readonly JournalEntry[]): JournalRow[] {
    return this.#db.transaction(() => {
      if ((this.#lastRow.get()?.sealedBy ?? null) !== (this.#keys.durable?.id ?? null)) this.#write([keyChange(this.#keys.durable)], false);
      return this.#write(entries, false);
    });
  }

  /** What was done with a sample, by any of its hashes, newest first. */
  forHash(hashes: string[], limit: number): JournalRow[] {
    return this.#rowsOf.all(JSON.stringify(hashes), limit).flatMap((stored) => readJournalRow(stored) ?? []);
  }

  /**
   * From now on rows are sealed with this key too, and a `key-change` row seals all there is. `isNew` says that the
   * key was made just now: only then may its end be missing.
   */
  useDurableKey(key: DurableKey, isNew: boolean): void {
    const before = this.#keys.durable;
    this.#keys.durable = key;
    try {
      this.#db.transaction(() => {
        if (this.#lastRow.get()?.sealedBy !== key.id) this.#write([keyChange(key)], isNew);
      });
    } catch (error) {
      this.#keys.durable = before;
      throw error;
    }
  }

  /** The durable key is out of reach: rows are linked only, beginning with a `key-change` row at the next entry. */
  loseDurableKey(): void {
    this.#keys.durable = null;
  }

  /** What a check on another thread needs, as it is now. */
  get keys(): CheckKeys {
    return { database: this.#keys.database, durable: this.#keys.durable };
  }

  /** Checks every row. Blocks for about a second a hundred thousand rows; `JournalReader.verify` does not. */
  verify(): JournalVerification {
    for (let from = checkStart; ; ) {
      const step = checkRows(this.#db, this.keys, from, rowsAtOnce);
      if (step.kind === 'done') return step.verification;
      from = step.next;
    }
  }

  #write(entries: readonly JournalEntry[], isFirstOfKey: boolean): JournalRow[] {
    const { database, durable } = this.#keys;
    const last = this.#lastRow.get();
    const before = last?.number ?? 0;
    let link: Uint8Array = last?.link ?? startLink;
    const rows = entries.map((entry, index) => {
      const { shown, stored } = rowOf(entry, before + index + 1);
      link = linkOf(database, link, stored);
      const seal = durable && sealOf(durable.bytes, link);
      const { number, time, workspaceId, operation, hash, outcome, detail } = stored;
      this.#insert.run(number, time, workspaceId, operation, hash, outcome, detail, link, durable?.id ?? null, seal);
      return shown;
    });
    const end = { before, count: before + rows.length, link };
    this.#advance(databaseKeyId, database, end, false);
    if (durable) this.#advance(durable.id, durable.bytes, end, isFirstOfKey);
    return rows;
  }

  /** Moves a key's end to the last row, but only from where it rightly was: an end that does not hold is evidence. */
  #advance(keyId: string, key: Uint8Array, { before, count, link }: { before: number; count: number; link: Uint8Array }, isFirstOfKey: boolean): void {
    const end = this.#endOf.get(keyId);
    const mayMove = end ? this.#holds(end, key) && (keyId !== databaseKeyId || end.count === before) : isFirstOfKey;
    if (mayMove) this.#moveEnd.run(keyId, count, link, endMacOf(key, { keyId, count, link }));
  }

  #holds(end: StoredJournalEnd, key: Uint8Array): boolean {
    if (!sameBytes(end.mac, endMacOf(key, end))) return false;
    const link = end.count === 0 ? startLink : this.#rowAt.get(end.count)?.link;
    return link !== undefined && sameBytes(end.link, link);
  }
}

function rowOf({ workspaceId, operation, hash, outcome, detail = {} }: JournalEntry, number: number): { shown: JournalRow; stored: ChainedRow } {
  const shown = { number, time: new Date().toISOString(), workspaceId, operation, hash, outcome: plain(outcome) };
  const kept = Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? plain(value) : value]));
  return { shown: { ...shown, detail: kept }, stored: { ...shown, detail: JSON.stringify(kept) } };
}

const keyChange = (durable: DurableKey | null): JournalEntry => ({
  workspaceId: null, operation: 'key-change', hash: null, outcome: durable ? 'durable' : 'database', detail: { key: durable?.id ?? null },
});

/** What SQLite gives back as it was put in: no lone surrogates, and no text without end. */
const plain = (text: string): string => text.slice(0, longestText).toWellFormed();
