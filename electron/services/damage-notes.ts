import type { LibraryStore } from '../storage/library/library-store.ts';
import type { VaultDamage } from '../vault/vault.ts';

/**
 * When the vault has lost a sample, or its bytes are others, marks it in the library: then it can be downloaded again.
 */
export class DamageNotes {
  readonly #library: Pick<LibraryStore, 'find' | 'setDamage'>;

  constructor(library: Pick<LibraryStore, 'find' | 'setDamage'>) {
    this.#library = library;
  }

  /** Of a sample that the library does not expect in the vault nothing is noted: nothing was lost. */
  note(sha256: string, damage: VaultDamage): void {
    if (this.#library.find(sha256)?.inVault === true) this.#library.setDamage(sha256, damage);
  }
}
