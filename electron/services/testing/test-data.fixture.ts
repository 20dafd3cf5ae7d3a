import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores, type Stores } from '../../storage/stores.ts';
import { migratedData } from '../../storage/testing/migrated-data.fixture.ts';
import { openVault, type Vault } from '../../vault/vault.ts';

/** Real stores and a real vault. */
export interface TestData {
  /** The folder of the set-up. */
  base: string;
  /** The data directory in it. */
  data: string;
  stores: Stores;
  vault: Vault;
  /** To be called when everything that uses them is closed. */
  close(): Promise<void>;
}

/**
 * `at`: a folder that stays; else one of its own, which is removed at the end. `inside`: the path of the data directory
 * in it. `wrap` may replace some of the stores.
 */
export async function openTestData(
  at?: string,
  { inside = 'data', wrap = (stores: Stores): Stores => stores } = {},
): Promise<TestData> {
  const base = at ?? (await mkdtemp(join(tmpdir(), 'vitrine-services-')));
  const data = join(base, inside);
  const stores = wrap(await openStores(migratedData(data), null));
  const vault = await openVault(join(data, 'vault'), stores.packs);
  return {
    base,
    data,
    stores,
    vault,
    close: async () => {
      await vault.close();
      await Promise.all([stores.jobReader.close(), stores.libraryReader.close(), stores.journalReader.close()]);
      stores.close();
      if (at === undefined) await rm(base, { recursive: true, force: true });
    },
  };
}

/** Notes so many samples in the library whose bytes are not here. @returns their SHA-256s */
export function noteSamples({ library }: Pick<Stores, 'library'>, count: number): string[] {
  const notes = Array.from({ length: count }, () => {
    const hashes = {
      md5: randomBytes(16).toString('hex'),
      sha1: randomBytes(20).toString('hex'),
      sha256: randomBytes(32).toString('hex'),
    };
    return { workspaceId: 'lab', md5: hashes.md5, hashes, sizeBytes: 1, outcome: 'done' };
  });
  library.recordUploads(notes);
  return notes.map(({ hashes }) => hashes.sha256);
}
