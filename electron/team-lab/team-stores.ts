import { hash, randomInt } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '../lab/errors.ts';
import { sweep } from '../lab/lab.ts';
import { type LabStores, StoreUnavailable, sweptAfterMs } from '../lab/stores/blob-store.ts';
import { readDatabaseAddress } from './postgres/pg-address.ts';
import { type DatabaseOptions, PgDatabase } from './postgres/pg-database.ts';
import { openPgMetadata } from './postgres/pg-metadata-store.ts';
import { readS3Address, readS3Keys } from './s3/s3-address.ts';
import { openS3Blobs } from './s3/s3-blobs.ts';
import { S3Client, S3Refused } from './s3/s3-client.ts';

/** The servers that hold a team's samples, as opened for one process. */
export interface TeamStores extends LabStores {
  database: PgDatabase;
  bucket: S3Client;
  /** Why the bucket did not answer when it was opened; null where it did. */
  bucketAway: StoreUnavailable | null;
  /** Whether the bucket answers, within 2 seconds. Fails with S3Refused or StoreUnavailable. */
  probe(): Promise<void>;
  /** Removes bytes without a record, unless another process did so less than an hour ago. */
  sweepInTurn(signal: AbortSignal): Promise<void>;
}

/**
 * Fails with OperatorError, StoreUnavailable or `data-newer`. A bucket that refuses now would refuse whatever is asked
 * of it later, and one with the samples of another database is not ours; one that does not answer may come back.
 * `report` takes what could not be removed.
 */
export async function openTeamStores(
  addresses: { database: string; blobs: string },
  report: (error: unknown) => void,
  options: DatabaseOptions = {},
): Promise<TeamStores> {
  const bucket = openBucket(addresses.blobs);
  const database = new PgDatabase(readDatabaseAddress(addresses.database), options);
  try {
    const [metadata, owner] = await Promise.all([openPgMetadata(database), ownerOrAway(bucket)]);
    const bucketAway = owner instanceof StoreUnavailable ? owner : null;
    if (!(owner instanceof StoreUnavailable)) await requireOwnBucket(database, bucket, owner);
    const blobs = openS3Blobs({ client: bucket, report, maySweep: () => isOwnBucket(database, bucket) });
    const stores = { metadata, blobs };
    return {
      ...stores,
      database,
      bucket,
      bucketAway,
      probe: async () => void (await probe(bucket)),
      sweepInTurn: async (signal) => {
        if (await isTurn(database)) await sweep(stores, sweptAfterMs, signal);
      },
      close: async () => {
        await blobs.close();
        await metadata.close();
      },
    };
  } catch (error) {
    bucket.close();
    await database.close();
    throw error;
  }
}

const probeMs = 2_000;

/** As `ownerOf`, which asks for no right that the lab does not need, within 2 seconds. */
async function probe(bucket: S3Client): Promise<string | null> {
  const signal = AbortSignal.timeout(probeMs);
  try {
    return await ownerOf(bucket, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new StoreUnavailable(`The bucket ${bucket.shown} did not answer within ${probeMs / 1_000} s.`, {
      cause: error,
    });
  }
}

async function ownerOrAway(bucket: S3Client): Promise<string | null | StoreUnavailable> {
  try {
    return await probe(bucket);
  } catch (error) {
    if (error instanceof StoreUnavailable) return error;
    throw error;
  }
}

/** What logs must not show: the keys of the bucket and the password of the database. */
export function secretsOf({ database }: { database: string }): string[] {
  const { accessKeyId, secretAccessKey } = readS3Keys(process.env);
  return [secretAccessKey, accessKeyId, readDatabaseAddress(database).password()].filter((secret) => secret !== null);
}

export const openBucket = (address: string): S3Client => new S3Client(readS3Address(address), readS3Keys(process.env));

/** Beside the samples in the bucket: whose they are. */
const ownerKey = 'lab';

/**
 * A lab over another database knows none of the samples in a bucket that two share, and its sweep would remove them
 * all. So the first sweep writes the number of its database into the bucket, which is compared at each start and
 * before each sweep. The first removes nothing: another may be the first, too, and overwrite the number.
 */
async function isOwnBucket(database: PgDatabase, bucket: S3Client): Promise<boolean> {
  const number = await requireOwnBucket(database, bucket, await ownerOf(bucket));
  if (number === null) return true;
  const content = Buffer.from(number);
  await bucket.put(ownerKey, content, { md5: hash('md5', content, 'buffer') });
  return false;
}

/**
 * `owner`: the number in the bucket. @returns the number of the database where the bucket has none yet. @throws
 * OperatorError for that of another
 */
async function requireOwnBucket(database: PgDatabase, bucket: S3Client, owner: string | null): Promise<string | null> {
  const [own] = await database.query(
    {
      text: `INSERT INTO fact (name, value) VALUES ('lab', $1) ON CONFLICT (name) DO UPDATE SET value = fact.value
             RETURNING value`,
      row: z.object({ value: z.number() }),
    },
    [randomInt(2 ** 47)],
  );
  if (owner === null) return String(own?.value);
  if (owner === String(own?.value)) return null;
  throw new OperatorError(
    `The bucket ${bucket.shown} holds samples of another database. Give each lab a bucket or a prefix of its own; if ` +
      `the other is gone for good, remove the object "${ownerKey}" from the bucket.`,
  );
}

/** The number of the database whose samples are in the bucket; null where none has swept there yet. */
async function ownerOf(bucket: S3Client, signal?: AbortSignal): Promise<string | null> {
  try {
    return await bucket.text(ownerKey, signal);
  } catch (error) {
    if (error instanceof S3Refused && error.code === 'NoSuchKey') return null;
    throw error;
  }
}

/** A little less than the hour in which each process asks. */
const turnSeconds = 3_500;

/** One process in an hour, by the clock of the database. Two at once would harm nothing and list the bucket twice. */
async function isTurn(database: PgDatabase): Promise<boolean> {
  const taken = await database.query(
    {
      text: `INSERT INTO fact (name, value) VALUES ('swept', extract(epoch FROM now())::bigint)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE fact.value <= excluded.value - $1
             RETURNING name`,
      row: z.object({ name: z.string() }),
    },
    [turnSeconds],
  );
  return taken.length > 0;
}
