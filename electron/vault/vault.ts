import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 as sha256Schema, type Hashes } from '../../shared/domain/hash.ts';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';
import { moveIntoPlace, syncFolder } from '../disk/move-into-place.ts';
import { DamagedContainerError, type ContainerFacts } from './container.ts';
import { readContainer, readContainerFacts } from './container-file.ts';
import { throwReadFailure, throwWriteFailure, unlessMissing } from './disk-failures.ts';
import { Intake, type Expected, type SealedSample } from './intake.ts';
import { openSealingLanes, type SealingLanes } from './sealing-lanes.ts';
import { newId, prepareFolder, removeUnfinished, unfinishedPath } from './vault-folder.ts';

export interface StoredSample extends Hashes {
  sizeBytes: number;
  /** Two bytes `{}` that were not the sample's followed it and were left out. */
  droppedStrayBytes: boolean;
  /** The vault had this sample already; its copy was replaced by this one, which heals a damaged one. */
  wasThere: boolean;
}

export interface SampleReceiver {
  /** Await each call before the next. The chunk may be used again once the call has resolved. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Verifies and keeps the sample. An MD5 of null takes it as it is.
   * @throws FailureError `wrong-bytes`, `sha256-contradicts`, `disk-full`, `not-writable`, `disk-failed`, `worker-ended`
   */
  finish(expected: Expected): Promise<StoredSample>;
  /** Leaves nothing behind. May be called at any time and more than once, also after a failure. */
  abort(): Promise<void>;
}

/** The store of sample bytes on this computer: named by SHA-256, verified, inert at rest. Hashes are lower-case hex. */
export interface Vault {
  receive(): SampleReceiver;
  has(sha256: string): Promise<boolean>;
  /**
   * The sample in pieces of at most 128 KiB, the last one only once all are verified.
   * @throws FailureError while it is read: `not-in-vault`, `vault-damaged`, `disk-failed`
   */
  read(sha256: string): AsyncIterable<Uint8Array>;
  /** Bytes of the sample, or null when the vault does not have it. @throws FailureError `vault-damaged`, `disk-failed` */
  sizeOf(sha256: string): Promise<number | null>;
  hashesOf(sha256: string): Promise<(Hashes & { sizeBytes: number }) | null>;
  /** Does nothing when the vault does not have it. */
  remove(sha256: string): Promise<void>;
  /** Ends the workers. What is still being received fails and leaves nothing. */
  close(): Promise<void>;
}

/**
 * Opens the vault in `directory`, made if need be: `ab/<sha256>` for each sample (`ab` being the first two digits),
 * `incoming/` for what is still arriving. One process at a time; whoever holds the data directory sees to that.
 * @throws FailureError `disk-full`, `not-writable`, `disk-failed`
 */
export async function openVault(directory: string): Promise<Vault> {
  const incoming = join(directory, 'incoming');
  await prepareFolder(incoming).catch((error: unknown) => throwWriteFailure(error, directory));
  return new FolderVault(directory, incoming);
}

class FolderVault implements Vault {
  readonly #directory: string;
  readonly #incoming: string;
  readonly #lanes: SealingLanes = openSealingLanes();
  readonly #arriving = new Set<Intake>();
  #closed = false;

  constructor(directory: string, incoming: string) {
    this.#directory = directory;
    this.#incoming = incoming;
  }

  receive(): SampleReceiver {
    if (this.#closed) throw new Error('the vault is closed');
    const path = unfinishedPath(this.#incoming, newId());
    const intake = new Intake({ path, shownPath: this.#directory, durable: true }, this.#lanes.openSealer);
    this.#arriving.add(intake);
    const forget = (): boolean => this.#arriving.delete(intake);
    return {
      write: (chunk) => intake.write(chunk),
      finish: async (expected) => this.#keep(path, await intake.finish(expected).finally(forget)),
      abort: () => intake.abort().finally(forget),
    };
  }

  async has(sha256: string): Promise<boolean> {
    const path = this.#pathOf(sha256);
    return (await unlessMissing(stat(path)).catch((error: unknown) => throwReadFailure(error, this.#directory))) !== null;
  }

  async *read(sha256: string): AsyncGenerator<Uint8Array, void, void> {
    const path = this.#pathOf(sha256);
    try {
      yield* readContainer(path, sha256);
    } catch (error) {
      this.#throwReading(error, sha256);
    }
  }

  async sizeOf(sha256: string): Promise<number | null> {
    return (await this.hashesOf(sha256))?.sizeBytes ?? null;
  }

  async hashesOf(sha256: string): Promise<ContainerFacts | null> {
    const path = this.#pathOf(sha256);
    return unlessMissing(readContainerFacts(path, sha256)).catch((error: unknown) => this.#throwReading(error, sha256));
  }

  async remove(sha256: string): Promise<void> {
    const path = this.#pathOf(sha256);
    try {
      await rm(path, { force: true });
      await unlessMissing(syncFolder(this.#shardOf(sha256)));
    } catch (error) {
      throwWriteFailure(error, this.#directory);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#arriving, (intake) => intake.abort()));
    await this.#lanes.close();
  }

  async #keep(path: string, sealed: SealedSample): Promise<StoredSample> {
    const wasThere = await this.has(sealed.sha256);
    try {
      const shard = this.#shardOf(sealed.sha256);
      if ((await mkdir(shard, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(this.#directory);
      await moveIntoPlace(path, join(shard, sealed.sha256));
    } catch (error) {
      await removeUnfinished(path);
      throwWriteFailure(error, this.#directory);
    }
    return { ...sealed, wasThere };
  }

  #throwReading(error: unknown, sha256: string): never {
    if (error instanceof DamagedContainerError) fail({ kind: 'vault-damaged', sha256 }, error);
    if (systemErrorCode(error) === 'ENOENT') fail({ kind: 'not-in-vault', sha256 }, error);
    throwReadFailure(error, this.#directory);
  }

  /** @throws ZodError for what is no SHA-256: nothing else ever becomes a path */
  #shardOf(sha256: string): string {
    return join(this.#directory, sha256Schema.parse(sha256).slice(0, 2));
  }

  #pathOf(sha256: string): string {
    return join(this.#shardOf(sha256), sha256);
  }
}
