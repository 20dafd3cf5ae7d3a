import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { blobStoreContract, type TestedBlobStore } from '../../lab/stores/blob-store.fixture.ts';
import { type S3Fixture, startS3 } from '../testing/s3.fixture.ts';
import { openS3Blobs } from './s3-blobs.ts';

let s3: S3Fixture;
beforeAll(async () => void (s3 = await startS3()));
beforeEach(() => s3.proxy.reset());
afterAll(() => s3.stop());

let prefixes = 0;
function open(through: boolean): TestedBlobStore {
  const prefix = `blobs-${(prefixes += 1)}`;
  const blobs = openS3Blobs({ client: s3.client({ through, prefix }), report: () => {} });
  return {
    blobs,
    replaceContainer: async (place, change) => {
      const path = join(s3.directory, prefix, `${place}._S3rver_object`);
      await writeFile(path, change(await readFile(path)));
    },
    close: () => blobs.close(),
  };
}

blobStoreContract('blobs in a bucket', async () => open(false));
blobStoreContract('blobs in a bucket behind a proxy', async () => open(true));
