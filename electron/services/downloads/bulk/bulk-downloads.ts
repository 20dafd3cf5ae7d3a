import { setImmediate as nextTurn } from 'node:timers/promises';
import { hashKindOf } from '../../../../shared/domain/hash.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import { fail } from '../../../../shared/failure.ts';
import type { BulkVerdict } from '../../../../shared/operations/samples.ts';
import type { Connect } from '../../../api/connections.ts';
import { systemTiming, type Timing } from '../../../api/limits.ts';
import { createRepositoryApi } from '../../../api/repository-api.ts';
import type { JobRunner, JobWork } from '../../../jobs/job-runner.ts';
import type { WorkspaceSlots } from '../../../jobs/workspace-slots.ts';
import type { LibraryStore } from '../../../storage/library/library-store.ts';
import type { Vault } from '../../../vault/vault.ts';
import { Ledger } from './ledger.ts';
import { ListFetcher } from './list-fetcher.ts';
import { WantedLists } from './wanted-lists.ts';

export interface BulkDownloadsOptions {
  connect: Connect;
  vault: Vault;
  library: LibraryStore;
  slots: WorkspaceSlots;
  settings(): Pick<Settings, 'bulkUrlBytes' | 'bulkConnections' | 'exportPassword'>;
  timing?: Timing;
}

/** Hashes resolved in one turn of the event loop: about ten milliseconds. */
const hashesATurn = 100;
/** What repositories protect archives with, and what those that unpack uploads try. */
const usualPasswords = ['infected', 'malware', 'virus', ''];

/**
 * From any number of hashes to verified samples in the vault, with an outcome for each (docs/services.md,
 * "bulkdownload").
 */
export class BulkDownloads {
  readonly #options: BulkDownloadsOptions;

  constructor(options: BulkDownloadsOptions) {
    this.#options = options;
  }

  /** What would become of each hash. Asks no service. */
  async check(hashes: readonly string[]): Promise<BulkVerdict[]> {
    const verdicts: BulkVerdict[] = [];
    for (const [index, hash] of hashes.entries()) {
      if (index % hashesATurn === hashesATurn - 1) await nextTurn();
      verdicts.push(this.#verdictOf(hash));
    }
    return verdicts;
  }

  /** Fills a draft, in steps. @returns how many items it has then */
  async addTo(jobs: Pick<JobRunner, 'add'>, id: number, hashes: readonly string[]): Promise<number> {
    let items = 0;
    for (let at = 0; at < hashes.length; at += hashesATurn) {
      items = jobs.add(
        id,
        hashes.slice(at, at + hashesATurn).map((hash) => this.#itemOf(hash)),
      );
      await nextTurn();
    }
    return items;
  }

  /** Runs a job until each of its items has an outcome. Rejects with what halts it. */
  async run(work: JobWork): Promise<void> {
    const workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    const halt = new AbortController();
    const signal = AbortSignal.any([work.signal, halt.signal]);
    const ledger = new Ledger({ ...this.#options, work, workspaceId, halt: (error) => halt.abort(error) });
    try {
      await this.#runWith({ work, workspaceId, signal, ledger, halt });
    } finally {
      await ledger.close();
    }
    halt.signal.throwIfAborted();
  }

  /** The first error ends the others; it is the one to tell, and not that they were ended. */
  async #runWith({ work, workspaceId, signal, ledger, halt }: Run): Promise<void> {
    const { connect, vault, library, slots, timing = systemTiming } = this.#options;
    const { bulkUrlBytes, bulkConnections, exportPassword } = this.#options.settings();
    const api = createRepositoryApi(await connect(workspaceId, 'repository'), { timing });
    const shared = { work, workspaceId, signal, ledger, vault, library, api };
    const lists = new WantedLists({ ...shared, addressBytes: bulkUrlBytes });
    const fetcher = new ListFetcher({
      ...shared,
      timing,
      single: { connect, library, workspaceId },
      passwords: [exportPassword, ...usualPasswords],
    });
    const fetchAll = async (): Promise<void> => {
      for (let list = await lists.next(); list.length > 0; list = await lists.next()) {
        const asked = list;
        await slots.use(workspaceId, signal, () => fetcher.fetch(asked));
      }
    };
    const lines = Array.from({ length: bulkConnections }, () =>
      fetchAll().catch((error: unknown) => halt.abort(error)),
    );
    await Promise.all(lines);
    signal.throwIfAborted();
    fetcher.settleDoubtful();
  }

  #verdictOf(hash: string): BulkVerdict {
    const { library } = this.#options;
    const known = library.find(hash);
    if (known?.inVault) return 'already-here';
    return hashKindOf(hash) === 'md5' || (known?.md5 ?? null) !== null ? 'fetch' : 'needs-md5';
  }

  #itemOf(hash: string): { hash: string; md5: string | null; state?: 'needs-md5' } {
    const md5 = this.#options.library.md5Of(hash);
    return md5 === null ? { hash, md5, state: 'needs-md5' } : { hash, md5 };
  }
}

interface Run {
  work: JobWork;
  workspaceId: string;
  signal: AbortSignal;
  ledger: Ledger;
  halt: AbortController;
}
