import { type Hashes, hashKindOf } from '../../../shared/domain/hash.ts';
import type { Database } from '../database/database.ts';
import { sampleColumns, sampleRow, type SampleRow } from './sample-table.ts';

/** A service's statement about a sample, unproven. */
export interface Claim {
  md5: string;
  sha1: string | null;
  sha256: string | null;
  sizeBytes: number | null;
}

/**
 * Maps hashes to rows of samples. Bytes hashed here are facts; a service's statement is a claim, which may create a row
 * but never change a fact, and is withdrawn when the bytes disprove it. One MD5 may have several SHA-256: they stay
 * apart.
 */
export class LibrarySamples {
  readonly #bySha256;
  readonly #bySha1;
  readonly #byMd5;
  readonly #insert;
  readonly #insertProven;
  readonly #see;
  readonly #claim;
  readonly #prove;
  readonly #takeBack;
  readonly #drop;

  constructor(db: Database) {
    const select = `SELECT ${sampleColumns} FROM sample WHERE`;
    // The one to show when several share a hash: what the vault holds, then what was seen last.
    const best = 'ORDER BY in_vault DESC, verified DESC, last_seen DESC, id DESC LIMIT 100';
    this.#bySha256 = db.query(sampleRow, `${select} sha256 = ?`);
    this.#bySha1 = db.query(sampleRow, `${select} sha1 = ? ${best}`);
    this.#byMd5 = db.query(sampleRow, `${select} md5 = ? ${best}`);
    this.#insert = db.command('INSERT INTO sample (md5, sha256, first_seen, last_seen) VALUES (?, ?, ?, ?)');
    this.#insertProven = db.command(
      `INSERT INTO sample (md5, sha1, sha256, size_bytes, verified, in_vault, first_seen, last_seen)
        VALUES (?1, ?2, ?3, ?4, 1, ?6, ?5, ?5)`,
    );
    this.#see = db.command('UPDATE sample SET last_seen = ? WHERE id = ?');
    this.#claim = db.command(
      `UPDATE sample SET sha256 = ifnull(sha256, ?), sha1 = ifnull(?, sha1), size_bytes = ifnull(?, size_bytes),
        last_seen = ? WHERE id = ?`,
    );
    this.#prove = db.command(
      `UPDATE sample SET md5 = ?1, sha1 = ?2, sha256 = ?3, size_bytes = ?4, verified = 1, in_vault = max(in_vault, ?5),
        damage = iif(?5 = 1, NULL, damage), last_seen = ?6 WHERE id = ?7`,
    );
    this.#takeBack = db.command('UPDATE sample SET sha1 = NULL, sha256 = NULL, size_bytes = NULL WHERE id = ?');
    this.#drop = db.command('DELETE FROM sample WHERE id = ?');
  }

  withSha256(sha256: string): SampleRow | null {
    return this.#bySha256.get(sha256);
  }

  withSha1(sha1: string): SampleRow | null {
    return this.#bySha1.get(sha1);
  }

  /** The best first; more than one only when they differ in SHA-256. */
  withMd5(md5: string): SampleRow[] {
    return this.#byMd5.all(md5);
  }

  /** The hashes that the other rows with its MD5 go by, at most twenty. */
  besides({ id, md5 }: Pick<SampleRow, 'id' | 'md5'>): string[] {
    const others = this.withMd5(md5).filter((row) => row.id !== id);
    return others.slice(0, 20).map(({ sha256 }) => sha256 ?? md5);
  }

  /** By any hash; of several with one MD5 or SHA-1, the best first. */
  withHash(hash: string): SampleRow[] {
    const kind = hashKindOf(hash);
    if (kind === 'md5') return this.withMd5(hash);
    if (kind === null) return [];
    const row = kind === 'sha256' ? this.withSha256(hash) : this.withSha1(hash);
    return row ? [row] : [];
  }

  /** The row that goes by this hash in the library: of several with one MD5, the one that has no SHA-256. */
  knownBy(hash: string): SampleRow | null {
    const rows = this.withHash(hash);
    return rows.find(({ sha256 }) => sha256 === null) ?? rows[0] ?? null;
  }

  /** Finds or makes the row that a service's record means. @returns its id */
  claimed(claim: Claim, now: string): number {
    const row = this.#claimedRow(claim);
    const id = row?.id ?? this.#insert.run(claim.md5, null, now, now).rowId;
    if (row?.verified) this.#see.run(now, id);
    else this.#claim.run(this.#freeSha256(claim, id), claim.sha1, claim.sizeBytes, now, id);
    return id;
  }

  /**
   * Finds or makes the row of bytes that were hashed here. `inVault`: the vault holds them now; else that stays as it
   * was.
   * @returns the MD5s of which something changed
   */
  proven(hashes: Hashes, { sizeBytes, inVault, now }: { sizeBytes: number; inVault: boolean; now: string }): string[] {
    const { md5, sha1, sha256 } = hashes;
    const named = this.withSha256(sha256);
    const disproved = named && named.md5 !== md5 ? this.#disprove(named) : [];
    const known = disproved.length > 0 ? null : named;
    const alone = this.withMd5(md5).find((row) => row.sha256 === null);
    if (known && alone) this.#drop.run(alone.id);
    const id = known?.id ?? alone?.id;
    if (id === undefined) this.#insertProven.run(md5, sha1, sha256, sizeBytes, now, Number(inVault));
    else this.#prove.run(md5, sha1, sha256, sizeBytes, Number(inVault), now, id);
    return [md5, ...disproved];
  }

  #claimedRow({ md5, sha256 }: Claim): SampleRow | undefined {
    const rows = this.withMd5(md5);
    const alone = rows.find((row) => row.sha256 === null);
    if (sha256 === null) return alone ?? rows[0];
    return rows.find((row) => row.sha256 === sha256) ?? alone;
  }

  /** A SHA-256 that already belongs to another sample is not given to this one, whatever a service claims. */
  #freeSha256({ sha256 }: Claim, id: number): string | null {
    const owner = sha256 === null ? null : this.withSha256(sha256);
    return owner && owner.id !== id ? null : sha256;
  }

  /** A row that claimed this SHA-256 for another MD5 was wrong: it goes back to what is left of it, its MD5. */
  #disprove(wrong: SampleRow): string[] {
    if (this.withMd5(wrong.md5).some((row) => row.sha256 === null)) this.#drop.run(wrong.id);
    else this.#takeBack.run(wrong.id);
    return [wrong.md5];
  }
}
