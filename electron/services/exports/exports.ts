import type { BrowserDownload, ExportResult } from '../../../shared/domain/export.ts';
import type { Hashes } from '../../../shared/domain/hash.ts';
import type { ZipEncryption } from '../../../shared/domain/settings.ts';
import { fail, FailureError, failureKindOf } from '../../../shared/failure.ts';
import { type FileNotes, NotedFiles } from '../../archive/export/export-file.ts';
import { Manifest, type ManifestFile } from '../../archive/export/export-manifest.ts';
import { writeSampleZip } from '../../archive/writing/sample-zip.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { PreparedDownloads, type PreparedExport } from './browser-exports.ts';
import { ExportJournal, type SampleTarget, SampleTargets } from './export-run.ts';

export interface ZipRequest {
  sha256: string;
  encryption: ZipEncryption;
  password: string;
}

export interface ExportsOptions {
  vault: Vault;
  library: LibraryStore;
  notes: FileNotes;
}

type Kept = Hashes & { sizeBytes: number };

/** A sample leaves the vault as a password ZIP: into the host's export folder, or once by the browser. */
export class Exports {
  readonly #options: ExportsOptions;
  readonly #journal: ExportJournal;
  /** For whatever else goes into a folder as one file without a job. */
  readonly files: NotedFiles;
  /** For exports of many, too. */
  readonly targets = new SampleTargets();
  readonly #prepared = new PreparedDownloads();
  readonly #writing = new Set<Promise<unknown>>();
  readonly #end = new AbortController();

  constructor(options: ExportsOptions) {
    this.#options = options;
    this.files = new NotedFiles(options.notes);
    this.#journal = new ExportJournal(options.library);
  }

  /** Files being written. */
  get running(): number {
    return this.#writing.size;
  }

  async toFolder(request: ZipRequest, folder: string | null): Promise<ExportResult> {
    const written = this.#writeInto(folder ?? fail({ kind: 'no-export-folder' }), request);
    const over: Promise<unknown> = Promise.allSettled([written]).then(() => this.#writing.delete(over));
    this.#writing.add(over);
    return written;
  }

  /** Cuts off what is being written into a folder, so that nothing half-written stays there. */
  async close(): Promise<void> {
    this.#end.abort(new FailureError({ kind: 'cancelled' }));
    await Promise.all(this.#writing);
    await this.targets.close();
  }

  async forBrowser(request: ZipRequest): Promise<ExportResult> {
    const kept = await this.#kept(request);
    const zip = this.#zip(kept, request);
    return this.offer({
      fileName: `${kept.sha256}.zip`,
      sizeBytes: null,
      open: () => this.#journalledAfter(request, zip),
    });
  }

  offer(prepared: PreparedExport): BrowserDownload {
    return this.#prepared.offer(prepared);
  }

  /** Hands a prepared download out; its id is dead from then on. */
  take(id: string): PreparedExport | null {
    return this.#prepared.take(id);
  }

  async #writeInto(folder: string, request: ZipRequest): Promise<ExportResult> {
    const kept = await this.#kept(request);
    try {
      return await this.files.underWay(folder, async (unfinished) =>
        this.#fillAndPlace(await this.targets.open(folder, unfinished, { form: 'one-zip', ...request }), kept, request),
      );
    } catch (error) {
      this.#note(request, 'folder', failureKindOf(error));
      throw error;
    }
  }

  /**
   * The row is there before the file is: no copy is ever without one. When the disk refuses the file then, a second row
   * records so.
   */
  async #fillAndPlace(target: SampleTarget, kept: Kept, request: ZipRequest): Promise<ExportResult> {
    const { signal } = this.#end;
    const cutOff = (): void => void target.discard();
    signal.addEventListener('abort', cutOff);
    try {
      // The listener does not receive an earlier abort.
      signal.throwIfAborted();
      await this.#copy(target, kept);
      await target.addManifest(this.#manifestOf(kept));
      const sizeBytes = await target.finish();
      signal.throwIfAborted();
      this.#note(request, 'folder', 'done');
      return { kind: 'folder', ...(await target.place(kept.sha256)), sizeBytes };
    } catch (error) {
      await target.discard();
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', cutOff);
    }
  }

  async #copy(target: SampleTarget, { sha256, sizeBytes }: Kept): Promise<void> {
    const { vault } = this.#options;
    const reason = await target.copy({ sha256, sizeBytes, source: vault.sourceOf(sha256), moved: () => {} });
    if (reason !== null) fail(vault.unreadable(sha256, reason));
  }

  #zip(kept: Kept, { encryption, password }: ZipRequest): AsyncIterable<Uint8Array> {
    const sample = { name: kept.sha256, sizeBytes: kept.sizeBytes, open: () => this.#options.vault.read(kept.sha256) };
    return writeSampleZip([sample, this.#manifestOf(kept)], { encryption, password });
  }

  #manifestOf(kept: Kept): ManifestFile {
    const manifest = new Manifest();
    manifest.add({ ...kept, name: this.#options.library.nameOf(kept.sha256), outcome: 'exported' });
    return manifest.files().csv;
  }

  async #kept({ sha256, password }: ZipRequest): Promise<Kept> {
    if (password === '') fail({ kind: 'password-empty' });
    try {
      return (await this.#options.vault.hashesOf(sha256)) ?? fail({ kind: 'not-in-vault', sha256 });
    } catch (error) {
      this.#journal.forgetLost(sha256, failureKindOf(error));
      throw error;
    }
  }

  /** Whether it left whole is known only afterwards: a browser may go away at any byte. */
  async *#journalledAfter(request: ZipRequest, zip: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let outcome = 'aborted';
    try {
      yield* zip;
      outcome = 'done';
    } catch (error) {
      outcome = failureKindOf(error);
      throw error;
    } finally {
      this.#note(request, 'browser', outcome);
    }
  }

  #note({ sha256, encryption }: ZipRequest, to: 'folder' | 'browser', outcome: string): void {
    this.#journal.note(sha256, outcome, { to, form: 'one-zip', encryption });
  }
}
