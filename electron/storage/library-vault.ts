import { z } from 'zod';
import type { Database } from './database.ts';

/** A sample whose bytes the vault has. */
export interface SampleInVault {
  /** Rises with the order in which samples came to be known. */
  id: number;
  sha256: string;
  md5: string;
  /** As a service had it last; untrusted text. */
  name: string | null;
  sizeBytes: number;
}

const vaultRow = z.object({
  id: z.number(),
  sha256: z.string(),
  md5: z.string(),
  name: z.string().nullable(),
  sizeBytes: z.number(),
});

/** Altered bytes are there, though they are not what they were; missing ones are not. In a statement over `sample`. */
export const isInVault = "sample.in_vault = 1 AND sample.damage IS NOT 'missing'";
/**
 * What samples have together, in a statement over `sample`. What a service or a bundle claims is bounded, but a million
 * claims are more than a number of JavaScript can be.
 */
export const bytesTogether = `min(total(size_bytes), ${Number.MAX_SAFE_INTEGER})`;
/** Samples that are missing, and their bytes: `library_total` counts them. */
export const missingOfTotal = `SELECT count(*) AS samples, ${bytesTogether} AS bytes
  FROM sample INDEXED BY sample_with_damage
  WHERE damage IS NOT NULL AND damage = 'missing' AND in_vault = 1`;

/** What the vault holds, for whoever goes through all of it. */
export class LibraryVault {
  readonly #page;
  readonly #expected;
  readonly #numbered;

  constructor(db: Database) {
    const page = (which: string): string => `SELECT id, sha256, md5, name, ifnull(size_bytes, 0) AS sizeBytes
      FROM sample INDEXED BY sample_in_vault
      WHERE ${which} AND id > ? AND sha256 IS NOT NULL ORDER BY id LIMIT ?`;
    this.#page = db.query(vaultRow, page(isInVault));
    this.#numbered = db.query(
      vaultRow,
      `SELECT id, sha256, md5, name, ifnull(size_bytes, 0) AS sizeBytes FROM sample
      WHERE id IN (SELECT value FROM json_each(?)) AND sha256 IS NOT NULL ORDER BY id`,
    );
    this.#expected = db.query(vaultRow, page('in_vault = 1'));
  }

  page(after: number, limit: number): SampleInVault[] {
    return this.#page.all(after, limit);
  }

  /** Samples by these numbers, as far as there are any, whether the vault has them or not. */
  numbered(ids: readonly number[]): SampleInVault[] {
    return this.#numbered.all(JSON.stringify(ids));
  }

  /** The same with those that are missing. */
  expected(after: number, limit: number): SampleInVault[] {
    return this.#expected.all(after, limit);
  }
}
