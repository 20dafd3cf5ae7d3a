import { randomBytes } from 'node:crypto';
import type { ExportResult } from '../../shared/contract.ts';
import type { ZipEncryption } from '../../shared/domain/settings.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import { writeFileSafely } from '../archive/export-file.ts';
import { manifestCsv } from '../archive/export-manifest.ts';
import { writeSampleZip } from '../archive/sample-zip.ts';
import type { EventHub } from '../event-hub.ts';
import type { LibraryStore } from '../storage/library-store.ts';
import type { Vault } from '../vault/vault.ts';

export interface ZipRequest {
  sha256: string;
  encryption: ZipEncryption;
  password: string;
}

/** A prepared browser download. `open` may be called once. */
export interface PreparedExport {
  fileName: string;
  sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
}

export interface ExportsOptions {
  vault: Vault;
  library: LibraryStore;
  events: EventHub;
}

const preparedForMs = 5 * 60_000;
const preparedAtMost = 32;

/** Samples leave the vault as password ZIPs only: into the host's export folder, or once by the browser. */
export class Exports {
  readonly #options: ExportsOptions;
  readonly #prepared = new Map<string, { prepared: PreparedExport; until: number }>();
  readonly #writing = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: ExportsOptions) {
    this.#options = options;
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
    this.#closed = true;
    await Promise.all(this.#writing);
  }

  async forBrowser(request: ZipRequest): Promise<ExportResult> {
    const zip = await this.#zip(request);
    const id = randomBytes(32).toString('hex');
    const fileName = `${request.sha256}.zip`;
    const prepared = { fileName, sizeBytes: null, open: () => this.#journalledAfter(request, zip) };
    this.#forgetStale();
    this.#prepared.set(id, { prepared, until: Date.now() + preparedForMs });
    return { kind: 'browser', id, fileName };
  }

  async #writeInto(folder: string, request: ZipRequest): Promise<ExportResult> {
    const zip = await this.#zip(request);
    try {
      const { path, sizeBytes, fileName } = await writeFileSafely(folder, `${request.sha256}.zip`, this.#journalledFirst(request, zip));
      return { kind: 'folder', path, fileName, sizeBytes };
    } catch (error) {
      this.#note(request, 'folder', outcomeOf(error));
      throw error;
    }
  }

  /** Hands a prepared download out; its id is dead from then on. */
  take(id: string): PreparedExport | null {
    const found = this.#prepared.get(id);
    this.#prepared.delete(id);
    return found && found.until > Date.now() ? found.prepared : null;
  }

  async #zip({ sha256, encryption, password }: ZipRequest): Promise<AsyncIterable<Uint8Array>> {
    const { vault, library } = this.#options;
    if (password === '') fail({ kind: 'password-empty' });
    const kept = (await this.#hashesOf(sha256)) ?? fail({ kind: 'not-in-vault', sha256 });
    const manifest = manifestCsv([{ ...kept, name: library.nameOf(sha256) }]);
    return writeSampleZip(
      [
        { name: sha256, sizeBytes: kept.sizeBytes, open: () => vault.read(sha256) },
        { name: 'manifest.csv', sizeBytes: manifest.byteLength, open: () => [manifest] },
      ],
      { encryption, password },
    );
  }

  async #hashesOf(sha256: string): ReturnType<Vault['hashesOf']> {
    try {
      const kept = await this.#options.vault.hashesOf(sha256);
      if (!kept) this.#forget(sha256, 'not-in-vault');
      return kept;
    } catch (error) {
      this.#forget(sha256, outcomeOf(error));
      throw error;
    }
  }

  /** The row is there before the file is: no copy is ever without one. When the disk refuses the file then, a second row says so. */
  async *#journalledFirst(request: ZipRequest, zip: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of zip) {
      if (this.#closed) fail({ kind: 'cancelled' });
      yield piece;
    }
    this.#note(request, 'folder', 'done');
  }

  /** Whether it left whole is known only afterwards: a browser may go away at any byte. */
  async *#journalledAfter(request: ZipRequest, zip: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let outcome = 'aborted';
    try {
      yield* zip;
      outcome = 'done';
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.#note(request, 'browser', outcome);
    }
  }

  #note({ sha256, encryption }: ZipRequest, to: string, outcome: string): void {
    const { library, events } = this.#options;
    library.recordExport({ sha256, outcome, detail: { to, encryption } });
    this.#forget(sha256, outcome);
    events.emit({ name: 'library.changed', payload: {} });
  }

  /** A copy that is lost or damaged is no copy: only when the library says so can it be downloaded again. */
  #forget(sha256: string, outcome: string): void {
    if (outcome !== 'vault-damaged' && outcome !== 'not-in-vault') return;
    this.#options.library.forgetFromVault(sha256);
    this.#options.events.emit({ name: 'library.changed', payload: {} });
  }

  #forgetStale(): void {
    const now = Date.now();
    for (const [id, { until }] of this.#prepared) {
      if (until < now || this.#prepared.size >= preparedAtMost) this.#prepared.delete(id);
    }
  }
}

const outcomeOf = (error: unknown): string => (error instanceof FailureError ? error.failure.kind : 'unexpected');
