import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { metadataStoreContract } from '../../lab/stores/metadata-store.fixture.ts';
import type { MetadataStore } from '../../lab/stores/metadata-store.ts';
import { created, digest, newComment, newSample, withMd5Of } from '../../lab/stores/new-sample.fixture.ts';
import { postgresForm, recordIn } from '../move/move-compare.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { readDatabaseAddress } from './pg-address.ts';
import { PgDatabase } from './pg-database.ts';
import { openPgMetadata } from './pg-metadata-store.ts';

const postgres = usePostgres();
const databaseAt = (address: string): PgDatabase => new PgDatabase(readDatabaseAddress(address, {}));

metadataStoreContract('PostgreSQL', async () => {
  const address = await postgres.labDatabase();
  return () => openPgMetadata(databaseAt(address));
});

async function openTwo(): Promise<{ one: MetadataStore; other: MetadataStore; database: PgDatabase }> {
  const address = await postgres.labDatabase();
  const database = databaseAt(address);
  const [one, other] = [await openPgMetadata(databaseAt(address)), await openPgMetadata(databaseAt(address))];
  onTestFinished(async () => void (await Promise.all([one, other, database].map((open) => open.close()))));
  return { one, other, database };
}

async function rowsOf(database: PgDatabase, table: string): Promise<number> {
  const [counted] = await database.query({
    text: `SELECT count(*) AS rows FROM ${table}`,
    row: z.object({ rows: z.number() }),
  });
  return counted?.rows ?? -1;
}

test('a sample that two stores add fifty times at once is added once', async () => {
  const { one, other, database } = await openTwo();
  const added = { ...newSample('a'), comments: [newComment('root', newComment('reply'))] };
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? one : other).addSamples([added])),
  );
  expect(outcomes.flat().toSorted()).toEqual(['added', ...Array.from({ length: 49 }, () => 'already-here')]);
  expect([await rowsOf(database, 'sample'), await rowsOf(database, 'blob'), await rowsOf(database, 'comment')]).toEqual(
    [1, 1, 2],
  );
});

test('of samples with one MD5 that are added at once one is added, and the others leave nothing', async () => {
  const { one, other, database } = await openTwo();
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      (at % 2 === 0 ? one : other).addSamples([{ ...withMd5Of(`${at}`, 'a'), comments: [newComment('x')] }]),
    ),
  );
  expect(outcomes.flat().toSorted()).toEqual(['added', ...Array.from({ length: 29 }, () => 'md5-taken')]);
  expect([await rowsOf(database, 'sample'), await rowsOf(database, 'blob'), await rowsOf(database, 'comment')]).toEqual(
    [1, 1, 1],
  );
});

test('lists in opposite orders that are added at once are all added, without an error', async () => {
  const { one, other, database } = await openTwo();
  const list = Array.from({ length: 300 }, (_, at) => ({ ...newSample(`${at}`), comments: [newComment('x')] }));
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      (at % 2 === 0 ? one : other).addSamples(at % 4 < 2 ? list : list.toReversed()),
    ),
  );
  expect(outcomes.flat().filter((outcome) => outcome === 'added')).toHaveLength(300);
  expect(outcomes.flat().filter((outcome) => outcome === 'md5-taken')).toEqual([]);
  expect([await rowsOf(database, 'sample'), await rowsOf(database, 'comment')]).toEqual([300, 300]);
});

test('of two lists that lock each other out by their MD5s one is repeated, and both are answered', async () => {
  const { one, other, database } = await openTwo();
  const bySha256 = (seed: string): string => newSample(seed).sample.hashes.sha256;
  const seeds = ['a', 'b', 'c', 'd', 'e'].toSorted((a, b) => (bySha256(a) < bySha256(b) ? -1 : 1));
  const [low1 = '', low2 = '', middle = '', high1 = '', high2 = ''] = seeds;
  // Rows are written in the order of their SHA-256: both have written their first and want the second.
  const first = [withMd5Of(low1, 'x'), newSample(middle), withMd5Of(high1, 'y')];
  const second = [withMd5Of(low2, 'y'), newSample(middle), withMd5Of(high2, 'x')];
  const adding: Promise<string[]>[] = [];
  const blocking = database.transaction(async (queries) => {
    const { md5, sha256 } = newSample(middle).sample.hashes;
    await queries.execute(`INSERT INTO blob (sha256, place, size) VALUES ('\\x${sha256}', 'x', 1);
      INSERT INTO sample (sha256, md5, sha1, size, name, criticity, uploader, uploaded, restricted, virus_total,
        sandbox, tags)
      VALUES ('\\x${sha256}', '\\x${md5}', '', 1, '', 1, '', now(), false, false, false, '{}')`);
    adding.push(one.addSamples(first), other.addSamples(second));
    const waiting = 'SELECT count(*) AS rows FROM pg_stat_activity WHERE wait_event_type = $1';
    const count = z.object({ rows: z.number() });
    await expect.poll(() => queries.query({ text: waiting, row: count }, ['Lock'])).toEqual([{ rows: 2 }]);
    throw new RangeError('blocked long enough');
  });
  await expect(blocking).rejects.toThrow('blocked long enough');
  const outcomes = await Promise.all(adding);
  expect(outcomes.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ['added', 'added', 'added'],
    ['md5-taken', 'already-here', 'md5-taken'],
  ]);
  const deadlocks = {
    text: 'SELECT deadlocks AS rows FROM pg_stat_database WHERE datname = current_database()',
    row: z.object({ rows: z.number() }),
  };
  await expect.poll(() => database.query(deadlocks)).toEqual([{ rows: 1 }]);
  expect([await rowsOf(database, 'sample'), await rowsOf(database, 'blob')]).toEqual([3, 3]);
});

test('bytes that are a publication already are read from their first place, also as a sample', async () => {
  const { one, other } = await openTwo();
  const { sha256, md5 } = newSample('a').sample.hashes;
  const zip = { sha256, place: 'blob/first', sizeBytes: 3 };
  const publication = { id: 'p', version: '1', group: 'Test', published: created, files: 1, rules: 1 } as const;
  await one.addPublication({ ...publication, ...zip });
  expect(await other.addSamples([newSample('a', { place: 'blob/second' })])).toEqual(['added']);
  expect(await one.filesByMd5([md5])).toEqual([{ ...zip, md5, restricted: false }]);
  expect(await one.unknownAmong(['blob/first', 'blob/second'])).toEqual(['blob/second']);
  const again = { ...publication, ...zip, id: 'q', version: '2', place: 'blob/third' };
  expect(await one.addPublication(again)).toBe('added');
  expect(await other.publication('q')).toEqual({ ...again, place: 'blob/first' });
});

test('a right that this release does not know opens nothing', async () => {
  const { one, database } = await openTwo();
  const secret = digest('sha256', 't');
  await database.execute(
    `INSERT INTO token (name, digest, rights, created) VALUES ('ana', '\\x${secret}', '{read,erase}', now())`,
  );
  expect((await one.tokenByDigest(secret))?.rights).toEqual(['read']);
});

test('a tag that is too long for an index is held cut, in the form that a move expects', async () => {
  const { one } = await openTwo();
  const long = randomBytes(3_000).toString('base64');
  const given = { sample: newSample('a', { tags: [long, '\u{1F9A0}'.repeat(250)] }).sample, comments: [] };
  expect(await one.addRecords([given])).toEqual(['added']);
  const [held] = await one.recordsBySha256([given.sample.hashes.sha256]);
  expect(held?.sample.tags).toEqual([`${long.slice(0, 499)}…`, '\u{1F9A0}'.repeat(250)]);
  expect(held).toEqual(recordIn(postgresForm, given));
});

test('an upload of a hundred files with one comment of a mebibyte is added', { tags: ['long'] }, async () => {
  const { one } = await openTwo();
  // As JSON for each of them it would be longer than a text can be.
  const comments = [newComment('\u0001'.repeat(2 ** 20))];
  const list = Array.from({ length: 100 }, (_, at) => ({ ...newSample(`${at}`), comments }));
  expect(new Set(await one.addSamples(list))).toEqual(new Set(['added']));
  const found = await one.recordByMd5(newSample('99').sample.hashes.md5);
  expect(found?.comments[0]?.content).toHaveLength(2 ** 20);
});

test('links that have expired are removed with the next one', async () => {
  const { one, database } = await openTwo();
  const link = { publication: 'p', isPublic: false, isEncrypted: false };
  for (const seed of ['a', 'b', 'c']) await one.addLink({ ...link, digest: digest('sha256', seed), seconds: -1 });
  expect(await rowsOf(database, 'link')).toBe(1);
  await one.addLink({ ...link, digest: digest('sha256', 'd'), seconds: 60 });
  await one.addLink({ ...link, digest: digest('sha256', 'e'), seconds: 60 });
  expect(await rowsOf(database, 'link')).toBe(2);
});

test('times are in UTC, whatever time zone and form of dates the database prefers', async () => {
  const address = await postgres.labDatabase();
  const preferring = databaseAt(address);
  const { database: name } = readDatabaseAddress(address, {});
  await preferring.execute(`ALTER DATABASE ${name} SET TimeZone = 'Asia/Kathmandu'`);
  await preferring.execute(`ALTER DATABASE ${name} SET DateStyle = 'German'`);
  await preferring.close();
  const store = await openPgMetadata(databaseAt(address));
  onTestFinished(() => store.close());
  // Then the offset of Kathmandu had seconds.
  const early = '1880-01-01T00:00:00Z';
  await store.addSamples([{ ...newSample('a'), comments: [newComment('x'), { ...newComment('y'), created: early }] }]);
  const found = await store.recordByMd5(newSample('a').sample.hashes.md5);
  expect(found?.sample.uploaded).toBe(created);
  expect(found?.comments.map((comment) => comment.created)).toEqual([created, early]);
  const { id } = await store.addToken({ name: 'ana', sha256: digest('sha256', 't'), rights: [], created });
  await store.noteTokenUse(id, '2026-11-30');
  expect(await store.tokens()).toMatchObject([{ created, lastUsed: '2026-11-30' }]);
});
