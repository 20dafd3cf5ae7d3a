import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 as sha256Schema } from '../../shared/domain/hash.ts';
import { makeChildFolder, persistently, syncFolder } from '../base/files.ts';
import { readContainerFacts } from './container/container-file.ts';
import type { ContainerFacts } from './container/container.ts';
import { unlessMissing } from './disk-failures.ts';
import { samplePath } from './vault-folder.ts';

const shardName = /^[0-9a-f]{2}$/;

export interface FinishedFile {
  /** Finished and synced, on the same file system. */
  path: string;
  sha256: string;
}

/**
 * Samples that lie in files of their own: `ab/<sha256>`, `ab` being the first two digits. Throws the system's errors.
 */
export class SampleFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async has(sha256: string): Promise<boolean> {
    return (await unlessMissing(stat(this.pathOf(sha256)))) !== null;
  }

  /** @returns null when there is no such file */
  factsOf(sha256: string): Promise<ContainerFacts | null> {
    return unlessMissing(readContainerFacts(this.pathOf(sha256), sha256));
  }

  async remove(sha256: string): Promise<void> {
    const path = this.pathOf(sha256);
    await rm(path, { force: true });
    await unlessMissing(syncFolder(dirname(path)));
  }

  /**
   * Puts files in their places, over older ones of which none is being removed; each folder is synced once. When it
   * throws, some may have been moved.
   */
  async moveIn(files: readonly FinishedFile[]): Promise<void> {
    if (files.length === 0) return;
    const folders = [...new Set(files.map(({ sha256 }) => dirname(this.pathOf(sha256))))];
    const made = await Promise.all(folders.map((folder) => makeChildFolder(folder)));
    await Promise.all(files.map(({ path, sha256 }) => persistently(() => rename(path, this.pathOf(sha256)))));
    // After the renames: the first sync takes most of the others along.
    for (const folder of folders) await syncFolder(folder);
    if (made.includes(true)) await syncFolder(this.#directory);
  }

  /** In no order. Files may come and go meanwhile. */
  async *list(): AsyncGenerator<string, void, void> {
    const shards = (await readdir(this.#directory)).filter((name) => shardName.test(name));
    for (const shard of shards) {
      const names = (await unlessMissing(readdir(join(this.#directory, shard)))) ?? [];
      yield* names.filter((name) => sha256Schema.safeParse(name).success);
    }
  }

  /** @throws ZodError for what is no SHA-256: nothing else ever becomes a path */
  pathOf(sha256: string): string {
    return samplePath(this.#directory, sha256Schema.parse(sha256));
  }
}
