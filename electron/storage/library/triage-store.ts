import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Journal } from '../journal/journal.ts';
import type { Detail } from './library-notes.ts';
import { LibrarySamples } from './library-samples.ts';

const recordRow = z.object({ there: z.number() });

/** What is known here of a hash, for a look-up of many: their records are kept by `LibraryStore`. */
export class TriageStore {
  readonly #journal: Journal;
  readonly #samples: LibrarySamples;
  readonly #record;

  constructor(db: Database, journal: Journal) {
    this.#journal = journal;
    this.#samples = new LibrarySamples(db);
    this.#record = db.query(
      recordRow,
      `SELECT 1 AS there FROM record WHERE md5 = ?1 AND (?2 IS NULL OR sha256 IS NULL OR sha256 = ?2) LIMIT 1`,
    );
  }

  /** null: nothing. `isRecorded`: a workspace's record of it was read. */
  known(hash: string): { md5: string; isRecorded: boolean } | null {
    const row = this.#samples.withHash(hash)[0];
    return row === undefined ? null : { md5: row.md5, isRecorded: this.#record.get(row.md5, row.sha256) !== null };
  }

  /** One entry of the journal for all hashes of a run: what of them was found is in the detail. */
  note(workspaceId: string, outcome: string, detail: Detail): void {
    this.#journal.append({ workspaceId, operation: 'look-up', hash: null, outcome, detail });
  }
}
