import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertNever } from '../../../shared/assert-never.ts';
import { currentTime } from '../../../shared/domain/clock.ts';
import type { ExportAs, ExportSelection } from '../../../shared/domain/export.ts';
import { type Hashes, hashKindOf } from '../../../shared/domain/hash.ts';
import type { ItemFilter, JobItem } from '../../../shared/domain/job.ts';
import { fail, type Failure, FailureError, failureKindOf } from '../../../shared/failure.ts';
import type { Placed } from '../../archive/export/export-file.ts';
import { exportStem, Manifest, unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { type ExportTarget, openTarget } from '../../archive/export/export-target.ts';
import { ExportThreads } from '../../archive/export/export-thread.ts';
import type { ItemOutcome, JobWork } from '../../jobs/job-runner.ts';
import { hashPages, type LibraryReader } from '../../storage/library/library-reader.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { SampleSource } from '../../vault/sample-source.ts';
import type { Vault, VaultDamage } from '../../vault/vault.ts';

interface ExportRunOptions {
  /** The id of this Vitrine. */
  computerId: string;
  vault: Pick<Vault, 'sourceOf' | 'unreadable' | 'hashesOf'>;
  library: Pick<LibraryStore, 'nameOf'>;
  journal: ExportJournal;
  targets: SampleTargets;
}

type Kept = Hashes & { sizeBytes: number };

/** `failure`: why it was left out; `kept` is then null where the vault could not say. */
type Written = { item: JobItem; kept: Kept; failure: null } | { item: JobItem; kept: Kept | null; failure: Failure };

const itemsAtATime = 100;
/** Enough that no thread waits for the next one. */
const copiesAtATime = 8;
/** Of the sample that is being written, as the person sees it. */
const shownEveryBytes = 4 * 1024 * 1024;

/**
 * One run of an export. Its output appears at its end, all of it; until then no item is done, since there is nothing
 * yet that a person could open. Stopped, it leaves nothing, and another run begins from the start.
 */
export class ExportRun {
  readonly #options: ExportRunOptions;
  readonly #work: JobWork;
  readonly #as: ExportAs;
  readonly #detail: ExportDetail;
  readonly #manifest = new Manifest();
  readonly #outcomes: ItemOutcome[] = [];
  readonly #exported: string[] = [];
  /** Those that have left according to the journal. */
  readonly #noted: string[] = [];

  constructor(options: ExportRunOptions, work: JobWork, as: ExportAs) {
    this.#options = options;
    this.#work = work;
    this.#as = as;
    this.#detail = detailOf('folder', as);
  }

  /**
   * @returns what was written, null when no sample could be; rejects with a failure that any sample would meet, or the
   * signal's reason
   */
  async into(folder: string): Promise<Placed | null> {
    const { signal } = this.#work;
    const target = await this.#options.targets.open(
      folder,
      unfinishedNameOf(this.#options.computerId, this.#work.id),
      this.#as,
    );
    const cutOff = (): void => void target.discard();
    signal.addEventListener('abort', cutOff);
    try {
      await this.#writeSamples(target);
      if (this.#exported.length > 0) return await this.#finish(target);
      await target.discard();
      return null;
    } catch (error) {
      await target.discard();
      await this.#options.journal.noteAll(
        this.#noted,
        signal.aborted ? 'cancelled' : failureKindOf(error),
        this.#detail,
      );
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', cutOff);
    }
  }

  /** What became of the items, once what was written is there. */
  get outcomes(): readonly ItemOutcome[] {
    return this.#outcomes;
  }

  /** Several are on their way; what became of them is taken in in their order. */
  async #writeSamples(target: SampleTarget): Promise<void> {
    const going: Promise<Written>[] = [];
    for (let items = this.#work.take(itemsAtATime); items.length > 0; items = this.#work.take(itemsAtATime)) {
      if (this.#as.form === 'raw') await this.#note(items.map(({ hash }) => hash));
      for (const item of items) {
        this.#work.signal.throwIfAborted();
        going.push(this.#begin(item, target));
        if (going.length < copiesAtATime) continue;
        const [first] = going.splice(0, 1);
        if (first) this.#takeIn(await first);
      }
    }
    for (const written of going) this.#takeIn(await written);
    this.#work.signal.throwIfAborted();
  }

  #begin(item: JobItem, target: SampleTarget): Promise<Written> {
    const writing = this.#write(item, target).finally(() => this.#work.active(item.position, null));
    // The consumer gets the error. When an earlier one ends the export there is no consumer.
    writing.catch(() => undefined);
    return writing;
  }

  async #write(item: JobItem, target: SampleTarget): Promise<Written> {
    const { vault } = this.#options;
    let kept: Kept | null = null;
    try {
      kept = (await vault.hashesOf(item.hash)) ?? fail({ kind: 'not-in-vault', sha256: item.hash });
      const reason = await target.copy({
        ...kept,
        source: vault.sourceOf(item.hash),
        moved: this.#shownFor(item, kept),
      });
      return reason === null
        ? { item, kept, failure: null }
        : { item, kept, failure: vault.unreadable(item.hash, reason) };
    } catch (error) {
      if (!(error instanceof FailureError) || target.hasFailed || this.#work.signal.aborted) throw error;
      return { item, kept, failure: error.failure };
    }
  }

  #shownFor({ position, hash }: JobItem, { sizeBytes }: Kept): (bytes: number) => void {
    let receivedBytes = 0;
    let shownBytes = -shownEveryBytes;
    return (bytes) => {
      receivedBytes += bytes;
      this.#work.moved(bytes);
      if (receivedBytes - shownBytes < shownEveryBytes) return;
      shownBytes = receivedBytes;
      this.#work.active(position, { position, hash, phase: 'writing', receivedBytes, totalBytes: sizeBytes });
    };
  }

  #takeIn({ item, kept, failure }: Written): void {
    if (failure !== null) return this.#leftOut(item, kept, failure);
    this.#list(item, kept, 'exported');
    this.#exported.push(kept.sha256);
    this.#outcomes.push({ position: item.position, state: 'done', sizeBytes: kept.sizeBytes });
  }

  /** One sample's failure: the others continue, and the manifest lists it as missing. */
  #leftOut(item: JobItem, kept: Kept | null, failure: Failure): void {
    this.#list(item, kept, failure.kind);
    this.#outcomes.push({ position: item.position, state: 'failed', failure });
    this.#options.journal.note(item.hash, failure.kind, this.#detail);
  }

  #list({ hash }: JobItem, kept: Kept | null, outcome: string): void {
    const { sha1, md5, sizeBytes } = kept ?? { sha1: null, md5: null, sizeBytes: null };
    this.#manifest.add({ sha256: hash, sha1, md5, sizeBytes, name: this.#options.library.nameOf(hash), outcome });
  }

  /** The rows are there before what they speak of is. */
  async #finish(target: SampleTarget): Promise<Placed> {
    const { csv, json } = this.#manifest.files();
    await target.addManifest(csv);
    await target.addManifest(json);
    await target.finish();
    if (this.#as.form !== 'raw') await this.#note(this.#exported);
    this.#work.signal.throwIfAborted();
    return target.place(exportStem(currentTime(), this.#exported.length));
  }

  async #note(sha256s: readonly string[]): Promise<void> {
    await this.#options.journal.noteAll(sha256s, 'done', this.#detail);
    for (const sha256 of sha256s) this.#noted.push(sha256);
  }
}

export type SampleTarget = ExportTarget<SampleSource>;

/** Where samples of the vault go. */
export class SampleTargets {
  readonly #threads = new ExportThreads<SampleSource>({ entry: './sample-export-worker', beside: import.meta.url });

  /** @throws FailureError `not-writable`, `disk-full`, `disk-failed` */
  open(folder: string, unfinishedName: string, as: ExportAs): Promise<SampleTarget> {
    return openTarget({ folder, unfinishedName, threads: this.#threads }, as);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

interface SelectedSample {
  sha256: string;
  md5: string | null;
  sizeBytes: number | null;
  /** As the library has it: the vault itself is asked when the sample leaves. */
  inVault: boolean;
}

/** The items of a job in the order of their positions, a page at a time. */
export interface JobItemsReader {
  itemsForExport(id: number, filter: ItemFilter): AsyncIterable<readonly JobItem[]>;
}

export interface SelectionOptions {
  library: Pick<LibraryStore, 'find'>;
  libraryReader: Pick<LibraryReader, 'hashes'>;
  items: JobItemsReader;
}

/** Looked up before the thread is free again: some milliseconds' worth. */
const samplesATurn = 100;

/**
 * What a selection means now, each sample once, in its order, a page at a time. Of those named one by one all are
 * given; of a job's items and of what a query finds those that the vault holds.
 */
export async function* selectedSamples(
  selection: ExportSelection,
  options: SelectionOptions,
): AsyncGenerator<SelectedSample[], void, void> {
  const seen = new Set<string>();
  const isNew = (sha256: string): boolean => seen.size < seen.add(sha256).size;
  for await (const sha256s of sha256Pages(selection, options)) {
    for (let at = 0; at < sha256s.length; at += samplesATurn) {
      const found = sha256s
        .slice(at, at + samplesATurn)
        .filter(isNew)
        .map((sha256) => sampleOf(sha256, options.library));
      yield selection.kind === 'samples' ? found : found.filter(({ inVault }) => inVault);
      await nextTurn();
    }
  }
}

async function* sha256Pages(
  selection: ExportSelection,
  { items, libraryReader }: SelectionOptions,
): AsyncGenerator<readonly string[], void, void> {
  switch (selection.kind) {
    case 'samples':
      yield selection.sha256s;
      return;
    case 'job':
      for await (const page of items.itemsForExport(selection.id, selection.filter))
        yield page.flatMap(({ sha256 }) => sha256 ?? []);
      return;
    case 'query':
      for await (const page of hashPages(selection, libraryReader))
        yield page.filter((hash) => hashKindOf(hash) === 'sha256');
      return;
    default:
      assertNever(selection);
  }
}

function sampleOf(sha256: string, library: SelectionOptions['library']): SelectedSample {
  const known = library.find(sha256);
  return { sha256, md5: known?.md5 ?? null, sizeBytes: known?.sizeBytes ?? null, inVault: known?.inVault ?? false };
}

/** How samples left, for the journal. The password is no part of it. */
interface ExportDetail {
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

/** Writes exports into the journal and the library. */
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

  /** A copy that is lost or damaged is no copy: only when the library records so can it be downloaded again. */
  forgetLost(sha256: string, outcome: string): void {
    const damage = damages.get(outcome);
    if (damage === undefined || this.#library.find(sha256)?.inVault !== true) return;
    this.#library.setDamage(sha256, damage);
  }
}
