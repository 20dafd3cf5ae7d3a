import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { JournalOperation, JournalRow, JournalVerification } from '../../../shared/domain/journal.ts';
import type { Database } from '../database/database.ts';
import {
  type ChainedRow,
  databaseKeyId,
  type DurableKey,
  endMacOf,
  isEndOf,
  type JournalEnd,
  type JournalKeys,
  type KeyAbsence,
  linkOf,
  sameBytes,
  sealOf,
  startLink,
} from './journal-chain.ts';
import { type CheckKeys, checkRows, checkStart } from './journal-check.ts';
import {
  mostRows,
  readJournalRow,
  selectEnd,
  selectRows,
  selectShownRows,
  type StoredJournalEnd,
} from './journal-rows.ts';

export interface JournalEntry {
  workspaceId: string | null;
  operation: JournalOperation;
  /** MD5, SHA-1 or SHA-256 in lower case, whichever the operation was asked with. */
  hash: string | null;
  /** A word: `done`, `found`, or the kind of a failure. */
  outcome: string;
  detail?: Record<string, string | number | boolean | null>;
}

/** Where rows are written on. */
interface Place {
  number: number;
  link: Uint8Array;
  /** An end states this, not just a row. */
  isEnd: boolean;
}

const runRow = z.object({ number: z.number() });
const longestText = 2_000;
const rowsAtOnce = 500;

/**
 * The chained record of what was done here (see `journal-chain.ts` for the chain). Appending joins the caller's
 * transaction, so a change and its row are stored together or not at all.
 *
 * What it cannot show: a whole data directory replaced by an older copy; and, while only the database's key was
 * available, changes to the rows of that time made before a durable key came and sealed them.
 */
export class Journal {
  readonly #db: Database;
  readonly #keys: JournalKeys;
  readonly #lastRow;
  readonly #runFrom;
  readonly #isTaken;
  readonly #rowAt;
  readonly #rowsOf;
  readonly #endOf;
  readonly #insert;
  readonly #moveEnd;

  constructor(db: Database, keys: JournalKeys) {
    this.#db = db;
    this.#keys = keys;
    this.#lastRow = selectRows(
      db,
      `WHERE journal.number BETWEEN 1 AND ${mostRows} ORDER BY journal.number DESC LIMIT 1`,
    );
    this.#runFrom = db.query(
      runRow,
      `SELECT number FROM journal WHERE number >= ? AND NOT EXISTS (SELECT 1 FROM journal AS next
        WHERE next.number = journal.number + 1) ORDER BY journal.number LIMIT 1`,
    );
    this.#isTaken = db.query(runRow, 'SELECT number FROM journal WHERE number > ? AND number <= ? LIMIT 1');
    this.#rowAt = selectRows(db, 'WHERE journal.number = ?');
    this.#rowsOf = selectShownRows(
      db,
      'WHERE hash IN (SELECT value FROM json_each(?)) ORDER BY journal.number DESC LIMIT ?',
    );
    this.#endOf = selectEnd(db);
    this.#insert = db.command(
      `INSERT INTO journal (number, time, workspace_id, operation, hash, outcome, detail, link, sealed_by, seal)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    if (entries.length === 0) return [];
    return this.#db.transaction(() => {
      if ((this.#lastRow.get()?.sealedBy ?? null) !== (this.#keys.durable?.id ?? null))
        this.#write([keyChange(this.#keys.durable)], false);
      return this.#write(entries, false);
    });
  }

  /**
   * What was done with a sample, by any of its hashes, newest first. A row of its sending is included only where no row
   * has the outcome.
   */
  forHash(hashes: string[], limit: number): JournalRow[] {
    const rows = this.#rowsOf.all(JSON.stringify(hashes), limit).flatMap((stored) => readJournalRow(stored) ?? []);
    const settled = new Set<unknown>();
    return rows.filter(({ operation, outcome, detail: { job } }) => {
      if (operation !== 'upload') return true;
      const isSettled = settled.has(job);
      settled.add(job);
      return outcome !== 'sending' || !isSettled;
    });
  }

  /**
   * From now on rows are sealed with this key too, and a `key-change` row seals all rows so far. `isNew`: the key was
   * made just now, the only case in which its end may be missing.
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
  loseDurableKey(absence: KeyAbsence): void {
    this.#keys.durable = null;
    this.#keys.absence = absence;
  }

  /** What a check on another thread needs, as it is now. */
  get keys(): CheckKeys {
    const { database, durable, absence } = this.#keys;
    return { database, durable, absence };
  }

  /** Checks every row. Blocks for about a second a hundred thousand rows; `JournalReader.verify` does not. */
  verify(): JournalVerification {
    for (let from = checkStart; ;) {
      const step = checkRows(this.#db, this.keys, from, rowsAtOnce);
      if (step.kind === 'done') return step.verification;
      from = step.next;
    }
  }

  #write(entries: readonly JournalEntry[], isFirstOfKey: boolean): JournalRow[] {
    const { database, durable } = this.#keys;
    const place = this.#placeFor(entries.length);
    const before = place.number;
    let { link } = place;
    const rows = entries.map((entry, index) => {
      const { shown, stored } = rowOf(entry, before + index + 1);
      link = linkOf(database, link, stored);
      const seal = durable && sealOf(durable.bytes, link);
      const { number, time, workspaceId, operation, hash, outcome, detail } = stored;
      this.#insert.run(number, time, workspaceId, operation, hash, outcome, detail, link, durable?.id ?? null, seal);
      return shown;
    });
    const end = { keyId: databaseKeyId, count: before + rows.length, link };
    this.#advance(database, end, place, false);
    if (durable) this.#advance(durable.bytes, { ...end, keyId: durable.id }, place, isFirstOfKey);
    return rows;
  }

  /** Behind every row and every end, so that what was cut off stays a gap. No number of those `count` rows is taken. */
  #placeFor(count: number): Place {
    let place = this.#lastPlace();
    while (this.#isTaken.get(place.number, place.number + count) !== null) {
      const number = this.#runFrom.get(place.number + 1)?.number ?? place.number + 1;
      place = { number, link: this.#rowAt.get(number)?.link ?? startLink, isEnd: false };
    }
    return place;
  }

  #lastPlace(): Place {
    const { database, durable } = this.#keys;
    const ends = [this.#endFor(databaseKeyId, database), durable && this.#endFor(durable.id, durable.bytes)];
    const last = this.#lastRow.get();
    return ends.reduce<Place>(
      (furthest, end) => {
        if (end === null || end.count < furthest.number) return furthest;
        return { number: end.count, link: this.#rowAt.get(end.count)?.link ?? end.link, isEnd: true };
      },
      { number: last?.number ?? 0, link: last?.link ?? startLink, isEnd: false },
    );
  }

  /** null: there is none, or one that this key did not write. */
  #endFor(keyId: string, key: Uint8Array): StoredJournalEnd | null {
    const end = this.#endOf.get(keyId) ?? null;
    return end !== null && isEndOf(key, end) ? end : null;
  }

  /** Moves a key's end to the last row, but only from where it rightly was: an end that does not hold is evidence. */
  #advance(key: Uint8Array, next: JournalEnd, place: Place, isFirstOfKey: boolean): void {
    const isThere = this.#endOf.get(next.keyId) !== null;
    const mayMove = isThere ? this.#mayMove(next.keyId, key, place) : isFirstOfKey;
    if (mayMove) this.#moveEnd.run(next.keyId, next.count, next.link, endMacOf(key, next));
  }

  /** Of an end whose row is gone, the next row has its link, and the gap stays. */
  #mayMove(keyId: string, key: Uint8Array, place: Place): boolean {
    const end = this.#endFor(keyId, key);
    if (end === null) return false;
    const isAtEnd = end.count === place.number;
    const link = end.count === 0 ? startLink : this.#rowAt.get(end.count)?.link;
    const holds = link ? sameBytes(end.link, link) : isAtEnd;
    return holds && (keyId !== databaseKeyId || isAtEnd || place.isEnd);
  }
}

function rowOf(
  { workspaceId, operation, hash, outcome, detail = {} }: JournalEntry,
  number: number,
): { shown: JournalRow; stored: ChainedRow } {
  const shown = { number, time: currentInstant(), workspaceId, operation, hash, outcome: plain(outcome) };
  const kept = Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? plain(value) : value]),
  );
  return { shown: { ...shown, detail: kept }, stored: { ...shown, detail: JSON.stringify(kept) } };
}

const keyChange = (durable: DurableKey | null): JournalEntry => ({
  workspaceId: null,
  operation: 'key-change',
  hash: null,
  outcome: durable ? 'durable' : 'database',
  detail: { key: durable?.id ?? null },
});

/** What SQLite gives back as it was put in: no lone surrogates, and no text without end. */
const plain = (text: string): string => text.slice(0, longestText).toWellFormed();
