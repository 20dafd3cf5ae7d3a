import { setImmediate as nextTurn } from 'node:timers/promises';
import { fail } from '../../shared/failure.ts';
import type { Mutex } from '../../shared/mutex.ts';
import { syncFile } from '../base/files.ts';
import { throwWriteFailure } from './disk-failures.ts';
import type { Expectation } from './intake.ts';
import type { PackIndex, PackPlace, PackSpot } from './packs/pack-index.ts';
import type { Packs } from './packs/packs.ts';
import type { StoredSample } from './receiver.ts';
import type { Removals } from './removals.ts';
import type { SampleFiles } from './sample-files.ts';
import type { StoringPool } from './storing/storing-pool.ts';
import type { WholeSample } from './storing/whole-sample.ts';
import { removeUnfinished } from './vault-folder.ts';

/** Samples that become known together, at the cost of one. Any number of them may be added before one is answered. */
export interface VaultBatch {
  /**
   * Resolves when it is verified and written, but not durable yet and not to be read; what fails is left out alone.
   * `claim` is called before that, with what the bytes are: when it throws, they are left out too. Wait for
   * `Vault.room` first: that is what keeps memory bounded.
   * @throws FailureError `archive-damaged` (named by the expected hash), `wrong-bytes`,
   * `sha256-contradicts`, `disk-full`, `not-writable`, `disk-failed`, `worker-ended`
   */
  add(sample: WholeSample, expected: Expectation, claim?: (stored: StoredSample) => void): Promise<StoredSample>;
  /**
   * Makes the samples added before the call durable, and then known: `alongside` runs in the transaction that stores
   * the places of the packed ones, and gets them in the order of adding. When it rejects, none of them is known, or the
   * disk did not confirm those that are.
   *
   * @throws FailureError `disk-full`, `not-writable`, `disk-failed`; or what `alongside` threw
   */
  commit(alongside: (kept: readonly StoredSample[]) => void): Promise<void>;
  /** Leaves nothing of what was not committed. May be called at any time and more than once. */
  abort(): Promise<void>;
}

export interface BatchPorts {
  /** The folder a disk failure names to the person. */
  directory: string;
  pool: StoringPool;
  files: SampleFiles;
  removals: Removals;
  syncs: BackgroundSyncs;
  /** A commit is milliseconds of work on the host's thread, and many wait for one sync. */
  commits: Mutex;
  /** Null where every sample is a file of its own. */
  packed: { packs: Packs; index: PackIndex } | null;
}

/** Written and verified, but not known yet. */
interface Held {
  stored: StoredSample;
  /** Null for a file of its own. */
  spot: PackSpot | null;
  path: string;
  synced: Promise<{ error: unknown } | null>;
}

export class Batch implements VaultBatch {
  readonly #ports: BatchPorts;
  /** In the order of adding; what fails leaves by itself. */
  #adding = new Set<Promise<Held>>();
  readonly #commits = new Set<Promise<void>>();
  #isAborted = false;

  constructor(ports: BatchPorts) {
    this.#ports = ports;
  }

  /** Nothing was added that was not committed or left out. */
  get isIdle(): boolean {
    return this.#adding.size === 0 && this.#commits.size === 0;
  }

  async add(
    sample: WholeSample,
    expected: Expectation,
    claim: (stored: StoredSample) => void = () => {},
  ): Promise<StoredSample> {
    if (this.#isAborted) fail({ kind: 'cancelled' });
    const adding = this.#store(sample, expected, claim);
    this.#adding.add(adding);
    try {
      const { stored } = await adding;
      if (this.#isAborted) fail({ kind: 'cancelled' });
      return stored;
    } catch (error) {
      this.#adding.delete(adding);
      throw error;
    }
  }

  async commit(alongside: (kept: readonly StoredSample[]) => void): Promise<void> {
    if (this.#isAborted) fail({ kind: 'cancelled' });
    const committing = this.#commit(this.#adding, alongside);
    this.#adding = new Set();
    this.#commits.add(committing);
    await committing.finally(() => this.#commits.delete(committing));
  }

  async abort(): Promise<void> {
    this.#isAborted = true;
    const added = this.#adding;
    this.#adding = new Set();
    await this.#leaveOut(await settled(added));
    await Promise.allSettled(this.#commits);
  }

  async #store(sample: WholeSample, expected: Expectation, claim: (stored: StoredSample) => void): Promise<Held> {
    const { pool, syncs, packed } = this.#ports;
    const { facts, hasFile, spot, path } = await pool.store(sample, expected);
    const wasThere = hasFile || (packed?.packs.has(facts.sha256) ?? false);
    const stored = { ...facts, droppedStrayBytes: false, wasThere };
    try {
      claim(stored);
    } catch (error) {
      await this.#leaveOut([{ stored, spot, path, synced: Promise.resolve(null) }]);
      throw error;
    }
    return { stored, spot, path, synced: spot ? Promise.resolve(null) : syncs.sync(path) };
  }

  async #commit(added: Iterable<Promise<Held>>, alongside: (kept: readonly StoredSample[]) => void): Promise<void> {
    const held = await settled(added);
    await this.#durablyKnown(held, alongside);
  }

  /** What the index knows stays, also when the disk then fails to say that it has it. */
  async #durablyKnown(held: readonly Held[], alongside: (kept: readonly StoredSample[]) => void): Promise<void> {
    let known: Promise<void>;
    const over = await this.#ports.removals.arrive(
      held.flatMap(({ spot, stored: { sha256 } }) => (spot === null ? [sha256] : [])),
    );
    try {
      await Promise.all([this.#syncPacks(held), this.#moveFiles(held)]);
      await this.#ports.commits.run(() => nextTurn());
      known = this.#makeKnown(held, alongside);
    } catch (error) {
      await this.#leaveOut(held);
      return throwWriteFailure(error, this.#ports.directory);
    } finally {
      over();
    }
    await known;
  }

  async #syncPacks(held: readonly Held[]): Promise<void> {
    const names = new Set(held.flatMap(({ spot }) => spot?.pack ?? []));
    await Promise.all(Array.from(names, (pack) => this.#syncPack(pack)));
  }

  async #syncPack(pack: string): Promise<void> {
    try {
      await this.#ports.packed?.packs.sync(pack);
    } catch (error) {
      this.#ports.pool.leave(pack);
      throw error;
    }
  }

  async #moveFiles(held: readonly Held[]): Promise<void> {
    const files = held.filter(({ spot }) => spot === null);
    for (const { synced } of files) {
      const failed = await synced;
      if (failed) throw failed.error;
    }
    await this.#ports.files.moveIn(files.map(({ path, stored: { sha256 } }) => ({ path, sha256 })));
  }

  #makeKnown(held: readonly Held[], alongside: (kept: readonly StoredSample[]) => void): Promise<void> {
    const places = held.flatMap(({ spot, stored: { sha256 } }): PackPlace[] => (spot ? [{ ...spot, sha256 }] : []));
    const report = (): void => alongside(held.map(({ stored }) => stored));
    const known = this.#ports.packed?.index.add(places, report) ?? Promise.resolve(report());
    // A packed record that an older one is removed beside has a place of its own: it has waited for nothing.
    for (const {
      stored: { sha256 },
    } of held)
      this.#ports.removals.spare(sha256);
    return known;
  }

  /** A file that was already moved into its place stays: a whole sample that nothing refers to. */
  async #leaveOut(held: readonly Held[]): Promise<void> {
    await Promise.all(held.map(({ synced }) => synced));
    await Promise.all(held.flatMap(({ path, spot }) => (spot ? [] : [removeUnfinished(path)])));
    await this.#ports.pool.scrap(held.flatMap(({ spot }) => spot ?? []));
  }
}

/** Those that were written; the others left nothing behind, and their callers got the error. */
async function settled(added: Iterable<Promise<Held>>): Promise<Held[]> {
  return (await Promise.allSettled(added)).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** The threads that wait for the disk are four for the whole process: others need them too. */
const atOnce = 2;

/** Asks the disk to take finished files, two at a time, while others are still being written. */
export class BackgroundSyncs {
  readonly #queue: (() => void)[] = [];
  #running = 0;

  /** Resolves when it is durable, or with the error: a caller that needs the file checks it then, or never. */
  async sync(path: string): Promise<{ error: unknown } | null> {
    if (this.#running >= atOnce)
      await new Promise<void>((resolve) => {
        this.#queue.push(resolve);
      });
    else this.#running += 1;
    try {
      await syncFile(path);
      return null;
    } catch (error) {
      return { error };
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
