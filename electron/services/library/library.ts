import type { OperationOutput, OperationRequest } from '../../../shared/contract.ts';
import type { LibrarySample, SavedView } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import type { EventHub } from '../../event-hub.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { SavedViewStore } from '../../storage/saved-view-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { selectedHashes } from './selected-hashes.ts';

export interface LibraryOptions {
  store: LibraryStore;
  reader: LibraryReader;
  views: SavedViewStore;
  vault: Pick<Vault, 'remove'>;
  /** A clean-up looks for bytes that the library lost: it would bring back what is just being forgotten. */
  isCleaningUp(): boolean;
  events: EventHub;
}

/** Done before the thread is free again: some milliseconds' worth. */
const changedATurn = 50;
const forgottenATurn = 10;

/** What a person asks of all that this desk knows, and says of it. */
export class Library {
  readonly #options: LibraryOptions;
  #forgetting = 0;

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  async list(request: OperationRequest<'library.list'>): Promise<OperationOutput<'library.list'>> {
    const began = performance.now();
    const { rows, total } = await this.#options.reader.list(request);
    return { rows, total, elapsedMs: performance.now() - began };
  }

  async totals({ queries }: OperationRequest<'library.totals'>): Promise<OperationOutput<'library.totals'>> {
    return { totals: await this.#options.reader.totals(queries) };
  }

  /** @throws FailureError `not-in-library` */
  sample(hash: string): LibrarySample {
    return this.#options.store.sample(hash) ?? fail({ kind: 'not-in-library', hash });
  }

  facts(request: OperationRequest<'library.facts'>): Promise<OperationOutput<'library.facts'>> {
    return this.#options.reader.facts(request);
  }

  async suggest({ kind, beginning }: OperationRequest<'library.suggest'>): Promise<OperationOutput<'library.suggest'>> {
    return { choices: await this.#options.reader.suggest(kind, beginning) };
  }

  /** A query's samples are changed in steps: when one fails, those before it stay changed. */
  async change({ selection, change }: OperationRequest<'library.change'>): Promise<OperationOutput<'library.change'>> {
    const { store, reader } = this.#options;
    const sum = { changed: 0, leftOut: 0 };
    try {
      for await (const hashes of selectedHashes(selection, reader, changedATurn)) {
        const { changed, leftOut } = store.changeSamples(hashes, change);
        sum.changed += changed;
        sum.leftOut += leftOut;
      }
    } finally {
      if (sum.changed > 0) this.#tellChanged();
    }
    return sum;
  }

  note({ sha256, text }: OperationRequest<'library.note'>): void {
    this.#options.store.setNote(sha256, text);
    this.#tellChanged();
  }

  /** How many are being forgotten right now. */
  get forgetting(): number {
    return this.#forgetting;
  }

  /** @throws FailureError `storage-busy` while a clean-up goes on */
  async forget(request: OperationRequest<'library.forget'>): Promise<OperationOutput<'library.forget'>> {
    if (this.#options.isCleaningUp()) fail({ kind: 'storage-busy' });
    this.#forgetting += 1;
    const sum = { forgotten: 0 };
    try {
      await this.#forget(request, sum);
    } finally {
      this.#forgetting -= 1;
      if (sum.forgotten > 0) this.#tellChanged();
    }
    return sum;
  }

  listViews(): SavedView[] {
    return this.#options.views.list();
  }

  /** @throws FailureError `view-missing`, `too-many-views` */
  saveView(view: OperationRequest<'views.save'>): SavedView {
    const saved = this.#options.views.save(view);
    this.#tellViews();
    return saved;
  }

  removeView(id: number): void {
    this.#options.views.remove(id);
    this.#tellViews();
  }

  /** @throws FailureError `view-missing` */
  moveView(id: number, before: number | null): void {
    this.#options.views.move(id, before);
    this.#tellViews();
  }

  /**
   * The library forgets first: bytes that outlive a crash in between are nobody's, and a clean-up brings them back to mind; a row
   * whose bytes went first would promise what is not there.
   */
  async #forget({ selection, what }: OperationRequest<'library.forget'>, sum: { forgotten: number }): Promise<void> {
    const { store, reader, vault } = this.#options;
    for await (const hashes of selectedHashes(selection, reader, forgottenATurn)) {
      const known = hashes.filter((hash) => store.find(hash) !== null);
      const bytesOf = store.forget(known, what);
      sum.forgotten += what === 'bytes' ? bytesOf.length : known.length;
      for (const sha256 of bytesOf) await vault.remove(sha256);
    }
  }

  #tellChanged(): void {
    this.#options.events.emit({ name: 'library.changed', payload: {} });
  }

  #tellViews(): void {
    this.#options.events.emit({ name: 'views.changed', payload: {} });
  }
}
