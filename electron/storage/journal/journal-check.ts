import { z } from 'zod';
import type { JournalBreak, JournalVerification } from '../../../shared/domain/journal.ts';
import type { Queries } from '../database/statement.ts';
import {
  databaseKeyId,
  type DurableKey,
  isEndOf,
  type KeyAbsence,
  linkOf,
  sameBytes,
  sealOf,
  startLink,
} from './journal-chain.ts';
import { mostRows, selectEnd, selectRows, type StoredJournalRow } from './journal-rows.ts';

/** The keys a chain is checked with, as they were at one moment. */
export interface CheckKeys {
  database: Uint8Array;
  durable: DurableKey | null;
  /** Why there is none. */
  absence: KeyAbsence;
}

/** How far a check has come: the last row that holds, and whether the durable key's seal was on it. */
export interface CheckPlace {
  number: number;
  link: Uint8Array;
  isSealed: boolean;
}

export type CheckStep = { kind: 'more'; next: CheckPlace } | { kind: 'done'; verification: JournalVerification };

export const checkStart: CheckPlace = { number: 0, link: startLink, isSealed: true };

/** Rows that were given a number below all others are among those that are read first. */
const beforeAll = -(2n ** 63n);
const namedRow = z.object({ named: z.number() });
const countRow = z.object({ rows: z.number() });

/**
 * Checks the next rows behind a place, of one moment. The last rows and the ends are checked together, so that rows
 * appended meanwhile do no harm. @param atMost rows, about 10 µs each
 */
export function checkRows(db: Queries, keys: CheckKeys, from: CheckPlace, atMost: number): CheckStep {
  const rows = selectRows(db, 'WHERE journal.number > ? ORDER BY journal.number LIMIT ?').all(
    from.number === 0 ? beforeAll : from.number,
    atMost,
  );
  const check = new ChainCheck(db, keys, from);
  const broken = check.breakIn(rows);
  if (broken === null && rows.length === atMost) return { kind: 'more', next: check.place };
  const count = db.query(countRow, 'SELECT count(*) AS rows FROM journal').get()?.rows ?? 0;
  return {
    kind: 'done',
    verification: { rows: count, assurance: assuranceOf(db, keys), broken: broken ?? check.breakAtEnd() },
  };
}

function assuranceOf(db: Queries, { durable, absence }: CheckKeys): JournalVerification['assurance'] {
  if (namesOtherKey(db, durable?.id ?? '')) return durable === null ? absence : 'key-missing';
  return durable === null ? 'accidents-only' : 'tampering';
}

/** Whether a row or an end names a durable key other than this one. */
function namesOtherKey(db: Queries, id: string): boolean {
  const ends = db
    .query(namedRow, 'SELECT 1 AS named FROM journal_end WHERE key_id NOT IN (?, ?) LIMIT 1')
    .get(databaseKeyId, id);
  return (
    ends !== null || db.query(namedRow, 'SELECT 1 AS named FROM journal WHERE sealed_by <> ? LIMIT 1').get(id) !== null
  );
}

class ChainCheck {
  readonly #db: Queries;
  readonly #keys: CheckKeys;
  place: CheckPlace;

  constructor(db: Queries, keys: CheckKeys, place: CheckPlace) {
    this.#db = db;
    this.#keys = keys;
    this.place = place;
  }

  breakIn(rows: readonly StoredJournalRow[]): JournalBreak | null {
    for (const row of rows) {
      const expected = this.place.number + 1;
      if (row.number < expected) return { reason: 'added', number: row.number };
      if (row.number > expected) return this.#gapBefore(row.number);
      if (!sameBytes(row.link, linkOf(this.#keys.database, this.place.link, row))) return this.#breakOfLink(row.number);
      const isSealed = row.sealedBy === this.#keys.durable?.id;
      if (this.#isRenamed(row) || this.#isStripped(row, isSealed)) return { reason: 'edited', number: row.number };
      // If rows were linked again, the first seal reveals it: any row with no seal before it may be one of them.
      if (isSealed && !this.#isSealRight(row)) return this.#breakOfSeal(row.number);
      this.place = { number: row.number, link: Uint8Array.from(row.link), isSealed };
    }
    return null;
  }

  /**
   * Of a row that was moved behind the end of the journal, those up to the end are missing; behind a whole journal it
   * was added.
   */
  #gapBefore(number: number): JournalBreak {
    const before = this.place.number;
    const end = this.#furthestEnd();
    if (end === null ? number > mostRows : end <= before) return { reason: 'added', number };
    return { reason: 'removed', number: before + 1, count: Math.min(number - 1, end ?? number) - before };
  }

  /** null: no valid end records how many rows there were. */
  #furthestEnd(): number | null {
    const { database, durable } = this.#keys;
    const keys = [{ id: databaseKeyId, bytes: database }, ...(durable ? [durable] : [])];
    const counts = keys.flatMap(({ id, bytes }) => {
      const end = selectEnd(this.#db).get(id);
      return end !== null && isEndOf(bytes, end) ? [end.count] : [];
    });
    return counts.length === 0 ? null : Math.max(...counts);
  }

  #breakOfLink(number: number): JournalBreak {
    const { database } = this.#keys;
    const end = selectEnd(this.#db).get(databaseKeyId);
    if (number === 1 && end !== null && !isEndOf(database, end)) return { reason: 'key-replaced', number: null };
    return { reason: this.#isBehind(databaseKeyId, database) ? 'added' : 'edited', number };
  }

  #breakOfSeal(number: number): JournalBreak {
    const { durable } = this.#keys;
    if (durable && this.#isBehind(durable.id, durable.bytes)) return { reason: 'added', number };
    return { reason: this.place.isSealed ? 'edited' : 'rewritten', number };
  }

  /** Whether what comes next is behind the end that was written with this key. */
  #isBehind(keyId: string, key: Uint8Array): boolean {
    const end = selectEnd(this.#db).get(keyId);
    return end !== null && isEndOf(key, end) && end.count <= this.place.number;
  }

  /** A seal of a missing key cannot be checked; every later seal holds the rows that it covered. */
  #isSealRight({ link, seal }: StoredJournalRow): boolean {
    const { durable } = this.#keys;
    return durable === null || sameBytes(seal, sealOf(durable.bytes, link));
  }

  /** The link does not cover who sealed a row, but a seal of the available key shows it. */
  #isRenamed({ sealedBy, link, seal }: StoredJournalRow): boolean {
    const { durable } = this.#keys;
    return durable !== null && seal !== null && sealedBy !== durable.id && sameBytes(seal, sealOf(durable.bytes, link));
  }

  /** A row records where seals end. */
  #isStripped({ operation }: StoredJournalRow, isSealed: boolean): boolean {
    return (
      this.#keys.durable !== null &&
      this.place.number > 0 &&
      this.place.isSealed &&
      !isSealed &&
      operation !== 'key-change'
    );
  }

  breakAtEnd(): JournalBreak | null {
    const { database, durable } = this.#keys;
    return this.#breakAt(databaseKeyId, database) ?? (durable && this.#breakAt(durable.id, durable.bytes));
  }

  #breakAt(keyId: string, key: Uint8Array): JournalBreak | null {
    const end = selectEnd(this.#db).get(keyId);
    if (end === null) return { reason: 'end-missing', number: null };
    if (!isEndOf(key, end)) return { reason: 'end-edited', number: null };
    const { number } = this.place;
    if (end.count > number) return { reason: 'cut-off', number: number + 1, were: end.count };
    if (!sameBytes(this.#linkAt(end.count), end.link)) return { reason: 'rewritten', number: end.count };
    return end.count < number ? { reason: 'added', number: end.count + 1 } : null;
  }

  #linkAt(number: number): Uint8Array | null {
    if (number === 0) return startLink;
    return selectRows(this.#db, 'WHERE journal.number = ?').get(number)?.link ?? null;
  }
}
