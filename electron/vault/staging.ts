import { constants } from 'node:fs';
import { access, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import type { Hashes } from '../../shared/domain/hash.ts';
import { stagedFile, type StagedFile } from '../../shared/domain/upload.ts';
import { fail } from '../../shared/failure.ts';
import { asPlainFile, pathsLike, readableName, shownPath, systemPath } from '../base/name-bytes.ts';
import { readContainer, readContainerFacts } from './container/container-file.ts';
import { DamagedContainerError } from './container/container.ts';
import { throwReadFailure, throwWriteFailure } from './disk-failures.ts';
import { ContainerIntake } from './staging/container-intake.ts';
import {
  asynchronously,
  ChangedFileError,
  type ContainerSource,
  isAsStaged,
  isMissingCode,
  openStagedBytes,
  readInPlace,
  type StagedBytes,
  type StagedSource,
} from './staging/staged-bytes.ts';
import { newId } from './vault-folder.ts';

const containerName = /^([0-9a-f]{32})\.(?:staged|part)$/;

/**
 * The path of a whole container: until it is whole it has another name, which identifies the leftover of a killed
 * program.
 */
const stagedContainerPath = (folder: string, id: string): string => join(folder, `${id}.staged`);

interface LeftContainer {
  id: string;
  path: string;
}

/** Whole containers and unfinished ones, in no order. Throws the system's errors. */
async function containersIn(folder: string): Promise<LeftContainer[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const [, id] = containerName.exec(name) ?? [];
    return id === undefined ? [] : [{ id, path: join(folder, name) }];
  });
}

/** What has to be kept so that a staged file can be found again: a container's path follows from its id. */
export const stagedPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('container') }),
  z.object({
    kind: z.literal('in-place'),
    path: z.string(),
    sizeBytes: z.number().int().nonnegative(),
    changedMs: z.number(),
  }),
]);
type StagedPlace = z.infer<typeof stagedPlace>;

/** `changed`: it is not the file that was staged. `gone` includes a damaged container. */
type StagedState = 'there' | 'changed' | 'gone';

/** Staged bytes to be read at any place. Its calls throw as those of `open` do. */
export interface StagedAccess {
  readonly sizeBytes: number;
  /** Fewer than asked for only at the end. The bytes of a container are not verified. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Its hashes were computed while it came. */
interface StagedStream extends StagedFile {
  hashes: Hashes;
}

/**
 * Files the person gave to the page, which knows them only by an id. They outlive the program; a caller that needs one
 * again keeps its place.
 */
export interface Staging {
  /**
   * Takes a file in from a browser: it is stored encrypted in a container until it is discarded. A stream that fails
   * leaves nothing.
   */
  stageStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<StagedStream>;
  /**
   * Remembers a file where it is; it is not copied. A name that is no UTF-8 is found by what is left of it, where that
   * is one file. @throws FailureError `staged-file-missing` when it is no file, `file-unreadable`
   */
  stagePath(path: string): Promise<StagedFile>;
  /** As it was staged by this run. @throws FailureError `staged-file-missing`, also for one of an earlier run */
  fileOf(id: string): StagedFile;
  /** What a database must keep so that a staged file can be found again. @throws FailureError `staged-file-missing` */
  placeOf(id: string): StagedPlace;
  /** Where it lies, for a thread that reads it itself; null for an unknown id. */
  sourceOf(id: string): StagedSource | null;
  /**
   * Registers a file of an earlier run again; it is checked when it is read. @throws ZodError for an invalid id:
   * nothing else ever becomes a path
   */
  restore(id: string, place: StagedPlace): void;
  /**
   * Removes containers of earlier runs that were not restored, finished or not. To be called once, after the restoring.
   * @returns how many
   */
  sweep(): Promise<number>;
  /**
   * @throws FailureError while it is read: `staged-file-missing` when it is gone, damaged, or was changed since,
   * `disk-failed`
   */
  open(id: string): AsyncIterable<Uint8Array>;
  /** Random access, for archives. To be closed. */
  openAt(id: string): Promise<StagedAccess>;
  /** Without reading its bytes. @throws FailureError `disk-failed` */
  check(id: string): Promise<StagedState>;
  /** Forgets it; what was copied is removed, what was not is left alone. Does nothing for an unknown id. */
  discard(id: string): Promise<void>;
  /** Keeps everything on disk. */
  close(): Promise<void>;
}

/** Leaves what is in the folder until `sweep`. @throws FailureError as a write does */
export async function openStaging(directory: string): Promise<Staging> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new FolderStaging(directory, await containersIn(directory));
  } catch (error) {
    return throwWriteFailure(error, directory);
  }
}

class FolderStaging implements Staging {
  readonly #directory: string;
  readonly #staged = new Map<string, StagedSource>();
  /** The facts about them that the page received. */
  readonly #files = new Map<string, StagedFile>();
  readonly #intake: ContainerIntake;
  #earlier: readonly LeftContainer[];

  constructor(directory: string, earlier: readonly LeftContainer[]) {
    this.#directory = directory;
    this.#intake = new ContainerIntake(directory);
    this.#earlier = earlier;
  }

  async stageStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<StagedStream> {
    const id = newId();
    const container = this.#containerOf(id);
    const { sizeBytes, md5, sha1, sha256 } = await this.#intake.take(bytes, container.path);
    return { ...this.#keep(container, { id, name, sizeBytes }), hashes: { md5, sha1, sha256 } };
  }

  async stagePath(given: string): Promise<StagedFile> {
    const id = newId();
    const [path = given, another] = await pathsLike(given);
    if (another !== undefined) fail({ kind: 'file-unreadable', name: basename(given), code: 'EILSEQ' });
    const found = await asPlainFile(() => stat(systemPath(path))).catch((error: unknown) =>
      throwUnstageable(error, id, path),
    );
    if (!found.isFile()) fail({ kind: 'staged-file-missing', id });
    await asPlainFile(() => access(systemPath(path), constants.R_OK)).catch((error: unknown) =>
      throwUnstageable(error, id, path),
    );
    const name = await readableName(basename(path));
    return this.#keep(
      { kind: 'in-place', path, sizeBytes: found.size, changedMs: found.mtimeMs },
      { id, name, sizeBytes: found.size },
    );
  }

  fileOf(id: string): StagedFile {
    return this.#files.get(id) ?? fail({ kind: 'staged-file-missing', id });
  }

  placeOf(id: string): StagedPlace {
    const source = this.#known(id);
    return source.kind === 'container' ? { kind: 'container' } : source;
  }

  sourceOf(id: string): StagedSource | null {
    return this.#staged.get(id) ?? null;
  }

  restore(id: string, place: StagedPlace): void {
    const known = stagedFile.shape.id.parse(id);
    this.#staged.set(known, place.kind === 'container' ? this.#containerOf(known) : place);
  }

  async sweep(): Promise<number> {
    const left = this.#earlier.filter(({ id }) => !this.#staged.has(id));
    this.#earlier = [];
    for (const { path } of left) await this.#remove(path);
    return left.length;
  }

  async *open(id: string): AsyncGenerator<Uint8Array, void, void> {
    const source = this.#known(id);
    try {
      yield* source.kind === 'container' ? readContainer(source.path, null) : readInPlace(source);
    } catch (error) {
      this.#throwUnreadable(error, id, source);
    }
  }

  async openAt(id: string): Promise<StagedAccess> {
    const source = this.#known(id);
    const orFail = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => this.#throwUnreadable(error, id, source));
    const bytes: StagedBytes = await orFail(openStagedBytes(source, asynchronously));
    return {
      sizeBytes: bytes.sizeBytes,
      read: (position, length) => orFail(bytes.read(position, length)),
      close: () => bytes.close(),
    };
  }

  async check(id: string): Promise<StagedState> {
    const source = this.#staged.get(id);
    if (source === undefined) return 'gone';
    try {
      if (source.kind === 'in-place')
        return isAsStaged(await asPlainFile(() => stat(systemPath(source.path))), source) ? 'there' : 'changed';
      await readContainerFacts(source.path, null);
      return 'there';
    } catch (error) {
      if (error instanceof DamagedContainerError || isMissingCode(systemErrorCode(error))) return 'gone';
      return throwReadFailure(error, this.#shownPath(source));
    }
  }

  async discard(id: string): Promise<void> {
    const source = this.#staged.get(id);
    this.#staged.delete(id);
    this.#files.delete(id);
    if (source?.kind !== 'container') return;
    await this.#remove(source.path);
  }

  async close(): Promise<void> {
    await this.#intake.close();
  }

  #keep(source: StagedSource, file: StagedFile): StagedFile {
    this.#staged.set(file.id, source);
    this.#files.set(file.id, file);
    return file;
  }

  #known(id: string): StagedSource {
    return this.#staged.get(id) ?? fail({ kind: 'staged-file-missing', id });
  }

  #containerOf(id: string): ContainerSource {
    return { kind: 'container', path: stagedContainerPath(this.#directory, id) };
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch((error: unknown) => throwWriteFailure(error, this.#directory));
  }

  #shownPath(source: StagedSource): string {
    return source.kind === 'container' ? this.#directory : shownPath(source.path);
  }

  #throwUnreadable(error: unknown, id: string, source: StagedSource): never {
    const isLost =
      error instanceof DamagedContainerError ||
      error instanceof ChangedFileError ||
      isMissingCode(systemErrorCode(error));
    if (isLost) fail({ kind: 'staged-file-missing', id }, error);
    throwReadFailure(error, this.#shownPath(source));
  }
}

function throwUnstageable(error: unknown, id: string, path: string): never {
  const code = systemErrorCode(error);
  if (isMissingCode(code)) fail({ kind: 'staged-file-missing', id }, error);
  if (code === null) throw error;
  fail({ kind: 'file-unreadable', name: shownPath(basename(path)), code }, error);
}
