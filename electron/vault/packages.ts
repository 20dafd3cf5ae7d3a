import { dirname } from 'node:path';
import { workspaceId as workspaceIdSchema } from '../../shared/domain/workspace.ts';
import { fail } from '../../shared/failure.ts';
import { releaseBytes } from '../../shared/release-bytes.ts';
import { syncFolder } from '../base/files.ts';
import { readContainer } from './container/container-file.ts';
import { throwReadFailure, throwWriteFailure } from './disk-failures.ts';
import { openPackageAccess, type PackageAccess } from './packages/package-access.ts';
import { PackageArrival } from './packages/package-arrival.ts';
import { PackageFolders } from './packages/package-folders.ts';
import { unreadableReason } from './sample-source.ts';
import { prepareFolder } from './vault-folder.ts';

export type { PackageAccess } from './packages/package-access.ts';

/** The bytes of rule packages on this computer: of each workspace, named by SHA-256, inert at rest like samples. */
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
  /** Removes packages that nobody knows. To be called once at the start. What was received since the opening stays. */
  sweep(isKnown: (workspaceId: string, sha256: string) => boolean): Promise<void>;
  /** What is still being received fails and leaves nothing. */
  close(): Promise<void>;
}

/**
 * Opens the store of packages in `directory`, made if need be, and clears it of what a crash left unfinished. No thread
 * runs but while a large package is received. One process at a time; whoever holds the data directory sees to that.
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
   * Of each workspace, what came since the opening and is here, and may not be known yet to whoever is asked by
   * `sweep`.
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
