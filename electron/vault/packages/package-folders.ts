import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { sha256 as sha256Schema } from '../../../shared/domain/hash.ts';
import { workspaceId as workspaceIdSchema } from '../../../shared/domain/workspace.ts';
import { makeChildFolder, moveIntoPlace, syncFolder } from '../../base/files.ts';
import { unlessMissing } from '../disk-failures.ts';

/** Where packages lie: `<workspace>/<sha256>`. Throws the system's errors. */
export class PackageFolders {
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
