import { z } from 'zod';
import type { SampleName } from '../../shared/domain/library.ts';
import type { Database } from './database.ts';

const nameRow = z.object({ name: z.string(), path: z.string(), added: z.string() });
/** As many as are shown and searched for. */
const mostNames = 1000;

/**
 * Under which names local files with the same bytes were added. Untrusted text, as it was given. The caller gives the
 * transaction.
 */
export class SampleNames {
  readonly #add;
  readonly #of;
  readonly #latest;
  readonly #forget;

  constructor(db: Database) {
    this.#add = db.command(
      `INSERT INTO sample_name (sha256, name, path, added) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
        SET added = excluded.added`,
    );
    const named = 'SELECT name, path, added FROM sample_name WHERE sha256 = ? ORDER BY added DESC, name, path LIMIT';
    this.#of = db.query(nameRow, `${named} ${mostNames}`);
    this.#latest = db.query(nameRow, `${named} 1`);
    this.#forget = db.command('DELETE FROM sample_name WHERE sha256 = ?');
  }

  add(sha256: string, { name, path, added }: SampleName): void {
    this.#add.run(sha256, name.toWellFormed(), path.toWellFormed(), added);
  }

  /** Newest first, the newest thousand. */
  of(sha256: string | null): SampleName[] {
    return sha256 === null ? [] : this.#of.all(sha256);
  }

  latest(sha256: string | null): string | null {
    return sha256 === null ? null : (this.#latest.get(sha256)?.name ?? null);
  }

  forget(sha256: string): void {
    this.#forget.run(sha256);
  }
}
