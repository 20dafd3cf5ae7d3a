import { replaceEqualDeep } from '@tanstack/react-query';
import type { LibraryRow } from '../../../shared/domain/library.ts';

/** As many rows are remembered, those that were read last. */
const kept = 20_000;

/** The rows that were read so far, as they were then. */
export class KnownRows {
  readonly #rows = new Map<string, LibraryRow>();

  /** The same object as before where nothing of the row changed: then it is not drawn again. */
  note(row: LibraryRow): LibraryRow {
    const before = this.#rows.get(row.hash);
    const now = before === undefined ? row : replaceEqualDeep(before, row);
    this.#rows.delete(row.hash);
    this.#rows.set(row.hash, now);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > kept && oldest !== undefined) this.#rows.delete(oldest);
    return now;
  }

  of(hash: string): LibraryRow | undefined {
    return this.#rows.get(hash);
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
}
