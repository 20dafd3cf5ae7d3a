import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from './disk-failures.ts';
import type { Packs } from './packs/packs.ts';
import type { StoringPool } from './storing/storing-pool.ts';
import { isUnfinishedName } from './vault-folder.ts';

export interface VaultUpkeepOptions {
  incoming: string;
  packs: Packs | null;
  pool: Pick<StoringPool, 'isAtRest' | 'rest'>;
  /** Nothing is being received or committed. */
  isIdle(): boolean;
}

/**
 * Removes unused data of the vault: files that could not be removed when they were given up, and records of packs that
 * were. Throws the system's errors.
 */
export class VaultUpkeep {
  readonly #options: VaultUpkeepOptions;

  constructor(options: VaultUpkeepOptions) {
    this.#options = options;
  }

  /** What `cleanUp` would give back. */
  async unusedBytes(): Promise<number> {
    const left = await this.#leftovers();
    const wasted = (await this.#options.packs?.wasted(this.#options.isIdle())) ?? [];
    return sumOf(left.map(({ sizeBytes }) => sizeBytes)) + sumOf(wasted.map(({ wastedBytes }) => wastedBytes));
  }

  /** @returns the bytes that were given back */
  async cleanUp(mayRemove: () => boolean): Promise<number> {
    const { packs, pool } = this.#options;
    const left = packs?.leaving();
    if (await pool.rest()) left?.();
    return (await this.#removeLeftovers()) + ((await packs?.shrink(mayRemove)) ?? 0);
  }

  /** An unused file stays unused: no file gets the name of another. */
  async #removeLeftovers(): Promise<number> {
    const { isIdle } = this.#options;
    let freed = 0;
    for (const { path, sizeBytes } of await this.#leftovers()) {
      if (!isIdle()) break;
      freed += (await unlessMissing(rm(path).then(() => sizeBytes))) ?? 0;
    }
    return freed;
  }

  /**
   * None while anything is under way: it has files of that name, and so has a worker among the packs. Checked last,
   * since work may begin while this reads the folders.
   */
  async #leftovers(): Promise<UnfinishedFile[]> {
    const { incoming, packs, pool, isIdle } = this.#options;
    const received = await unfinishedIn(incoming);
    const packed = packs ? await unfinishedIn(packs.folder) : [];
    if (!isIdle()) return [];
    return pool.isAtRest ? [...received, ...packed] : received;
  }
}

interface UnfinishedFile {
  path: string;
  sizeBytes: number;
}

async function unfinishedIn(folder: string): Promise<UnfinishedFile[]> {
  const files: UnfinishedFile[] = [];
  for (const name of (await readdir(folder)).filter(isUnfinishedName)) {
    const facts = await unlessMissing(stat(join(folder, name)));
    if (facts) files.push({ path: join(folder, name), sizeBytes: facts.size });
  }
  return files;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
