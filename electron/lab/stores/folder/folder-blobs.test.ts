import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreContract } from '../blob-store.fixture.ts';
import { openFolderBlobs } from './folder-blobs.ts';

blobStoreContract('blobs in a folder', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-blobs-'));
  const blobs = await openFolderBlobs(directory);
  return {
    blobs,
    replaceContainer: async (place, change) => {
      const names = await readdir(directory, { recursive: true });
      const name = names.find((candidate) => candidate.includes(place));
      if (name === undefined) throw new Error('no such container');
      await writeFile(join(directory, name), change(await readFile(join(directory, name))));
    },
    close: async () => {
      await blobs.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
});
