import { hash, randomBytes } from 'node:crypto';
import { FailureError } from '../../../shared/failure.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { type S3Client, S3Refused } from './s3-client.ts';
import { newPlace } from './s3-upload.ts';

export const s3Steps = [
  'put',
  'read',
  'range',
  'list',
  'delete',
  'multipart upload',
  'list of multipart uploads',
  // Removes what the list was tried with.
  'abort of a multipart upload',
] as const;
export type S3Step = (typeof s3Steps)[number];

export interface S3StepResult {
  step: S3Step;
  worked: boolean;
  /** The lab needs it. The others keep the bucket tidy: without them it needs a rule for unfinished uploads. */
  isRequired: boolean;
  /** What the store answered where it did not work, else empty. */
  words: string;
}

const optional: ReadonlySet<S3Step> = new Set(['abort of a multipart upload', 'list of multipart uploads']);
/** The smallest part of a multipart upload that is not its last one. */
const smallestPart = 5 * 1024 * 1024;
/** The single-process store of Ceph 18 sends an object in pieces of the size of its last part. */
const lastPart = 64 * 1024;

/**
 * Does once what the lab does with a bucket, and removes it. Each step is tried, also after one that failed. Stores
 * 5 MiB for a moment, and what is left when it is killed is swept as any object without a row.
 */
export async function checkS3(client: S3Client): Promise<S3StepResult[]> {
  const key = newPlace();
  const upload = { key: newPlace(), id: '' };
  const content = randomBytes(1024);
  const begin = async (): Promise<void> => void (upload.id = await client.createUpload(upload.key));
  const steps: Record<S3Step, () => Promise<void>> = {
    put: () => client.put(key, content, { md5: hash('md5', content, 'buffer') }),
    read: async () => expectBytes(await bytesOf(client, key), content),
    range: async () => expectBytes(await bytesOf(client, key, { first: 10, last: 99 }), content.subarray(10, 100)),
    list: async () => {
      const { entries } = await client.list(key, null);
      if (!entries.some((entry) => entry.key === key)) throw new S3Refused('NotListed', 'an object is not in its list');
    },
    delete: async () => {
      await client.delete(key);
      await expectMissing(client, key);
    },
    'multipart upload': () => uploadInParts(client, newPlace()),
    'list of multipart uploads': async () => {
      await begin();
      const { entries } = await client.listUnfinished(upload.key, null);
      if (!entries.some(({ uploadId }) => uploadId === upload.id))
        throw new S3Refused('NotListed', 'an unfinished upload is not in the list');
    },
    'abort of a multipart upload': async () => {
      if (upload.id === '') await begin();
      await client.abortUpload(upload.key, upload.id);
    },
  };
  const results: S3StepResult[] = [];
  for (const step of s3Steps) results.push({ step, isRequired: !optional.has(step), ...(await tried(steps[step])) });
  return results;
}

/** What is no answer of the store's is a defect of ours. */
async function tried(step: () => Promise<void>): Promise<{ worked: boolean; words: string }> {
  try {
    await step();
    return { worked: true, words: '' };
  } catch (error) {
    if (error instanceof S3Refused || error instanceof StoreUnavailable) return { worked: false, words: error.message };
    if (error instanceof FailureError && error.failure.kind === 'disk-full')
      return { worked: false, words: `The bucket ${error.failure.path} is full.` };
    throw error;
  }
}

async function uploadInParts(client: S3Client, key: string): Promise<void> {
  const parts = [randomBytes(smallestPart), randomBytes(lastPart)];
  const id = await client.createUpload(key);
  const etags: string[] = [];
  for (const part of parts)
    etags.push(await client.putPart(key, id, etags.length + 1, part, { md5: hash('md5', part, 'buffer') }));
  await client.completeUpload(key, id, etags);
  try {
    expectBytes(await bytesOf(client, key), Buffer.concat(parts));
  } finally {
    await client.delete(key);
  }
}

async function bytesOf(client: S3Client, key: string, range?: { first: number; last: number }): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const { bytes } = await client.get(key, range);
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function expectBytes(found: Buffer, expected: Buffer): void {
  if (!found.equals(expected)) throw new S3Refused('OtherBytes', 'other bytes came back than were sent');
}

async function expectMissing(client: S3Client, key: string): Promise<void> {
  try {
    await bytesOf(client, key);
  } catch (error) {
    if (error instanceof S3Refused && error.code === 'NoSuchKey') return;
    throw error;
  }
  throw new S3Refused('StillThere', 'a deleted object is still there');
}
