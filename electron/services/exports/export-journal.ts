import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportAs } from '../../../shared/domain/export.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { VaultDamage } from '../../vault/vault.ts';

/** How samples left, as the journal says it. The password is no part of it. */
export interface ExportDetail {
  to: 'folder' | 'browser';
  form: ExportAs['form'];
  encryption: string | null;
}

export function detailOf(to: ExportDetail['to'], as: ExportAs): ExportDetail {
  return { to, form: as.form, encryption: as.form === 'raw' ? null : as.encryption };
}

const rowsATurn = 100;
const damages = new Map<string, VaultDamage>([
  ['vault-damaged', 'altered'],
  ['not-in-vault', 'missing'],
]);

/** What the journal and the library are told of exports. */
export class ExportJournal {
  readonly #library: LibraryStore;

  constructor(library: LibraryStore) {
    this.#library = library;
  }

  note(sha256: string, outcome: string, detail: ExportDetail): void {
    this.#library.recordExport({ sha256, outcome, detail: { ...detail } });
    this.forgetLost(sha256, outcome);
  }

  /** Of many: whatever else waits for this thread has its turn in between. */
  async noteAll(sha256s: readonly string[], outcome: string, detail: ExportDetail): Promise<void> {
    for (let at = 0; at < sha256s.length; at += rowsATurn) {
      this.#library.recordExports(sha256s.slice(at, at + rowsATurn), { outcome, detail: { ...detail } });
      await nextTurn();
    }
  }

  /** A copy that is lost or damaged is no copy: only when the library says so can it be downloaded again. */
  forgetLost(sha256: string, outcome: string): void {
    const damage = damages.get(outcome);
    if (damage === undefined || this.#library.find(sha256)?.inVault !== true) return;
    this.#library.setDamage(sha256, damage);
  }
}
