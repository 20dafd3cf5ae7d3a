import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from './disk-failures.ts';
import type { Packs } from './packs/packs.ts';
import type { StoringPool } from './storing/storing-pool.ts';
import { isUnfinishedName } from './vault-folder.ts';

export interface VaultUpkeepOptions {
  incoming: string;
  packs: Packs | null;
  pool: StoringPool;
  /** Nothing is being received or committed. */
  isIdle(): boolean;
}

/** What in the vault is nobody's: files that could not be removed when they were given up, and records of packs that were. Throws the system's errors. */
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
    if (await pool.rest()) packs?.allLeft();
    return (await this.#removeLeftovers()) + ((await packs?.shrink(mayRemove)) ?? 0);
  }

  /** Listed while nothing is under way, and nothing was since: what has such a name is nobody's. */
  async #removeLeftovers(): Promise<number> {
    const { isIdle } = this.#options;
    let freed = 0;
    for (const { path, sizeBytes } of await this.#leftovers()) {
      if (!isIdle()) break;
      await rm(path, { force: true });
      freed += sizeBytes;
    }
    return freed;
  }

  /** None while anything is under way: it has files of that name. */
  async #leftovers(): Promise<{ path: string; sizeBytes: number }[]> {
    const { incoming, packs, pool, isIdle } = this.#options;
    const folders = [incoming, ...(packs && pool.isAtRest ? [packs.folder] : [])];
    const left: { path: string; sizeBytes: number }[] = [];
    for (const folder of folders) {
      for (const name of (await readdir(folder)).filter(isUnfinishedName)) {
        const facts = await unlessMissing(stat(join(folder, name)));
        if (facts) left.push({ path: join(folder, name), sizeBytes: facts.size });
      }
    }
    return isIdle() ? left : [];
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
