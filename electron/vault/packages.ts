import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { sha256 as sha256Schema } from '../../shared/domain/hash.ts';
import { workspaceId as workspaceIdSchema } from '../../shared/domain/workspace.ts';
import { fail } from '../../shared/failure.ts';
import { releaseBytes } from '../../shared/release-bytes.ts';
import { makeChildFolder, moveIntoPlace, syncFolder } from '../base/files.ts';
import { openFile, readContainer } from './container/container-file.ts';
import { DamagedContainerError } from './container/container.ts';
import { throwReadFailure, throwWriteFailure, unlessMissing } from './disk-failures.ts';
import { Intake } from './intake.ts';
import { unreadableReason } from './sample-source.ts';
import { openSealingWorkers, type SealingWorkers } from './sealing/sealing-workers.ts';
import { containerBytes, openContainer } from './staging/staged-bytes.ts';
import { newId, prepareFolder, removeUnfinished, unfinishedPath } from './vault-folder.ts';

/** A kept package, to be read at any place. Its bytes are verified by `Packages.check` alone. */
export interface PackageAccess {
  readonly sizeBytes: number;
  /** Fewer than asked for only at the end. @throws FailureError `vault-damaged`, `disk-failed` */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Decrypted at a time: the host answers others between. */
const pieceBytes = 1024 * 1024;

/** Its calls throw DamagedContainerError or the system's error. */
async function openPackageAccess(path: string, sha256: string): Promise<PackageAccess> {
  const container = await openContainer(path, openFile);
  if (container.facts.sha256 !== sha256) {
    await container.file.close();
    throw new DamagedContainerError('another package');
  }
  const bytes = containerBytes(container);
  const read = async (position: number, length: number): Promise<Uint8Array> => {
    if (length <= pieceBytes) return bytes.read(position, length);
    const whole = new Uint8Array(Math.max(0, Math.min(length, bytes.sizeBytes - position)));
    for (let at = 0; at < whole.length; at += pieceBytes)
      whole.set(await bytes.read(position + at, Math.min(pieceBytes, whole.length - at)), at);
    return whole;
  };
  return { sizeBytes: bytes.sizeBytes, read, close: () => bytes.close() };
}

/** A package is named by what came, whatever it should have been. */
const anything = { md5: null, sha256: null };

/**
 * One package on its way in. A small one is sealed where it arrives; a large one flows through two threads, which end
 * with it: packages come once a day, and idle threads would hold their memory meanwhile.
 */
class PackageArrival {
  readonly #directory: string;
  readonly #path: string;
  readonly #moveIn: (path: string, sha256: string) => Promise<void>;
  readonly #sealing: SealingWorkers = openSealingWorkers();
  readonly #intake: Intake;
  #ending: Promise<unknown> = Promise.resolve();

  /** `moveIn` gives a finished file its name. */
  constructor(directory: string, moveIn: (path: string, sha256: string) => Promise<void>) {
    this.#directory = directory;
    this.#path = unfinishedPath(directory, newId());
    this.#moveIn = moveIn;
    this.#intake = new Intake({ path: this.#path, shownPath: directory, durable: true }, (target) =>
      this.#sealing.openSealer(target),
    );
  }

  /** To be called once. Leaves no file when it throws. */
  async take(bytes: AsyncIterable<Uint8Array>, atMostBytes: number): Promise<{ sha256: string; sizeBytes: number }> {
    try {
      await this.#takeAll(bytes, atMostBytes);
      const ending = this.#finish();
      this.#ending = Promise.allSettled([ending]);
      return await ending;
    } finally {
      await this.abort();
    }
  }

  /** Resolves when nothing of it is under way any more. What is finished by then stays. */
  async abort(): Promise<void> {
    await this.#intake.abort();
    await this.#ending;
    await this.#sealing.close();
  }

  async #takeAll(bytes: AsyncIterable<Uint8Array>, atMostBytes: number): Promise<void> {
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      sizeBytes += chunk.length;
      if (sizeBytes > atMostBytes) fail({ kind: 'package-too-large', limitBytes: atMostBytes });
      await this.#intake.write(chunk);
    }
  }

  async #finish(): Promise<{ sha256: string; sizeBytes: number }> {
    const { sha256, sizeBytes } = await this.#intake.finish(anything);
    try {
      await this.#moveIn(this.#path, sha256);
    } catch (error) {
      await removeUnfinished(this.#path);
      throwWriteFailure(error, this.#directory);
    }
    return { sha256, sizeBytes };
  }
}

/** Where packages lie: `<workspace>/<sha256>`. Throws the system's errors. */
class PackageFolders {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** @throws ZodError for what is no workspace id or no SHA-256: nothing else ever becomes a path */
  pathOf(workspaceId: string, sha256: string): string {
    return join(this.#folderOf(workspaceId), sha256Schema.parse(sha256));
  }

  /** Puts a finished and synced file in its place, over an older one. It is there after a power cut too. */
  async moveIn(path: string, workspaceId: string, sha256: string): Promise<void> {
    const made = await makeChildFolder(this.#folderOf(workspaceId));
    await moveIntoPlace(path, this.pathOf(workspaceId, sha256));
    if (made) await syncFolder(this.#directory);
  }

  async remove(workspaceId: string, sha256: string): Promise<void> {
    const path = this.pathOf(workspaceId, sha256);
    await rm(path, { force: true });
    await unlessMissing(syncFolder(dirname(path)));
  }

  /** With its folder, unless something else lies there. */
  async removeAll(workspaceId: string): Promise<void> {
    for (const sha256 of await this.list(workspaceId)) await rm(this.pathOf(workspaceId, sha256), { force: true });
    await this.removeIfEmpty(workspaceId);
  }

  async removeIfEmpty(workspaceId: string): Promise<void> {
    try {
      await rmdir(this.#folderOf(workspaceId));
    } catch (error) {
      if (!mayStay.has(systemErrorCode(error) ?? '')) throw error;
    }
  }

  /** Each SHA-256, in no order. */
  async list(workspaceId: string): Promise<string[]> {
    const names = (await unlessMissing(readdir(this.#folderOf(workspaceId)))) ?? [];
    return names.filter((name) => sha256Schema.safeParse(name).success);
  }

  /** Those that have a folder. */
  async workspaces(): Promise<string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && workspaceIdSchema.safeParse(entry.name).success)
      .map(({ name }) => name);
  }

  #folderOf(workspaceId: string): string {
    return join(this.#directory, workspaceIdSchema.parse(workspaceId));
  }
}

/** Not there, or not empty: POSIX lets a system say either of the last two. */
const mayStay = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST']);

/** The bytes of rule packages on this computer: of each workspace, named by SHA-256, stored encrypted like samples. */
export interface Packages {
  /**
   * Takes the bytes as they come. They are durable when it resolves; the same bytes twice are one. Whatever it throws,
   * it leaves nothing.
   * @throws FailureError `package-too-large`, `disk-full`, `not-writable`, `disk-failed`, `worker-ended`, `cancelled`
   * when it closes, and what `bytes` throws
   */
  receive(
    workspaceId: string,
    bytes: AsyncIterable<Uint8Array>,
    limits: { atMostBytes: number },
  ): Promise<{ sha256: string; sizeBytes: number }>;
  /** Reads it whole once. @throws FailureError `vault-damaged`, `package-missing`, `disk-failed` */
  check(workspaceId: string, sha256: string): Promise<void>;
  /** To be closed by the caller. @throws FailureError as `check` does, where it cannot be opened at all */
  openAt(workspaceId: string, sha256: string): Promise<PackageAccess>;
  /**
   * In pieces of at most 128 KiB, the last one only once all are verified. Throws while it is read what `check` throws.
   */
  read(workspaceId: string, sha256: string): AsyncIterable<Uint8Array>;
  /** Does nothing where it is not there. */
  remove(workspaceId: string, sha256: string): Promise<void>;
  removeWorkspace(workspaceId: string): Promise<void>;
  /** Removes unknown packages. To be called once at the start. Packages received since the opening stay. */
  sweep(isKnown: (workspaceId: string, sha256: string) => boolean): Promise<void>;
  /** What is still being received fails and leaves nothing. */
  close(): Promise<void>;
}

/**
 * Opens the store of packages in `directory`, made if need be, and removes what a crash left unfinished. A thread runs
 * only while a large package is received. One process at a time; the holder of the data directory ensures that.
 *
 * @throws FailureError `disk-full`, `not-writable`, `disk-failed`
 */
export async function openPackages(directory: string): Promise<Packages> {
  try {
    await prepareFolder(directory);
    await syncFolder(dirname(directory));
  } catch (error) {
    throwWriteFailure(error, directory);
  }
  return new FolderPackages(directory);
}

class FolderPackages implements Packages {
  readonly #directory: string;
  readonly #folders: PackageFolders;
  readonly #arrivals = new Set<PackageArrival>();
  /**
   * Of each workspace, the packages that arrived since the opening and are still here. The callback of `sweep` may not
   * know them yet.
   */
  readonly #received = new Map<string, Set<string>>();
  #closed = false;

  constructor(directory: string) {
    this.#directory = directory;
    this.#folders = new PackageFolders(directory);
  }

  async receive(
    workspaceId: string,
    bytes: AsyncIterable<Uint8Array>,
    { atMostBytes }: { atMostBytes: number },
  ): Promise<{ sha256: string; sizeBytes: number }> {
    workspaceIdSchema.parse(workspaceId);
    if (this.#closed) throw new Error('the store of packages is closed');
    const arrival = new PackageArrival(this.#directory, (path, sha256) => this.#moveIn(path, workspaceId, sha256));
    this.#arrivals.add(arrival);
    try {
      return await arrival.take(bytes, atMostBytes);
    } finally {
      this.#arrivals.delete(arrival);
    }
  }

  async check(workspaceId: string, sha256: string): Promise<void> {
    for await (const piece of this.read(workspaceId, sha256)) releaseBytes(piece);
  }

  async openAt(workspaceId: string, sha256: string): Promise<PackageAccess> {
    const path = this.#folders.pathOf(workspaceId, sha256);
    const throwing = (error: unknown): never => this.#throwReading(error, sha256);
    const access = await openPackageAccess(path, sha256).catch(throwing);
    return {
      sizeBytes: access.sizeBytes,
      read: (position, length) => access.read(position, length).catch(throwing),
      close: () => access.close(),
    };
  }

  async *read(workspaceId: string, sha256: string): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    const path = this.#folders.pathOf(workspaceId, sha256);
    try {
      yield* readContainer(path, sha256);
    } catch (error) {
      this.#throwReading(error, sha256);
    }
  }

  async remove(workspaceId: string, sha256: string): Promise<void> {
    this.#received.get(workspaceId)?.delete(sha256);
    await this.#folders
      .remove(workspaceId, sha256)
      .catch((error: unknown) => throwWriteFailure(error, this.#directory));
  }

  async removeWorkspace(workspaceId: string): Promise<void> {
    this.#received.delete(workspaceId);
    await this.#folders.removeAll(workspaceId).catch((error: unknown) => throwWriteFailure(error, this.#directory));
  }

  async sweep(isKnown: (workspaceId: string, sha256: string) => boolean): Promise<void> {
    try {
      for (const workspaceId of await this.#folders.workspaces()) await this.#sweepOne(workspaceId, isKnown);
    } catch (error) {
      throwWriteFailure(error, this.#directory);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#arrivals, (arrival) => arrival.abort()));
  }

  async #sweepOne(workspaceId: string, isKnown: (workspaceId: string, sha256: string) => boolean): Promise<void> {
    for (const sha256 of await this.#folders.list(workspaceId)) {
      const isNew = this.#received.get(workspaceId)?.has(sha256) ?? false;
      if (!isNew && !isKnown(workspaceId, sha256)) await this.#folders.remove(workspaceId, sha256);
    }
    await this.#folders.removeIfEmpty(workspaceId);
  }

  async #moveIn(path: string, workspaceId: string, sha256: string): Promise<void> {
    this.#received.set(workspaceId, (this.#received.get(workspaceId) ?? new Set()).add(sha256));
    await this.#folders.moveIn(path, workspaceId, sha256);
  }

  #throwReading(error: unknown, sha256: string): never {
    switch (unreadableReason(error)) {
      case null:
        throw error;
      case 'damaged':
        return fail({ kind: 'vault-damaged', sha256 }, error);
      case 'ENOENT':
        return fail({ kind: 'package-missing', sha256 }, error);
      default:
        return throwReadFailure(error, this.#directory);
    }
  }
}
