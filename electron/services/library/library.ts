import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationOutput, OperationRequest } from '../../../shared/contract.ts';
import type { LibrarySample, SavedView } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import type { EventHub } from '../../event-hub.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { SavedViewStore } from '../../storage/saved-view-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { requireExpected } from './require-expected.ts';
import { selectedHashes } from './selected-hashes.ts';
import { StepSize } from './step-size.ts';

export interface LibraryOptions {
  store: LibraryStore;
  reader: LibraryReader;
  views: SavedViewStore;
  vault: Pick<Vault, 'remove'>;
  /** A clean-up looks for bytes that the library lost: it would bring back what is just being forgotten. */
  isCleaningUp(): boolean;
  events: EventHub;
}

/** Done before the thread is free again, at most. */
const changedATurn = 50;
const forgottenATurn = 10;
const commentsATurn = 200;

/** Removed by the vault before what is left is looked for again. */
const droppedATurn = 100;

/** What a person asks of all that this desk knows, and says of it. */
export class Library {
  readonly #options: LibraryOptions;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
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
  change(request: OperationRequest<'library.change'>): Promise<OperationOutput<'library.change'>> {
    return this.#untilClosed(this.#change(request));
  }

  async #change({ selection, change }: OperationRequest<'library.change'>): Promise<OperationOutput<'library.change'>> {
    const { store, reader } = this.#options;
    const sum = { changed: 0, leftOut: 0 };
    const size = new StepSize(changedATurn);
    try {
      for await (const hashes of selectedHashes(selection, reader, size)) {
        this.#requireOpen();
        const { changed, leftOut } = size.step(() => store.changeSamples(hashes, change));
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

  /**
   * All of a step is tried; what could not be removed then is removed before the next time.
   * @throws FailureError `storage-busy` while a clean-up goes on, `selection-changed`, `cancelled` when it is closed, or as the vault does
   */
  async forget(request: OperationRequest<'library.forget'>): Promise<OperationOutput<'library.forget'>> {
    if (this.#options.isCleaningUp()) fail({ kind: 'storage-busy' });
    this.#forgetting += 1;
    const sum = { forgotten: 0 };
    try {
      await this.#untilClosed(this.#forget(request, sum));
    } finally {
      this.#forgetting -= 1;
      if (sum.forgotten > 0) this.#tellChanged();
    }
    return sum;
  }

  /** What was forgotten before, and could not be removed from the vault then, is removed. @throws FailureError as the vault does */
  finishForgetting(): Promise<void> {
    return this.#untilClosed(this.#finishForgetting());
  }

  /** Resolves when nothing is written any more; what is left of a selection stays as it is. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running);
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

  /** The library forgets first: a row whose bytes went first would promise what is not there. Which bytes are to go it keeps in mind. */
  async #forget({ selection, what, expected }: OperationRequest<'library.forget'>, sum: { forgotten: number }): Promise<void> {
    const { store, reader } = this.#options;
    await this.#finishForgetting();
    await requireExpected(selection, reader, expected);
    for await (const hashes of selectedHashes(selection, reader, { now: forgottenATurn })) {
      if (what === 'all') await this.#forgetComments(hashes);
      this.#requireOpen();
      const known = hashes.filter((hash) => store.find(hash) !== null);
      const bytesOf = store.forget(known, what);
      sum.forgotten += what === 'bytes' ? bytesOf.length : known.length;
      await this.#drop(bytesOf);
    }
  }

  /** First, and some at a time: a record may have twenty thousand. Cut off here, those that are gone come again with the next record. */
  async #forgetComments(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      while (this.#options.store.forgetComments(hash, commentsATurn)) {
        await nextTurn();
        this.#requireOpen();
      }
    }
  }

  async #finishForgetting(): Promise<void> {
    const { store } = this.#options;
    for (let left = store.bytesToDrop(droppedATurn); left.length > 0; left = store.bytesToDrop(droppedATurn)) {
      await this.#drop(left);
      this.#requireOpen();
    }
  }

  /** To be called in the very turn in which they were read from the library: the vault spares what arrives from then on. */
  async #drop(sha256s: readonly string[]): Promise<void> {
    const { store, vault } = this.#options;
    const removals = await Promise.allSettled(sha256s.map((sha256) => vault.remove(sha256)));
    store.dropped(sha256s.filter((_, index) => removals[index]?.status === 'fulfilled'));
    for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
  }

  async #untilClosed<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  #requireOpen(): void {
    if (this.#end.signal.aborted) fail({ kind: 'cancelled' });
  }

  #tellChanged(): void {
    this.#options.events.emit({ name: 'library.changed', payload: {} });
  }

  #tellViews(): void {
    this.#options.events.emit({ name: 'views.changed', payload: {} });
  }
}
