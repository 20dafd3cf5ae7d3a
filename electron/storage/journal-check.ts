import { z } from 'zod';
import type { OperationOutput } from '../../shared/contract.ts';
import type { Database } from './database.ts';
import { databaseKeyId, endMacOf, linkOf, sameBytes, sealOf, startLink } from './journal-chain.ts';
import type { JournalKeys } from './journal-keys.ts';
import { selectEnd, selectRows, type StoredJournalRow } from './journal-rows.ts';

export type JournalVerification = OperationOutput<'journal.verify'>;
type Break = JournalVerification['broken'];

const pageRows = 500;
const countRow = z.object({ rows: z.number() });

/**
 * Checks the journal from its first row to its end, a page at a time: the caller decides what happens between two
 * pages. The last page and the ends are checked together, so that rows appended meanwhile do no harm.
 */
export class JournalCheck {
  readonly #keys: JournalKeys;
  readonly #page;
  readonly #end;
  readonly #count;
  #last = { number: 0, link: startLink };
  #sealedLink: Uint8Array | null = null;

  constructor(db: Database, keys: JournalKeys) {
    this.#keys = keys;
    this.#page = selectRows(db, 'WHERE journal.number > ? ORDER BY journal.number LIMIT ?');
    this.#end = selectEnd(db);
    this.#count = db.query(countRow, 'SELECT count(*) AS rows FROM journal');
  }

  *run(): Generator<void, JournalVerification> {
    for (;;) {
      const rows = this.#page.all(this.#last.number, pageRows);
      const broken = this.#breakIn(rows);
      if (broken) return this.#result(broken);
      if (rows.length < pageRows) return this.#result(this.#breakAtEnd());
      yield;
    }
  }

  #result(broken: Break): JournalVerification {
    const assurance = this.#keys.durable ? 'tampering' : 'accidents-only';
    return { rows: this.#count.get()?.rows ?? 0, assurance, broken };
  }

  #breakIn(rows: StoredJournalRow[]): Break {
    const durableEnd = this.#keys.durable && this.#end.get(this.#keys.durable.id);
    for (const row of rows) {
      const expected = this.#last.number + 1;
      if (row.number !== expected) return { number: expected, reason: 'removed' };
      if (!this.#holds(row)) return { number: row.number, reason: 'edited' };
      if (row.number === durableEnd?.count) this.#sealedLink = row.link;
      this.#last = { number: row.number, link: Uint8Array.from(row.link) };
    }
    return null;
  }

  /** A seal of a key that is gone cannot be checked; the rows it stood for are held by every later seal. */
  #holds(row: StoredJournalRow): boolean {
    if (!sameBytes(row.link, linkOf(this.#keys.database, this.#last.link, row))) return false;
    const { durable } = this.#keys;
    return durable === null || row.sealedBy !== durable.id || sameBytes(row.seal, sealOf(durable.bytes, row.link));
  }

  #breakAtEnd(): Break {
    const { database, durable } = this.#keys;
    return this.#breakAt(databaseKeyId, database, this.#last.link) ?? (durable && this.#breakAt(durable.id, durable.bytes, this.#sealedLink));
  }

  /** @param link of the row at which this key's end says the journal ends */
  #breakAt(keyId: string, key: Uint8Array, link: Uint8Array | null): Break {
    const end = this.#end.get(keyId);
    if (!end || !sameBytes(end.mac, endMacOf(key, end)) || end.count > this.#last.number) return { number: null, reason: 'cut-off' };
    if (end.count < this.#last.number) return { number: end.count + 1, reason: 'edited' };
    return sameBytes(link, end.link) ? null : { number: end.count || null, reason: 'edited' };
  }
}
