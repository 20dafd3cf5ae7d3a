import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { StagedFile } from '../../shared/domain/staged-file.ts';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';
import { DamagedContainerError } from './container/container.ts';
import { readContainer } from './container/container-file.ts';
import { throwReadFailure, throwWriteFailure } from './disk-failures.ts';
import { Intake } from './intake.ts';
import { openSealingLanes, type SealingLanes } from './sealing/sealing-lanes.ts';
import { newId, prepareFolder, unfinishedPath } from './vault-folder.ts';

/** Files the person handed to the page, known to it by an id only. They last until the program ends. */
export interface Staging {
  /** Takes a file in from a browser: it lies in an inert container until it is discarded. A stream that fails leaves nothing. */
  stageStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  /** Remembers a file where it is; it is not copied. @throws FailureError `staged-file-missing` when it is no readable file */
  stagePath(path: string): Promise<StagedFile>;
  /** @throws FailureError while it is read: `staged-file-missing` when it is gone or was changed since, `disk-failed` */
  open(id: string): AsyncIterable<Uint8Array>;
  /** Forgets it; what was copied is removed, what was not is left alone. Does nothing for an unknown id. */
  discard(id: string): Promise<void>;
  /** Discards all. */
  close(): Promise<void>;
}

/** Clears the folder of what an earlier run left: it belongs to nobody. @throws FailureError as a write does */
export async function openStaging(directory: string): Promise<Staging> {
  await prepareFolder(directory).catch((error: unknown) => throwWriteFailure(error, directory));
  return new FolderStaging(directory);
}

type Staged = { kind: 'container'; path: string } | { kind: 'in-place'; path: string; sizeBytes: number; changedMs: number };

class FolderStaging implements Staging {
  readonly #directory: string;
  readonly #staged = new Map<string, Staged>();
  readonly #lanes: SealingLanes = openSealingLanes();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async stageStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const id = newId();
    const path = unfinishedPath(this.#directory, id);
    const intake = new Intake({ path, shownPath: this.#directory, durable: false }, this.#lanes.openSealer);
    try {
      for await (const chunk of bytes) await intake.write(chunk);
      const { sizeBytes } = await intake.finish({ md5: null, sha256: null });
      this.#staged.set(id, { kind: 'container', path });
      return { id, name, sizeBytes };
    } finally {
      await intake.abort();
    }
  }

  async stagePath(path: string): Promise<StagedFile> {
    const id = newId();
    const found = await stat(path).catch((error: unknown) => throwUnreadable(error, id, path));
    if (!found.isFile()) fail({ kind: 'staged-file-missing', id });
    this.#staged.set(id, { kind: 'in-place', path, sizeBytes: found.size, changedMs: found.mtimeMs });
    return { id, name: basename(path), sizeBytes: found.size };
  }

  async *open(id: string): AsyncGenerator<Uint8Array, void, void> {
    const staged = this.#staged.get(id) ?? fail({ kind: 'staged-file-missing', id });
    try {
      yield* staged.kind === 'container' ? readContainer(staged.path, null) : readUnchanged(id, staged);
    } catch (error) {
      throwUnreadable(error, id, staged.kind === 'container' ? this.#directory : staged.path);
    }
  }

  async discard(id: string): Promise<void> {
    const staged = this.#staged.get(id);
    this.#staged.delete(id);
    if (staged?.kind !== 'container') return;
    await rm(staged.path, { force: true }).catch((error: unknown) => throwWriteFailure(error, this.#directory));
  }

  async close(): Promise<void> {
    await this.#lanes.close();
    for (const id of this.#staged.keys()) await this.discard(id);
  }
}

async function* readUnchanged(id: string, staged: Extract<Staged, { kind: 'in-place' }>): AsyncGenerator<Uint8Array, void, void> {
  const { size, mtimeMs } = await stat(staged.path);
  if (size !== staged.sizeBytes || mtimeMs !== staged.changedMs) fail({ kind: 'staged-file-missing', id });
  const bytes: AsyncIterable<Buffer> = createReadStream(staged.path, { highWaterMark: 256 * 1024 });
  yield* bytes;
}

function throwUnreadable(error: unknown, id: string, shownPath: string): never {
  if (error instanceof DamagedContainerError || systemErrorCode(error) === 'ENOENT') fail({ kind: 'staged-file-missing', id }, error);
  throwReadFailure(error, shownPath);
}
