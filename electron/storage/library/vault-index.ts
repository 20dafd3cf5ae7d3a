import { z } from 'zod';
import { type StorageState, storageState } from '../../../shared/domain/storage.ts';
import type { Database } from '../database/database.ts';

const placeRow = z.object({ sha256: z.string(), pack: z.string(), at: z.number(), length: z.number() });
/** Where a small sample lies in the packs of the vault: bytes `at` to `at + length` of the file `pack`. */
export type PackPlace = z.infer<typeof placeRow>;

/** What the vault remembers of its packs. SQLite's errors come out as failures. */
export class SqlitePackIndex {
  readonly #db: Database;
  readonly #place;
  readonly #places;
  readonly #end;
  readonly #next;
  readonly #put;
  readonly #drop;

  constructor(db: Database) {
    this.#db = db;
    this.#place = db.query(placeRow, 'SELECT sha256, pack, at, length FROM pack_place WHERE sha256 = ?');
    this.#places = db.query(
      placeRow,
      'SELECT sha256, pack, at, length FROM pack_place WHERE sha256 IN (SELECT value FROM json_each(?))',
    );
    this.#end = db.query(
      z.object({ end: z.number() }),
      'SELECT at + length AS "end" FROM pack_place WHERE pack = ? ORDER BY at DESC LIMIT 1',
    );
    this.#next = db.query(
      z.object({ sha256: z.string() }),
      'SELECT sha256 FROM pack_place WHERE sha256 > ? ORDER BY sha256 LIMIT ?',
    );
    this.#put = db.command('INSERT OR REPLACE INTO pack_place (sha256, pack, at, length) VALUES (?, ?, ?, ?)');
    this.#drop = db.command('DELETE FROM pack_place WHERE sha256 = ?');
  }

  place(sha256: string): PackPlace | null {
    return this.#place.get(sha256);
  }

  /** Of those that are known, in any order. */
  places(sha256s: readonly string[]): PackPlace[] {
    return this.#places.all(JSON.stringify(sha256s));
  }

  /**
   * Over older places of the same samples; `alongside` runs in the same transaction: all of it is kept or nothing.
   * Resolves when it is safe from a power cut.
   */
  add(places: readonly PackPlace[], alongside: () => void): Promise<void> {
    this.#db.transaction(() => {
      for (const { sha256, pack, at, length } of places) this.#put.run(sha256, pack, at, length);
      alongside();
    }, 'soon');
    return this.#db.synced();
  }

  remove(sha256: string): void {
    this.#drop.run(sha256);
  }

  /** Where the last sample of a pack ends; null when it holds none. */
  endOf(pack: string): number | null {
    return this.#end.get(pack)?.end ?? null;
  }

  /** At most `limit` SHA-256 that come after this one, in order. */
  list(after: string, limit: number): string[] {
    return this.#next.all(after, limit).map(({ sha256 }) => sha256);
  }
}

type VaultCheck = NonNullable<StorageState['lastCheck']>;

/** What the last check of the whole vault found. */
export class VaultCheckStore {
  readonly #last;
  readonly #put;

  constructor(db: Database) {
    this.#last = db.query(
      storageState.shape.lastCheck.unwrap(),
      'SELECT ended, samples, missing, altered FROM vault_check',
    );
    this.#put = db.command(
      'INSERT OR REPLACE INTO vault_check (only, ended, samples, missing, altered) VALUES (1, ?, ?, ?, ?)',
    );
  }

  /** null: there was none. */
  last(): StorageState['lastCheck'] {
    return this.#last.get();
  }

  record({ ended, samples, missing, altered }: VaultCheck): void {
    this.#put.run(ended, samples, missing, altered);
  }
}
