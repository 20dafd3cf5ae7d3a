import { randomBytes } from 'node:crypto';
import { currentTime } from '../../../shared/domain/clock.ts';
import type { BrowserDownload, ExportAs, ExportResult, ExportSelection } from '../../../shared/domain/export.ts';
import { fail, FailureError, failureKindOf } from '../../../shared/failure.ts';
import type { ZipProtection } from '../../archive/encryption/zip-encryption.ts';
import { exportStem, Manifest } from '../../archive/export/export-manifest.ts';
import { writeSampleZip } from '../../archive/writing/sample-zip.ts';
import type { ZipMember } from '../../archive/writing/write-zip-records.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';
import {
  detailOf,
  type ExportJournal,
  type JobItemsReader,
  selectedSamples,
  type SelectionOptions,
} from './export-run.ts';

interface BrowserExportsOptions {
  vault: Pick<Vault, 'read' | 'hashesOf'>;
  library: LibraryStore;
  journal: ExportJournal;
  libraryReader: SelectionOptions['libraryReader'];
  items: JobItemsReader;
  exports: { offer(prepared: PreparedExport): ExportResult };
}

/**
 * One password ZIP of many samples, made while the browser takes it. A sample the vault has lost is left out and listed
 * as missing in the manifest; one that proves damaged when half of it has left ends the download, and is not chosen
 * again.
 */
export class BrowserExports {
  readonly #options: BrowserExportsOptions;

  constructor(options: BrowserExportsOptions) {
    this.#options = options;
  }

  /** @throws FailureError `password-empty`, `nothing-selected` */
  async prepare(selection: ExportSelection, protection: ZipProtection): Promise<ExportResult> {
    if (protection.password === '') fail({ kind: 'password-empty' });
    const sha256s: string[] = [];
    for await (const page of selectedSamples(selection, this.#options))
      for (const { sha256, inVault } of page) if (inVault) sha256s.push(sha256);
    if (sha256s.length === 0) fail({ kind: 'nothing-selected' });
    return this.#options.exports.offer({
      fileName: `${exportStem(currentTime(), sha256s.length)}.zip`,
      sizeBytes: null,
      open: () => this.#zip(sha256s, protection),
    });
  }

  /** Whether it left whole is known only afterwards: a browser may go away at any byte. */
  async *#zip(sha256s: readonly string[], protection: ZipProtection): AsyncGenerator<Uint8Array, void, void> {
    const as: ExportAs = { form: 'one-zip', ...protection };
    const sent: string[] = [];
    let outcome = 'aborted';
    try {
      yield* writeSampleZip(this.#members(sha256s, sent), protection);
      outcome = 'done';
    } catch (error) {
      outcome = failureKindOf(error);
      throw error;
    } finally {
      const last = sent.at(-1);
      if (last !== undefined) this.#options.journal.forgetLost(last, outcome);
      await this.#options.journal.noteAll(sent, outcome, detailOf('browser', as));
    }
  }

  async *#members(sha256s: readonly string[], sent: string[]): AsyncGenerator<ZipMember, void, void> {
    const manifest = new Manifest();
    for (const sha256 of sha256s) {
      const member = await this.#memberOf(sha256, manifest);
      if (member === null) continue;
      sent.push(sha256);
      yield member;
    }
    const { csv, json } = manifest.files();
    yield* [csv, json];
  }

  async #memberOf(sha256: string, manifest: Manifest): Promise<ZipMember | null> {
    const { vault, library, journal } = this.#options;
    const name = library.nameOf(sha256);
    try {
      const kept = (await vault.hashesOf(sha256)) ?? fail({ kind: 'not-in-vault', sha256 });
      manifest.add({ ...kept, name, outcome: 'exported' });
      return { name: sha256, sizeBytes: kept.sizeBytes, open: () => vault.read(sha256) };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      manifest.add({ sha256, sha1: null, md5: null, sizeBytes: null, name, outcome: error.failure.kind });
      journal.forgetLost(sha256, error.failure.kind);
      return null;
    }
  }
}

/** A prepared browser download. `open` may be called once. */
export interface PreparedExport {
  fileName: string;
  sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
}

const preparedForMs = 5 * 60_000;
const preparedAtMost = 32;

/** Downloads the browser may fetch once, within a few minutes, by an id that cannot be guessed. */
export class PreparedDownloads {
  readonly #prepared = new Map<string, { prepared: PreparedExport; until: number }>();

  offer(prepared: PreparedExport): BrowserDownload {
    const id = randomBytes(32).toString('hex');
    this.#forgetStale();
    this.#prepared.set(id, { prepared, until: Date.now() + preparedForMs });
    return { kind: 'browser', id, fileName: prepared.fileName };
  }

  /** Hands a prepared download out; its id is dead from then on. */
  take(id: string): PreparedExport | null {
    const found = this.#prepared.get(id);
    this.#prepared.delete(id);
    return found && found.until > Date.now() ? found.prepared : null;
  }

  #forgetStale(): void {
    const now = Date.now();
    for (const [id, { until }] of this.#prepared) {
      if (until < now || this.#prepared.size >= preparedAtMost) this.#prepared.delete(id);
    }
  }
}
