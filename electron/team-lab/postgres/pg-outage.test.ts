import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { MetadataStore } from '../../lab/stores/metadata-store.ts';
import { newComment, newSample } from '../../lab/stores/new-sample.fixture.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { listening, startPostgresProxy } from '../testing/postgres-proxy.fixture.ts';
import { readDatabaseAddress } from './pg-address.ts';
import { PgDatabase } from './pg-database.ts';
import { openPgMetadata } from './pg-metadata-store.ts';

const postgres = usePostgres({ port: true });

async function openStore(): Promise<MetadataStore> {
  const store = await openPgMetadata(new PgDatabase(readDatabaseAddress(await postgres.labDatabase(), {})));
  onTestFinished(() => store.close());
  return store;
}

/** What is known of the sample afterwards: all of it, or nothing. */
async function found(store: MetadataStore, seed: string): Promise<'whole' | 'none' | 'part'> {
  const { md5, sha256 } = newSample(seed).sample.hashes;
  const [record, [file], unknown] = await Promise.all([
    store.recordByMd5(md5),
    store.filesByMd5([md5]),
    store.unknownAmong([sha256]),
  ]);
  if (record === null && file === null && unknown.length === 1) return 'none';
  return record?.comments.length === 2 && file?.sha256 === sha256 && unknown.length === 0 ? 'whole' : 'part';
}

/** What is known afterwards of the samples whose addition was answered, and of those whose addition failed. */
async function killDuringCommits(
  signal: 'SIGQUIT' | 'SIGKILL',
): Promise<{ answered: Set<string>; failed: Set<string> }> {
  const store = await openStore();
  const [added, failed]: [string[], string[]] = [[], []];
  const errors: unknown[] = [];
  const client = async (own: number): Promise<void> => {
    for (let at = 0; errors.length === 0; at += 1) {
      const seed = `${own} ${at}`;
      const sample = { ...newSample(seed), comments: [newComment('root', newComment('reply'))] };
      try {
        expect(await store.addSamples([sample])).toEqual(['added']);
        added.push(seed);
      } catch (error) {
        errors.push(error);
        failed.push(seed);
      }
    }
  };
  const clients = Array.from({ length: 8 }, (_, own) => client(own));
  await expect.poll(() => added.length).toBeGreaterThan(200);
  await postgres.kill(signal);
  await Promise.all(clients);
  expect(errors.every((error) => error instanceof StoreUnavailable)).toBe(true);
  await postgres.start();
  await expect.poll(() => store.stockedRelease('sample-files').catch(() => -1)).toBe(0);
  expect(await store.addSamples([newSample('afterwards')])).toEqual(['added']);
  const known = async (seeds: readonly string[]): Promise<Set<string>> => {
    const outcomes = new Set<string>();
    for (const seed of seeds) outcomes.add(await found(store, seed));
    return outcomes;
  };
  return { answered: await known(added), failed: await known(failed) };
}

test('what was answered before the server crashes is there, and what failed is whole or not there', async () => {
  const { answered, failed } = await killDuringCommits('SIGQUIT');
  expect([...answered]).toEqual(['whole']);
  expect(failed).not.toContain('part');
});

test('a server that is killed keeps what it answered, and nothing in part', { tags: ['long'] }, async () => {
  const { answered, failed } = await killDuringCommits('SIGKILL');
  expect([...answered]).toEqual(['whole']);
  expect(failed).not.toContain('part');
});

test('a server that is stopped is reported within two seconds, and used again once it is back', async () => {
  const store = await openStore();
  await store.addSamples([newSample('a')]);
  await postgres.stop();
  const began = performance.now();
  await expect(store.recordByMd5(newSample('a').sample.hashes.md5)).rejects.toThrow(StoreUnavailable);
  await expect(store.addSamples([newSample('b')])).rejects.toThrow(/cannot be reached/);
  expect(performance.now() - began).toBeLessThan(4_000);
  await postgres.start();
  await expect.poll(() => store.addSamples([newSample('c')]).catch(() => [])).toEqual(['added']);
  expect(await store.addSamples([newSample('a')])).toEqual(['already-here']);
});

const number = z.object({ n: z.number() });

test('a transaction whose COMMIT is not answered fails and is not repeated', async () => {
  const address = postgres.overPort(await postgres.emptyDatabase());
  const proxy = await startPostgresProxy(address, postgres.password);
  const database = proxy.open();
  await database.execute('CREATE TABLE numbers (n int)');
  proxy.on('COMMIT', 'lose the answer');
  let calls = 0;
  const adding = database.transaction(async (queries) => {
    calls += 1;
    await queries.execute('INSERT INTO numbers VALUES (1)');
  });
  await expect(adding).rejects.toThrow(/whether it did what was asked is unknown/);
  expect(calls).toBe(1);
  expect(await database.query({ text: 'SELECT n FROM numbers', row: number })).toEqual([{ n: 1 }]);
});

test('samples whose addition is not answered are there when they are added again', async () => {
  const address = postgres.overPort(await postgres.labDatabase());
  const proxy = await startPostgresProxy(address, postgres.password);
  const store = await openPgMetadata(proxy.open());
  proxy.on('INSERT INTO sample', 'lose the answer');
  await expect(store.addSamples([newSample('a')])).rejects.toThrow(StoreUnavailable);
  proxy.on('never', 'drop it');
  expect(await store.addSamples([newSample('a')])).toEqual(['already-here']);
});

test('a network that goes silent is reported shortly after the longest time of a statement', async () => {
  const address = postgres.overPort(await postgres.emptyDatabase());
  const proxy = await startPostgresProxy(address, postgres.password);
  const database = proxy.open({ statementTimeoutMs: 200 });
  await database.execute('SELECT');
  proxy.on('is lost', 'drop it');
  const began = performance.now();
  await expect(database.execute("SELECT 'is lost'")).rejects.toThrow(StoreUnavailable);
  expect(performance.now() - began).toBeLessThan(6_000);
  await database.execute("SELECT 'is not'");
});

test('a server that accepts connections and never answers is reported within two seconds', async () => {
  const port = await listening(createServer(() => {}));
  const settings = readDatabaseAddress(postgres.overPort(await postgres.emptyDatabase()), { PGPASSWORD: 'any' });
  const database = new PgDatabase({ ...settings, port });
  onTestFinished(() => database.close());
  const began = performance.now();
  await expect(database.execute('SELECT')).rejects.toThrow(/cannot be reached/);
  expect(performance.now() - began).toBeLessThan(4_000);
});

test('a password that is wrong or missing is reported in a sentence', async () => {
  const address = postgres.overPort(await postgres.emptyDatabase());
  const asking = (environment: Readonly<Record<string, string>>) => {
    const database = new PgDatabase(readDatabaseAddress(address, environment));
    onTestFinished(() => database.close());
    return database.execute('SELECT');
  };
  await asking({ PGPASSWORD: postgres.password });
  await expect(asking({ PGPASSWORD: 'wrong' })).rejects.toThrow(/cannot be reached: password authentication failed/);
  await expect(asking({})).rejects.toThrow(/requires a password, and none is set/);
});
