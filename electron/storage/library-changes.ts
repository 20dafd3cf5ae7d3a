import type { LibraryChange } from '../../shared/domain/library.ts';
import type { Database } from './database.ts';
import { LibraryLines } from './library-lines.ts';
import { LibraryOwn } from './library-own.ts';
import type { SampleRow } from './library-rows.ts';
import type { LibrarySamples } from './library-samples.ts';
import { LibraryTags } from './library-tags.ts';

export interface StoredChange extends LibraryChange {
  /** Nobody heard whether it was done before: a note that ends with the text has it from then. */
  again?: boolean | undefined;
}

/** What a person says of samples: tags, a TLP, notes. They belong to bytes. The caller gives the transaction. */
export class LibraryChanges {
  readonly #samples: LibrarySamples;
  readonly #lines: LibraryLines;
  readonly #tags: LibraryTags;
  readonly #own: LibraryOwn;

  constructor(db: Database, samples: LibrarySamples) {
    this.#samples = samples;
    this.#lines = new LibraryLines(db);
    this.#tags = new LibraryTags(db);
    this.#own = new LibraryOwn(db);
  }

  /**
   * @returns how many samples are not as they were, and how many were left out: they are not known by a SHA-256, or
   * their note has no room
   */
  change(hashes: readonly string[], change: StoredChange): { changed: number; leftOut: number } {
    // One row may be named by two of its hashes: its note would be written twice.
    const rows = new Map<number | string, SampleRow | null>();
    for (const hash of hashes) {
      const row = this.#samples.knownBy(hash);
      rows.set(row?.id ?? hash, row);
    }
    const outcomes = [...rows.values()].map((row) => this.#one(row, change));
    return {
      changed: outcomes.filter((one) => one === 'changed').length,
      leftOut: outcomes.filter((one) => one === 'left-out').length,
    };
  }

  setNote(sha256: string, text: string): void {
    const row = this.#samples.withSha256(sha256);
    if (row !== null && this.#own.setNote(sha256, text)) this.#lines.refreshOwn(row);
  }

  #one(row: SampleRow | null, change: StoredChange): 'changed' | 'same' | 'left-out' {
    const sha256 = row?.sha256 ?? null;
    if (row === null || sha256 === null) return 'left-out';
    if (change.whereTlp !== undefined && this.#own.tlp(sha256) !== change.whereTlp) return 'same';
    return this.#put({ ...row, sha256 }, change);
  }

  #put(
    row: SampleRow & { sha256: string },
    { add, remove, tlp, note = '', again = false }: StoredChange,
  ): 'changed' | 'same' | 'left-out' {
    const { sha256 } = row;
    const isNoted = again && this.#own.endsWith(sha256, note);
    const text = note.trim() === '' || isNoted ? undefined : this.#own.noteWith(sha256, note);
    if (text === null) return 'left-out';
    const hasTags = this.#tags.change(sha256, add, remove);
    const hasTlp = tlp !== undefined && this.#own.setTlp(sha256, tlp);
    const hasNote = text !== undefined && this.#own.setNote(sha256, text);
    if (hasTags) this.#lines.refresh(row);
    else if (hasTlp || hasNote) this.#lines.refreshOwn(row);
    return hasTags || hasTlp || hasNote || isNoted ? 'changed' : 'same';
  }
}
