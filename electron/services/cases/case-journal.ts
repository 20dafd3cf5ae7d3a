import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaseTaker } from '../../../shared/domain/case.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';

/** How a sample, or what is known of it, left in a case. `encryption`: of the bytes, where these went along. */
export interface CaseDetail {
  of: 'case';
  to: 'folder' | CaseTaker;
  form: CaseFormat;
  encryption: 'zipcrypto' | null;
}

const rowsATurn = 100;

/** What the journal is told of cases. */
export class CaseJournal {
  readonly #library: Pick<LibraryStore, 'recordExports'>;

  constructor(library: Pick<LibraryStore, 'recordExports'>) {
    this.#library = library;
  }

  /** A row each; whatever else waits for this thread has its turn in between. */
  async note(hashes: readonly string[], outcome: string, detail: CaseDetail): Promise<void> {
    for (let at = 0; at < hashes.length; at += rowsATurn) {
      this.#library.recordExports(hashes.slice(at, at + rowsATurn), { outcome, detail: { ...detail } });
      await nextTurn();
    }
  }
}
