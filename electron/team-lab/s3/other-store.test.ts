import { hash, randomBytes } from 'node:crypto';
import { env } from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  added,
  blobStoreContract,
  placesOf,
  readAll,
  sweepAll,
  type TestedBlobStore,
} from '../../lab/stores/blob-store.fixture.ts';
import { readS3Address, readS3Keys } from './s3-address.ts';
import { openS3Blobs } from './s3-blobs.ts';
import { checkS3 } from './s3-check.ts';
import { S3Client } from './s3-client.ts';

/**
 * The same promises over a store that is not the tests' own, such as Ceph's: `VITRINE_TEST_BUCKET` is the address of a
 * bucket as `--blobs` takes it, and the keys come as for a lab. Each test has a prefix of its own there.
 */
const bucket = env['VITRINE_TEST_BUCKET'];

function openClient(): S3Client {
  if (bucket === undefined) throw new Error('VITRINE_TEST_BUCKET is not set');
  const address = readS3Address(bucket);
  const prefix = `${address.prefix}vitrine-test-${randomBytes(8).toString('hex')}/`;
  return new S3Client({ ...address, prefix }, readS3Keys(env));
}

async function open(): Promise<TestedBlobStore> {
  const client = openClient();
  const blobs = openS3Blobs({ client, report: () => {} });
  return {
    blobs,
    replaceContainer: async (place, change) => {
      const chunks: Uint8Array[] = [];
      const { bytes } = await client.get(place);
      for await (const chunk of bytes) chunks.push(chunk);
      const changed = change(Buffer.concat(chunks));
      await client.put(place, changed, { md5: hash('md5', changed, 'buffer') });
    },
    close: async () => {
      await sweepAll(blobs);
      await blobs.close();
    },
  };
}

describe.skipIf(bucket === undefined)('a store named by VITRINE_TEST_BUCKET', () => {
  blobStoreContract('blobs in that bucket', open, { tags: ['long'] });

  test('the store can do what a lab needs', { tags: ['long'] }, async () => {
    const client = openClient();
    onTestFinished(() => client.close());
    const results = await checkS3(client);
    expect(results.filter(({ isRequired, worked }) => isRequired && !worked)).toEqual([]);
  });

  test('blobs of many parts that are sent at once are read back by ranges', { tags: ['long'] }, async () => {
    const { blobs, close } = await open();
    onTestFinished(close);
    const bytes = randomBytes(33 * 1024 * 1024);
    const [blob] = await Promise.all([added(blobs, bytes), added(blobs, bytes), added(blobs, bytes)]);
    expect(await placesOf(blobs)).toHaveLength(3);
    expect((await readAll(blobs, blob)).equals(bytes)).toBe(true);
    const range = { first: 5 * 1024 * 1024 - 3, last: 20 * 1024 * 1024 };
    expect((await readAll(blobs, blob, range)).equals(bytes.subarray(range.first, range.last + 1))).toBe(true);
  });
});
