import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../storage/migrations/migrations.ts';
import { metadataStoreContract } from '../metadata-store.fixture.ts';
import { newSample } from '../new-sample.fixture.ts';
import { labSchemaVersion, labSteps, openSqliteMetadata } from './sqlite-metadata-store.ts';

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

metadataStoreContract('SQLite', async () => {
  const directory = await newDirectory();
  return async () => openSqliteMetadata(directory);
});

const failure = (kind: string): unknown => expect.objectContaining({ failure: expect.objectContaining({ kind }) });

test('samples stored by an older release are not restricted', async () => {
  const directory = await newDirectory();
  const older = new DatabaseSync(join(directory, 'lab.db'));
  migrate(older, labSteps.slice(0, 1));
  const { place: _place, ...sample } = newSample('a', { tags: [] }).sample;
  const { md5, sha1, sha256 } = sample.hashes;
  older
    .prepare("INSERT INTO samples VALUES (?, ?, ?, 3, 'a', NULL, NULL, 1, 'ana', '2025-01-01T00:00:00Z')")
    .run(sha256, md5, sha1);
  older.close();
  const store = openSqliteMetadata(directory);
  expect(await store.recordByMd5(md5)).toEqual({ sample, comments: [] });
  await store.close();
});

test('a newer schema is refused and stays unchanged', async () => {
  const directory = await newDirectory();
  const path = join(directory, 'lab.db');
  const newer = new DatabaseSync(path);
  newer.exec(`PRAGMA user_version = ${labSchemaVersion + 1}`);
  newer.close();
  expect(() => openSqliteMetadata(directory)).toThrow(failure('data-newer'));
  const after = new DatabaseSync(path);
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: labSchemaVersion + 1 });
  expect(after.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toEqual({ tables: 0 });
  after.close();
});

test('a file that is no database is reported as damaged', async () => {
  const directory = await newDirectory();
  await writeFile(join(directory, 'lab.db'), 'this is no database, and long enough to tell'.repeat(200));
  expect(() => openSqliteMetadata(directory)).toThrow(failure('data-damaged'));
});

test('comments of several clients are committed one at a time, and each is answered before the next', async () => {
  const store = openSqliteMetadata(await newDirectory());
  const added = newSample('a');
  const { md5, sha256 } = added.sample.hashes;
  await store.addSamples([added]);
  const remarks = Array.from({ length: 5 }, (_, at) => ({
    parent: null,
    author: 'ana',
    content: `${at}`,
    created: '',
  }));
  const adding = remarks.map((remark) => store.addComment(sha256, remark));
  const written = [0];
  while (written.at(-1) !== 5) {
    await nextTurn();
    written.push((await store.recordByMd5(md5))?.comments.length ?? 0);
  }
  expect(written.map((count, at) => count - (written[at - 1] ?? 0)).filter((more) => more > 1)).toEqual([]);
  expect(await Promise.all(adding)).toEqual([1, 2, 3, 4, 5]);
  await store.close();
});

test('two stores that open a new directory at once both find it complete', async () => {
  const directory = await newDirectory();
  const stores = [openSqliteMetadata(directory), openSqliteMetadata(directory)];
  for (const store of stores) expect(await store.stockedRelease('sample-files')).toBe(0);
  await stores[0]?.recordStocked('sample-files', 7);
  expect(await stores[1]?.stockedRelease('sample-files')).toBe(7);
  await Promise.all(stores.map((store) => store.close()));
});
