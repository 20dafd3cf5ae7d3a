import { replaceEqualDeep } from '@tanstack/react-query';
import type { LibraryRow } from '../../../shared/domain/library.ts';

/** As many rows are remembered, those that were read last. */
const kept = 20_000;

/** The rows that were read so far, as they were then. */
export class KnownRows {
  readonly #rows = new Map<string, LibraryRow>();
  /** Those that have a SHA-256, by their MD5. */
  readonly #byMd5 = new Map<string, LibraryRow>();

  /** The same object as before where nothing of the row changed: then it is not drawn again. */
  note(row: LibraryRow): LibraryRow {
    const before = this.#rows.get(row.hash);
    const now = before === undefined ? row : replaceEqualDeep(before, row);
    this.#rows.delete(row.hash);
    this.#rows.set(row.hash, now);
    if (now.sha256 !== null && now.md5 !== null) this.#byMd5.set(now.md5, now);
    const [oldest] = this.#rows.values();
    if (this.#rows.size > kept && oldest !== undefined) this.#forget(oldest);
    return now;
  }

  of(hash: string): LibraryRow | undefined {
    return this.#rows.get(hash);
  }

  /** Whether a row with a SHA-256 was read that has this MD5: the one that went by the MD5 alone may be it. */
  isMd5OfOther(hash: string): boolean {
    return this.#byMd5.has(hash);
  }

  /** How large these are together, in bytes; null where one of them is not remembered. */
  bytesOf(hashes: Iterable<string>): number | null {
    let sum = 0;
    for (const hash of hashes) {
      const row = this.#rows.get(hash);
      if (row === undefined) return null;
      sum += row.sizeBytes ?? 0;
    }
    return sum;
  }

  #forget({ hash, md5 }: LibraryRow): void {
    this.#rows.delete(hash);
    if (md5 !== null && this.#byMd5.get(md5)?.hash === hash) this.#byMd5.delete(md5);
  }
}
