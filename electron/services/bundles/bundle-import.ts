import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BundledRecord, BundledRules, BundledSample } from '../../../shared/domain/bundle.ts';
import { settledItems } from '../../../shared/domain/job.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { Tally } from '../../jobs/job-store.ts';
import type { BundleStore, SampleTakenIn, TakenAs, TakenFrom } from '../../storage/bundles/bundle-store.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { ArrivedSample, SampleReceiver } from '../../vault/receiver.ts';
import type { Staging } from '../../vault/staging.ts';
import type { StagedSource } from '../../vault/staging/staged-bytes.ts';
import type { Vault, WholeSample } from '../../vault/vault.ts';
import { type BytesState, readBundle, type ReadingNews } from './bundle-workers.ts';

interface GroupPorts {
  vault: Pick<Vault, 'receive' | 'batch' | 'waitForSpace'>;
  store: Pick<BundleStore, 'takeIn'>;
  library: Pick<LibraryStore, 'find'>;
  from: TakenFrom;
  signal: AbortSignal;
  /** In the transaction that takes them in. */
  tally(outcomes: Tally): void;
  notice(failure: Failure): void;
}

interface Member {
  sample: BundledSample;
  records: readonly BundledRecord[];
  bytes: BytesState;
  stored: SampleTakenIn['stored'];
  /** Has all its bytes, and is to be kept with the group. */
  receiver: SampleReceiver | null;
}

/**
 * Samples of a bundle that become known together: bytes, library, journal and how far the job is are one transaction.
 */
class BundleGroup {
  readonly #ports: GroupPorts;
  readonly #batch;
  readonly #members: Member[] = [];
  readonly #adding: Promise<unknown>[] = [];
  #receiver: SampleReceiver | null = null;

  constructor(ports: GroupPorts) {
    this.#ports = ports;
    this.#batch = ports.vault.batch();
  }

  sample(sample: BundledSample, records: readonly BundledRecord[], bytes: BytesState): void {
    this.#members.push({ sample, records, bytes, stored: null, receiver: null });
  }

  /** All bytes of the last sample. */
  async whole(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const member = this.#last();
    const sizeBytes = bytes.length;
    await this.#ports.vault.waitForSpace(2 * sizeBytes, this.#ports.signal);
    const adding = this.#add(member, { bytes, encoding: 'identity', sizeBytes, crc32: null });
    // It is asked for when the group is committed.
    adding.catch(() => undefined);
    this.#adding.push(adding);
  }

  async #add(member: Member, whole: WholeSample): Promise<void> {
    member.stored = await this.#batch.add(whole, member.sample);
  }

  async piece(bytes: Uint8Array): Promise<void> {
    this.#receiver ??= this.#ports.vault.receive();
    await this.#receiver.write(bytes);
  }

  /** Of the last sample, behind its pieces. */
  async endPieces(isWhole: boolean): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = null;
    if (isWhole) this.#last().receiver = receiver;
    else await receiver?.abort();
  }

  /** @throws FailureError as the vault and the database do; nothing of it is known then */
  async commit(): Promise<void> {
    const arrived: ArrivedSample[] = [];
    try {
      await Promise.all(this.#adding);
      for (const member of this.#members) {
        if (member.receiver === null) continue;
        const kept = await member.receiver.arrive(member.sample);
        arrived.push(kept);
        member.stored = kept.stored;
      }
      await this.#batch.commit(() => {
        this.#takeIn();
        for (const { announced } of arrived) announced(true);
      });
    } finally {
      for (const { announced } of arrived) announced(false);
      await this.abort();
    }
  }

  /** Leaves nothing of what was not committed. */
  async abort(): Promise<void> {
    await this.#receiver?.abort();
    for (const { receiver } of this.#members) await receiver?.abort();
    await this.#batch.abort();
  }

  #takeIn(): void {
    const outcomes = this.#ports.store.takeIn(this.#members, this.#ports.from);
    const tally = { done: 0, 'already-here': 0, failed: 0 };
    for (const [index, member] of this.#members.entries()) {
      const outcome = outcomes[index];
      if (this.#isNamed(member, outcome) || this.#wasLost(member)) tally.failed += 1;
      else tally[outcome === 'same' ? 'already-here' : 'done'] += 1;
    }
    this.#ports.tally(tally);
  }

  /** What was not taken in is reported to the user. */
  #isNamed({ sample: { sha256, md5 } }: Member, outcome: TakenAs | undefined): boolean {
    if (outcome === 'full' && sha256 !== null) this.#ports.notice({ kind: 'bundle-note-full', sha256 });
    else if (outcome === 'contradicted' || outcome === 'refused')
      this.#ports.notice({ kind: 'bundle-contradicts', hash: sha256 ?? md5 });
    else return false;
    return true;
  }

  /** What the vault had when the bundle was read may have been forgotten since: it comes with the next try. */
  #wasLost({ sample, bytes }: Member): boolean {
    if (bytes !== 'held' || sample.sha256 === null || this.#ports.library.find(sample.sha256)?.inVault === true)
      return false;
    this.#ports.notice({ kind: 'not-in-vault', sha256: sample.sha256 });
    return true;
  }

  #last(): Member {
    const member = this.#members.at(-1);
    if (member === undefined) throw new Error('bytes of no sample');
    return member;
  }
}

export interface BundleImportOptions {
  /** Of the database. */
  path: string;
  vault: Pick<Vault, 'receive' | 'batch' | 'waitForSpace'>;
  library: Pick<LibraryStore, 'find'>;
  store: BundleStore;
  staging: Pick<Staging, 'stageStream' | 'discard'>;
  /** A package on its way to being a candidate; it resolves when it is one, or the workspace shows why not. */
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

  /** They wait, stored encrypted, for their turn: only a bundle that was read to its end has rules to offer. */
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
