import { z } from 'zod';
import type { Database } from './database.ts';

const dropRow = z.object({ sha256: z.string() });

/**
 * Bytes that were forgotten and that the vault has not removed yet: a crash in between must not make them anybody's
 * again. The caller gives the transaction.
 */
export class LibraryDrops {
  readonly #next;
  readonly #add;
  readonly #done;

  constructor(db: Database) {
    this.#next = db.query(dropRow, 'SELECT sha256 FROM vault_drop ORDER BY sha256 LIMIT ?');
    this.#add = db.command('INSERT OR IGNORE INTO vault_drop (sha256) VALUES (?)');
    this.#done = db.command('DELETE FROM vault_drop WHERE sha256 = ?');
  }

  next(limit: number): string[] {
    return this.#next.all(limit).map(({ sha256 }) => sha256);
  }

  add(sha256: string): void {
    this.#add.run(sha256);
  }

  /** They are gone, or in the vault again. */
  done(sha256: string): void {
    this.#done.run(sha256);
  }
}
