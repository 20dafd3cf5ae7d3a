import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationOutput, OperationRequest } from '../../shared/contract.ts';
import { hashKindOf } from '../../shared/domain/hash.ts';
import type { JournalRow } from '../../shared/domain/journal.ts';
import type { LookupResult } from '../../shared/domain/sample.ts';
import type { LastScan } from '../../shared/domain/scan.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import type { Connect } from '../api/connections.ts';
import { createRepositoryApi } from '../api/repository-api.ts';
import type { LibraryReader } from '../storage/library/library-reader.ts';
import { listComments } from '../storage/library/library-records.ts';
import type { LibraryStore } from '../storage/library/library-store.ts';
import type { ScanReader } from '../storage/scans/scan-reader.ts';
import type { ScanStore } from '../storage/scans/scan-store.ts';

export interface SamplesOptions {
  connect: Connect;
  library: LibraryStore;
  libraryReader: LibraryReader;
  scans: Pick<ScanStore, 'hitsOf' | 'knownBesides'>;
  scanReader: Pick<ScanReader, 'targets'>;
  /** By the local engine. */
  lastScan(workspaceId: string, sha256: string): LastScan | null;
  /**
   * The MD5 under which a workspace's repository has a SHA-256; null where it cannot be asked for it. Throws
   * `unknown-hash` where it has none, or why it could not be asked.
   */
  md5AtServer(workspaceId: string, sha256: string): Promise<string | null>;
}

/** Samples given a tag before the thread is free again: some milliseconds' worth. */
const samplesATurn = 50;

/** What a person asks about one sample. */
export class Samples {
  readonly #options: SamplesOptions;

  constructor(options: SamplesOptions) {
    this.#options = options;
  }

  /**
   * Asks the workspace's repository; the answer, whatever it is, is journalled, and a record goes to the library with
   * all its comments.
   */
  async lookup(workspaceId: string, hash: string, firstComments?: number): Promise<LookupResult> {
    const { library, connect } = this.#options;
    const began = performance.now();
    let asked = hash;
    try {
      asked = await this.#md5Of(workspaceId, hash);
      const api = createRepositoryApi(await connect(workspaceId, 'repository'));
      const record = await api.getFile(asked);
      const elapsedMs = Math.round(performance.now() - began);
      const local =
        library.recordLookup({ workspaceId, md5: asked, record, outcome: 'found' }) ??
        fail({ kind: 'not-in-library', hash });
      await listComments(library, { workspaceId, md5: asked, record });
      await library.synced();
      return { asked, record: { ...record, comments: record.comments.slice(0, firstComments) }, local, elapsedMs };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      // Nothing was asked of a service.
      if (error.failure.kind === 'needs-md5') throw error;
      library.recordLookup({ workspaceId, md5: asked, record: null, outcome: error.failure.kind });
      await library.synced();
      throw error;
    }
  }

  history(hash: string): JournalRow[] {
    return this.#options.library.history(hash);
  }

  hits({ workspaceId, sha256 }: OperationRequest<'samples.hits'>): OperationOutput<'samples.hits'> {
    const { scans, lastScan } = this.#options;
    const hits = scans.hitsOf(workspaceId, sha256);
    return { hits, known: scans.knownBesides(sha256, hits), lastScan: lastScan(workspaceId, sha256) };
  }

  inVault(request: OperationRequest<'samples.inVault'>): Promise<OperationOutput<'samples.inVault'>> {
    return this.#options.libraryReader.inVault(request);
  }

  /** Local tags, for samples by name or for files of a scan. */
  async tag({ samples, add, remove }: OperationRequest<'samples.tag'>): Promise<{ changed: number }> {
    const { library, scanReader } = this.#options;
    const pages = samples.kind === 'named' ? [samples.sha256s] : scanReader.targets(samples.jobId, samples.filter);
    let changed = 0;
    for await (const page of pages) {
      for (let at = 0; at < page.length; at += samplesATurn) {
        changed += library.tagSamples(page.slice(at, at + samplesATurn), add, remove);
        await nextTurn();
      }
    }
    return { changed };
  }

  /** Records are requested by MD5 only: another hash is resolved by local data, a SHA-256 also by a server's search. */
  async #md5Of(workspaceId: string, hash: string): Promise<string> {
    const kind = hashKindOf(hash);
    if (kind === 'md5') return hash;
    const local = this.#options.library.md5Of(hash);
    if (local !== null) return local;
    const atServer = kind === 'sha256' ? await this.#options.md5AtServer(workspaceId, hash) : null;
    return atServer ?? fail({ kind: 'needs-md5', hash });
  }
}
