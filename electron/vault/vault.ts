import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Hashes, sha256 as sha256Schema } from '../../shared/domain/hash.ts';
import { fail, type Failure } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import { ByteBudget } from './byte-budget.ts';
import { type ContainerFacts, DamagedContainerError } from './container/container.ts';
import { throwReadFailure, throwWriteFailure } from './disk-failures.ts';
import { Intake, type SealedSample } from './intake.ts';
import { packedSampleBytes } from './packs/pack-frame.ts';
import type { PackIndex } from './packs/pack-index.ts';
import { Packs } from './packs/packs.ts';
import { type ArrivedSample, Receiver, type SampleReceiver } from './receiver.ts';
import { Removals } from './removals.ts';
import { SampleFiles } from './sample-files.ts';
import {
  openSource,
  readSource,
  type SampleAccess,
  type SampleSource,
  unreadableReason,
  type UnreadableReason,
} from './sample-source.ts';
import { openSealingWorkers, type SealingWorkers } from './sealing/sealing-workers.ts';
import { openSpool, type Spool } from './spool.ts';
import type { StagedAccess } from './staging.ts';
import { StoringPool, type StoringSetup } from './storing/storing-pool.ts';
import { BackgroundSyncs, Batch, type BatchPorts, type VaultBatch } from './vault-batch.ts';
import { newId, prepareFolder, removeUnfinished, unfinishedPath } from './vault-folder.ts';
import { VaultUpkeep } from './vault-upkeep.ts';

export type { Spool, SpooledBytes } from './spool.ts';
export type { StoredSample } from './receiver.ts';
export type { VaultBatch } from './vault-batch.ts';
export type { WholeSample } from './storing/whole-sample.ts';

/** `missing`: there is no container. `altered`: what is there is not what was stored. */
export type VaultDamage = 'missing' | 'altered';

/**
 * The store of sample bytes on this computer: named by SHA-256, verified, stored encrypted. Hashes are lower-case hex.
 * While its folder is not where it was opened, all reads and writes there fail with `folder-gone`: no sample is
 * reported missing for that.
 */
export interface Vault {
  receive(): SampleReceiver;
  batch(): VaultBatch;
  /**
   * Resolves when the workers can take so many more bytes, compressed and inflated counted together, over all batches.
   * @throws FailureError `cancelled` by the signal, or when the vault closes
   */
  waitForSpace(bytes: number, signal?: AbortSignal): Promise<void>;
  /**
   * Every SHA-256 it holds, in no order; what comes or goes meanwhile may be missed. @throws FailureError `disk-failed`
   */
  list(): AsyncIterable<string>;
  /** @throws FailureError `disk-full`, `not-writable`, `disk-failed` */
  spool(): Promise<Spool>;
  has(sha256: string): Promise<boolean>;
  /** @throws FailureError `folder-gone` */
  requireFolder(): void;
  /**
   * The sample in pieces of at most 128 KiB, the last one only once all are verified.
   * @throws FailureError while it is read: `not-in-vault`, `vault-damaged`, `disk-failed`
   */
  read(sha256: string): AsyncIterable<Uint8Array>;
  /**
   * The sample, to be read at any place; to be closed. The bytes of a sample with a file of its own are not verified.
   * Its calls throw as this one does. @throws FailureError `not-in-vault`, `vault-damaged`, `disk-failed`
   */
  openAt(sha256: string): Promise<StagedAccess>;
  /** Where a sample is, or would be, for a thread that reads it with `readSource`. */
  sourceOf(sha256: string): SampleSource;
  /** The same of many, for the price of a few. */
  sourcesOf(sha256s: readonly string[]): SampleSource[];
  /** What it means that a thread could not read it. Who listens to damage hears of it. */
  unreadable(sha256: string, reason: UnreadableReason): Failure;
  /**
   * Bytes of the sample, or null when the vault does not have it. @throws FailureError `vault-damaged`, `disk-failed`
   */
  sizeOf(sha256: string): Promise<number | null>;
  hashesOf(sha256: string): Promise<(Hashes & { sizeBytes: number }) | null>;
  /** Called for each requested sample that is missing or altered; also for those that were never here. */
  onDamage(listener: (sha256: string, damage: VaultDamage) => void): void;
  /**
   * Does nothing when the vault does not have it. One at a time; bytes of it that are said to be here after the call
   * stay. @throws FailureError `not-writable`, `disk-failed`
   */
  remove(sha256: string): Promise<void>;
  /** Bytes of the disk that `cleanUp` would give back. @throws FailureError `disk-failed` */
  unusedBytes(): Promise<number>;
  /**
   * Frees the space of unused data; every sample stays. While `isBusy` returns true, a caller reads samples by
   * `sourceOf`: the files that it may be about to open stay where they are. @returns the bytes
   *
   * @throws FailureError `storage-busy`, when samples are arriving too; `disk-full`, `not-writable`, `disk-failed`, and
   * then nothing is lost
   */
  cleanUp(isBusy: () => boolean): Promise<number>;
  /** Ends the workers. What is still being received fails and leaves nothing. */
  close(): Promise<void>;
}

/**
 * Opens the vault in `directory`, made if need be: `ab/<sha256>` for each sample (`ab` being the first two digits),
 * `packs/` for small ones that came in batches, `incoming/` for what is still arriving. Without an index there are no
 * packs. One process at a time; the holder of the data directory ensures that.
 *
 * @throws FailureError `disk-full`, `not-writable`, `disk-failed`
 */
export async function openVault(directory: string, index: PackIndex | null): Promise<Vault> {
  try {
    const incoming = join(directory, 'incoming');
    await prepareFolder(incoming);
    const packed = index && { index, packs: await Packs.open(join(directory, 'packs'), index) };
    return new FolderVault({ directory, incoming, packed });
  } catch (error) {
    return throwWriteFailure(error, directory);
  }
}

/** Compressed and inflated samples in the workers at a time. */
const budgetBytes = 48 * 1024 * 1024;

interface VaultFolder {
  directory: string;
  incoming: string;
  packed: BatchPorts['packed'];
}

class FolderVault implements Vault {
  readonly #directory: string;
  readonly #incoming: string;
  readonly #packs: Packs | null;
  readonly #files: SampleFiles;
  readonly #removals: Removals;
  readonly #sealing: SealingWorkers = openSealingWorkers();
  readonly #budget = new ByteBudget(budgetBytes);
  readonly #batchPorts: BatchPorts;
  readonly #upkeep: VaultUpkeep;
  readonly #unfinished = new Set<{ abort(): Promise<void> }>();
  #reportDamage: (sha256: string, damage: VaultDamage) => void = () => {};
  #closed = false;

  constructor({ directory, incoming, packed }: VaultFolder) {
    const removals = new Removals();
    const files = new SampleFiles(directory);
    const packs = packed?.packs ?? null;
    const setup = (): StoringSetup => ({
      directory,
      packs: packs?.folder ?? null,
      unfilled: packs?.takeUnfilled() ?? null,
    });
    const isPacked = (sizeBytes: number): boolean => packs !== null && sizeBytes <= packedSampleBytes;
    this.#directory = directory;
    this.#incoming = incoming;
    this.#packs = packs;
    this.#files = files;
    this.#removals = removals;
    const pool = new StoringPool({ incoming, isPacked, setup, budget: this.#budget });
    this.#batchPorts = {
      directory,
      files,
      removals,
      packed,
      pool,
      syncs: new BackgroundSyncs(),
      commits: new Mutex(),
    };
    this.#upkeep = new VaultUpkeep({ incoming, packs, pool, isIdle: () => this.#unfinished.size === 0 });
  }

  receive(): SampleReceiver {
    this.#requireOpen();
    const path = unfinishedPath(this.#incoming, newId());
    const intake = new Intake({ path, shownPath: this.#directory, durable: true }, this.#sealing.openSealer);
    const receiver = new Receiver(
      intake,
      path,
      (sealed) => this.#keep(path, sealed),
      () => this.#unfinished.delete(receiver),
    );
    this.#unfinished.add(receiver);
    return receiver;
  }

  batch(): VaultBatch {
    this.#requireOpen();
    const batch = new Batch(this.#batchPorts);
    const forgetIfDone = (): unknown => batch.isIdle && this.#unfinished.delete(batch);
    return {
      add: (sample, expected, claim) => {
        this.#requireOpen();
        this.#unfinished.add(batch);
        return batch.add(sample, expected, claim);
      },
      commit: (alongside) => batch.commit(alongside).finally(forgetIfDone),
      abort: () => batch.abort().finally(forgetIfDone),
    };
  }

  waitForSpace(bytes: number, signal?: AbortSignal): Promise<void> {
    return this.#budget.wait(bytes, signal);
  }

  async *list(): AsyncGenerator<string, void, void> {
    try {
      for await (const sha256 of this.#files.list()) if (!this.#packs?.has(sha256)) yield sha256;
    } catch (error) {
      this.#throwListing(error);
    }
    if (this.#packs) yield* this.#packs.list();
  }

  async spool(): Promise<Spool> {
    this.#requireOpen();
    const opening = openSpool({ path: unfinishedPath(this.#incoming, newId()), shownPath: this.#directory });
    const forget = (): unknown => this.#unfinished.delete(held);
    // The caller that asked for it gets the error of the opening.
    const held = {
      abort: () =>
        opening.then(
          (spool) => spool.discard(),
          () => {},
        ),
    };
    this.#unfinished.add(held);
    const spool = await opening.catch((error: unknown) => {
      forget();
      throw error;
    });
    return {
      write: (chunk) => spool.write(chunk),
      finish: () => spool.finish(),
      discard: () => spool.discard().finally(forget),
    };
  }

  async has(sha256: string): Promise<boolean> {
    const named = sha256Schema.parse(sha256);
    if (this.#packs?.has(named)) return true;
    const isThere = await this.#files.has(named).catch((error: unknown) => throwReadFailure(error, this.#directory));
    if (!isThere) this.requireFolder();
    return isThere;
  }

  async *read(sha256: string): AsyncGenerator<Uint8Array, void, void> {
    const named = sha256Schema.parse(sha256);
    try {
      yield* this.#pieces(named);
    } catch (error) {
      this.#throwReading(error, named);
    }
  }

  async openAt(sha256: string): Promise<StagedAccess> {
    const named = sha256Schema.parse(sha256);
    const orFail = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => this.#throwReading(error, named));
    const bytes: SampleAccess = await orFail(this.#open(named));
    return {
      sizeBytes: bytes.sizeBytes,
      read: (position, length) => orFail(bytes.read(position, length)),
      close: () => bytes.close(),
    };
  }

  sourceOf(sha256: string): SampleSource {
    const named = sha256Schema.parse(sha256);
    return { sha256: named, packed: this.#packs?.spotOf(named) ?? null, path: this.#files.pathOf(named) };
  }

  sourcesOf(sha256s: readonly string[]): SampleSource[] {
    const named = sha256s.map((sha256) => sha256Schema.parse(sha256));
    const packed = this.#packs?.spotsOf(named);
    return named.map((sha256) => ({ sha256, packed: packed?.get(sha256) ?? null, path: this.#files.pathOf(sha256) }));
  }

  unreadable(sha256: string, reason: UnreadableReason): Failure {
    if (this.#isGone) return { kind: 'folder-gone', path: this.#directory };
    switch (reason) {
      case 'damaged':
        this.#reportDamage(sha256, 'altered');
        return { kind: 'vault-damaged', sha256 };
      case 'ENOENT':
        this.#reportDamage(sha256, 'missing');
        return { kind: 'not-in-vault', sha256 };
      default:
        return { kind: 'disk-failed', path: this.#directory, code: reason };
    }
  }

  onDamage(listener: (sha256: string, damage: VaultDamage) => void): void {
    this.#reportDamage = listener;
  }

  async sizeOf(sha256: string): Promise<number | null> {
    return (await this.hashesOf(sha256))?.sizeBytes ?? null;
  }

  async hashesOf(sha256: string): Promise<ContainerFacts | null> {
    const named = sha256Schema.parse(sha256);
    try {
      const facts = (await this.#inPacks(named, (packs) => packs.factsOf(named))) ?? (await this.#files.factsOf(named));
      if (facts === null) this.requireFolder();
      return facts;
    } catch (error) {
      return this.#throwReading(error, named);
    }
  }

  async remove(sha256: string): Promise<void> {
    const named = sha256Schema.parse(sha256);
    try {
      await this.#removals.run(named, async () => {
        await this.#packs?.remove(named);
        await this.#files.remove(named);
      });
    } catch (error) {
      throwWriteFailure(error, this.#directory);
    }
  }

  async unusedBytes(): Promise<number> {
    return this.#upkeep.unusedBytes().catch((error: unknown) => this.#throwListing(error));
  }

  async cleanUp(isBusy: () => boolean): Promise<number> {
    if (this.#unfinished.size > 0 || isBusy()) fail({ kind: 'storage-busy' });
    return this.#upkeep.cleanUp(() => !isBusy()).catch((error: unknown) => throwWriteFailure(error, this.#directory));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#budget.close();
    await Promise.all(Array.from(this.#unfinished, (unfinished) => unfinished.abort()));
    await Promise.all([this.#sealing.close(), this.#batchPorts.pool.close()]);
  }

  async #keep(path: string, sealed: SealedSample): Promise<ArrivedSample> {
    const { sha256 } = sealed;
    const wasThere = await this.has(sha256);
    const over = await this.#removals.arrive([sha256]);
    try {
      await this.#files.moveIn([{ path, sha256 }]);
    } catch (error) {
      over();
      await removeUnfinished(path);
      throwWriteFailure(error, this.#directory);
    }
    const announced = (isKnown: boolean): void => {
      if (isKnown) this.#removals.spare(sha256);
      over();
    };
    return { stored: { ...sealed, wasThere }, announced };
  }

  /** A sample may lie in a pack and in a file: a damaged record is no loss while the file is there. */
  async #inPacks<T>(sha256: string, read: (packs: Packs) => Promise<T>): Promise<T | null> {
    if (this.#packs === null) return null;
    try {
      return await read(this.#packs);
    } catch (error) {
      if (error instanceof DamagedContainerError && (await this.#files.has(sha256))) return null;
      throw error;
    }
  }

  async *#pieces(sha256: string): AsyncGenerator<Uint8Array, void, void> {
    const source = this.sourceOf(sha256);
    try {
      yield* readSource(source);
    } catch (error) {
      yield* readSource(this.#movedSince(source) ?? rethrow(error));
    }
  }

  async #open(sha256: string): Promise<SampleAccess> {
    const source = this.sourceOf(sha256);
    return openSource(source).catch((error: unknown) => openSource(this.#movedSince(source) ?? rethrow(error)));
  }

  /** Its pack was rewritten while the sample was located: no piece of a packed sample was given out in that case. */
  #movedSince({ sha256, packed }: SampleSource): SampleSource | null {
    const now = this.sourceOf(sha256);
    return packed !== null && now.packed !== null && now.packed.path !== packed.path ? now : null;
  }

  #throwReading(error: unknown, sha256: string): never {
    const reason = unreadableReason(error);
    if (reason === null) throw error;
    return fail(this.unreadable(sha256, reason), error);
  }

  /** The folder is made when the vault is opened; an unmounted disk may leave its place behind. */
  get #isGone(): boolean {
    return !existsSync(this.#incoming);
  }

  requireFolder(): void {
    if (this.#isGone) fail({ kind: 'folder-gone', path: this.#directory });
  }

  #throwListing(error: unknown): never {
    this.requireFolder();
    return throwReadFailure(error, this.#directory);
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error('the vault is closed');
  }
}

function rethrow(error: unknown): never {
  throw error;
}
