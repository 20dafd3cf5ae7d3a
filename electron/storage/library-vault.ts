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

const vaultRow = z.object({ id: z.number(), sha256: z.string(), md5: z.string(), name: z.string().nullable(), sizeBytes: z.number() });

/** What the vault holds, for whoever goes through all of it. */
export class LibraryVault {
  readonly #page;

  constructor(db: Database) {
    this.#page = db.query(
      vaultRow,
      `SELECT id, sha256, md5, name, ifnull(size_bytes, 0) AS sizeBytes FROM sample INDEXED BY sample_in_vault
      WHERE in_vault = 1 AND id > ? AND sha256 IS NOT NULL ORDER BY id LIMIT ?`,
    );
  }

  page(after: number, limit: number): SampleInVault[] {
    return this.#page.all(after, limit);
  }
}
