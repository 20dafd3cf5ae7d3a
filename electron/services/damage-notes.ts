import type { EventHub } from '../event-hub.ts';
import type { LibraryStore } from '../storage/library-store.ts';
import type { VaultDamage } from '../vault/vault.ts';

export interface DamageNotesOptions {
  library: Pick<LibraryStore, 'find' | 'setDamage'>;
  events: EventHub;
}

/** Whoever finds that the vault has lost a sample, or that its bytes are others, makes the library say so: then it can be downloaded again. */
export class DamageNotes {
  readonly #options: DamageNotesOptions;

  constructor(options: DamageNotesOptions) {
    this.#options = options;
  }

  /** Of a sample that the library does not expect in the vault nothing is noted: nothing was lost. */
  note(sha256: string, damage: VaultDamage): void {
    const { library, events } = this.#options;
    if (library.find(sha256)?.inVault !== true) return;
    library.setDamage(sha256, damage);
    events.emit({ name: 'library.changed', payload: {} });
  }
}
