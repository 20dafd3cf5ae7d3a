import { z } from 'zod';
import { type SampleLook, sampleLook } from '../../shared/domain/library.ts';
import type { Database } from './database.ts';

const storedRow = z.object({ sha256: z.string(), type: z.string().nullable(), strip: z.string().nullable() });

/**
 * How bytes look, as it was found once. Bytes stay as they are: what is known of them is not taken back. The caller
 * gives the transaction.
 */
export class LibraryLooks {
  readonly #of;
  readonly #put;
  readonly #setType;
  readonly #forget;

  constructor(db: Database) {
    this.#of = db.query(
      storedRow,
      'SELECT sha256, type, strip FROM sample_look WHERE sha256 IN (SELECT value FROM json_each(?))',
    );
    this.#put = db.command(
      `INSERT INTO sample_look (sha256, type, strip) SELECT ?1, ?2, ?3
        WHERE EXISTS (SELECT 1 FROM sample WHERE sha256 = ?1)
      ON CONFLICT DO UPDATE SET type = ifnull(excluded.type, type), strip = ifnull(excluded.strip, strip)`,
    );
    this.#setType = db.command('UPDATE sample SET type = ?1 WHERE sha256 = ?2 AND type IS NOT ?1');
    this.#forget = db.command('DELETE FROM sample_look WHERE sha256 = ?');
  }

  /** Those that were kept, in any order; one that cannot be read is made again. */
  of(sha256s: readonly string[]): SampleLook[] {
    return this.#of.all(JSON.stringify(sha256s)).flatMap((row) => sampleLook.safeParse(row).data ?? []);
  }

  /**
   * What bytes tell of their type is what a row shows of it. Of bytes that were forgotten meanwhile nothing is kept.
   */
  keep({ sha256, type, strip }: SampleLook): void {
    this.#put.run(sha256, type, strip);
    if (type !== null) this.#setType.run(type, sha256);
  }

  forget(sha256: string): void {
    this.#forget.run(sha256);
  }
}
