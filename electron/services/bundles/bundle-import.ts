import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BundledRules } from '../../../shared/domain/bundle.ts';
import { settledItems } from '../../../shared/domain/job.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { BundleStore } from '../../storage/bundle-store.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { Staging } from '../../vault/staging.ts';
import type { StagedSource } from '../../vault/staging/staged-source.ts';
import type { Vault } from '../../vault/vault.ts';
import { BundleGroup } from './bundle-group.ts';
import { readBundle, type ReadingNews } from './bundle-reading.ts';

export interface BundleImportOptions {
  /** Of the database. */
  path: string;
  vault: Pick<Vault, 'receive' | 'batch' | 'room'>;
  library: Pick<LibraryStore, 'find'>;
  store: BundleStore;
  staging: Pick<Staging, 'stageStream' | 'discard'>;
  /** A package on its way to being a candidate; it resolves when it is one, or the workspace says why not. */
  addRules(workspaceId: string, stagedId: string, version: string): Promise<void>;
  jobs(): Pick<JobRunner, 'get'>;
}

/** What was looked through. */
export interface ImportOrder {
  stagedId: string;
  source: StagedSource;
  name: string;
  passphrase: string;
  sizeBytes: number;
  borders: Uint8Array;
  signer: { fingerprint: string; name: string };
}

/** One run of the taking in of a bundle. What an earlier run took in is read, and passed over. */
export class BundleImport {
  readonly #options: BundleImportOptions;
  readonly #work: JobWork;
  readonly #order: ImportOrder;
  readonly #workspaceId: string;
  #group: BundleGroup;
  #rules: { stagedId: string; version: string } | null = null;
  #readBytes = 0;

  constructor(options: BundleImportOptions, work: JobWork, order: ImportOrder) {
    this.#options = options;
    this.#work = work;
    this.#order = order;
    this.#workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    this.#group = this.#newGroup();
  }

  /** @throws FailureError `bundle-changed`, as the vault and the database do; the signal's reason */
  async run(): Promise<void> {
    try {
      await this.#read();
      await this.#bringRules();
      this.#options.store.learn(this.#order.signer.fingerprint, this.#order.signer.name);
    } catch (error) {
      this.#work.signal.throwIfAborted();
      throw isOfTheFile(error)
        ? new FailureError({ kind: 'bundle-changed', name: this.#order.name }, { cause: error })
        : error;
    } finally {
      await this.#group.abort();
      if (this.#rules !== null) await this.#options.staging.discard(this.#rules.stagedId);
    }
  }

  async #read(): Promise<void> {
    const { path, jobs } = this.#options;
    const { stagedId, source, name, passphrase, borders, sizeBytes } = this.#order;
    this.#work.expect(sizeBytes);
    const taking = { borders, skip: settledItems(jobs().get(this.#work.id)) };
    const news = readBundle(
      { stagedId, source, name, passphrase, database: path, workspaceIds: [this.#workspaceId], taking },
      this.#work.signal,
    );
    for await (const one of news) {
      if (one.kind === 'rules') await this.#stageRules(one.rules, news);
      else await this.#take(one);
    }
  }

  async #take(news: ReadingNews): Promise<void> {
    switch (news.kind) {
      case 'read':
        return this.#moved(news.readBytes);
      case 'sample':
        return this.#group.sample(news.sample, news.records, news.bytes);
      case 'whole':
        return this.#group.whole(news.bytes);
      case 'piece':
        return this.#group.piece(news.bytes);
      case 'end-pieces':
        return this.#group.endPieces(news.isWhole);
      case 'border':
        return this.#commit();
      default:
        return undefined;
    }
  }

  async #commit(): Promise<void> {
    const group = this.#group;
    this.#group = this.#newGroup();
    await nextTurn();
    await group.commit();
  }

  /** They wait inert for their turn: only a bundle that was read to its end has rules to offer. */
  async #stageRules({ version }: BundledRules, news: AsyncGenerator<ReadingNews, void, void>): Promise<void> {
    const staged = await this.#options.staging.stageStream(packageName, piecesOf(news));
    this.#rules = { stagedId: staged.id, version };
  }

  async #bringRules(): Promise<void> {
    const rules = this.#rules;
    if (rules === null) return;
    this.#rules = null;
    await this.#options.addRules(this.#workspaceId, rules.stagedId, rules.version);
  }

  #newGroup(): BundleGroup {
    const { vault, store, library } = this.#options;
    const { id, signal } = this.#work;
    return new BundleGroup({
      vault,
      store,
      library,
      signal,
      from: { workspaceId: this.#workspaceId, jobId: id, ...this.#order.signer },
      tally: (outcomes) => this.#work.tally(outcomes),
      notice: (failure) => this.#work.notice(failure),
    });
  }

  #moved(readBytes: number): void {
    this.#work.moved(readBytes - this.#readBytes);
    this.#readBytes = readBytes;
  }
}

/**
 * Its name inside the bundle would be anybody's; a package without a version of its own is called by that of the
 * bundle.
 */
const packageName = 'rules.zip';

async function* piecesOf(news: AsyncGenerator<ReadingNews, void, void>): AsyncGenerator<Uint8Array, void, void> {
  for (;;) {
    const { value } = await news.next();
    if (value?.kind === 'end-pieces' && value.isWhole) return;
    if (value?.kind === 'piece') yield value.bytes;
    else if (value?.kind !== 'read') throw new Error('rules end with their last piece');
  }
}

/** It was sound when it was looked through. */
const isOfTheFile = (error: unknown): boolean =>
  error instanceof FailureError &&
  (error.failure.kind.startsWith('bundle-') || error.failure.kind === 'staged-file-missing');
