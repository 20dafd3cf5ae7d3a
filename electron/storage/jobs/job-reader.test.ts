import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ItemFilter, ItemSort, JobItem } from '../../../shared/domain/job.ts';
import { ReadingThread } from '../reading/reading-thread.ts';
import { LibraryStore } from '../library/library-store.ts';
import {
  makeTestFolder,
  openTestDatabase,
  recordWith,
  type TestDatabase,
  type TestFolder,
} from '../testing/database.fixture.ts';
import { type ItemsRequest, JobReader } from './job-reader.ts';
import { SqliteJobStore } from './job-store.ts';

let folder: TestFolder;
let database: TestDatabase;
let store: SqliteJobStore;
let reader: JobReader;
let id: number;
// One thread for all tests: it takes longer to start than they do. Each has a job of its own.
beforeAll(() => {
  folder = makeTestFolder();
  database = openTestDatabase(folder.path);
  store = new SqliteJobStore(database.db);
  reader = new JobReader(new ReadingThread(database.db.path));
});
beforeEach(() => {
  id = store.create({ task: { kind: 'bulk-download' }, workspaceId: 'lab', created: '' });
});
afterAll(async () => {
  await reader.close();
  database.db.close();
  folder.remove();
});

const md5Of = (number: number): string => number.toString(16).padStart(32, '0');
const all: ItemFilter = { states: [], find: '' };
const byPosition: ItemSort = { column: 'position', descending: false };
const read = (request: Partial<ItemsRequest> = {}) =>
  reader.items({ id, filter: all, sort: byPosition, offset: 0, limit: 100, ...request });
const positions = async (request: Partial<ItemsRequest>): Promise<number[]> =>
  (await read(request)).items.map(({ position }) => position);

/** Five items: hashes fall as positions rise. */
function addFive(): void {
  store.add(
    id,
    [5, 4, 3, 2, 1].map((number) => ({ hash: md5Of(number * 0x1_00), md5: md5Of(number * 0x1_00) })),
  );
  store.settle(id, [
    { position: 1, state: 'done', sizeBytes: 10, sha256: 'ab'.repeat(32) },
    { position: 2, state: 'failed', failure: { kind: 'interrupted' } },
    { position: 3, state: 'mismatch', sizeBytes: 30 },
    { position: 5, state: 'done', sizeBytes: 20 },
  ]);
}

test('a window of items includes the number of all matches', async () => {
  addFive();
  const failed: JobItem = {
    position: 2,
    hash: md5Of(0x400),
    md5: md5Of(0x400),
    sha256: null,
    state: 'failed',
    sizeBytes: null,
    name: null,
    failure: { kind: 'interrupted' },
  };
  expect(await read({ offset: 1, limit: 1 })).toEqual({ items: [failed], total: 5 });
  expect(await read({ offset: 9 })).toEqual({ items: [], total: 5 });
});

test.each<[ItemSort['column'], boolean, number[]]>([
  ['position', false, [1, 2, 3, 4, 5]],
  ['position', true, [5, 4, 3, 2, 1]],
  ['hash', false, [5, 4, 3, 2, 1]],
  ['hash', true, [1, 2, 3, 4, 5]],
  // What went wrong comes first.
  ['state', false, [3, 2, 4, 1, 5]],
  ['state', true, [1, 5, 4, 2, 3]],
  ['sizeBytes', false, [1, 5, 3, 2, 4]],
  ['sizeBytes', true, [3, 5, 1, 2, 4]],
])('items sorted by %s (descending: %s) are %j', async (column, descending, expected) => {
  addFive();
  expect(await positions({ sort: { column, descending } })).toEqual(expected);
  expect(await positions({ sort: { column, descending }, filter: { states: [], find: '00' } })).toEqual(expected);
});

test('items are found by state and by part of any hash, also in upper case', async () => {
  addFive();
  expect(await positions({ filter: { states: ['done', 'waiting'], find: '' } })).toEqual([1, 4, 5]);
  expect(await positions({ filter: { states: [], find: '0300' } })).toEqual([3]);
  expect(await positions({ filter: { states: [], find: ' ABAB ' } })).toEqual([1]);
  expect(await positions({ filter: { states: ['failed'], find: 'abab' } })).toEqual([]);
  for (const find of ['%', '_', "'", '"; DROP TABLE job; --', 'g'])
    expect((await read({ filter: { states: [], find } })).total).toBe(0);
});

test('an uploaded item is found by part of its name, in any case', async () => {
  const facts = { md5: null, sizeBytes: 1 };
  store.add(id, [
    { ...facts, hash: md5Of(1), name: 'Rechnung März.EXE' },
    { ...facts, hash: md5Of(2), name: 'ÄRGER.bin' },
    { ...facts, hash: md5Of(3) },
  ]);
  expect((await read({ limit: 1 })).items).toMatchObject([{ name: 'Rechnung März.EXE' }]);
  for (const [find, expected] of [
    ['märz.exe', [1]],
    ['MÄRZ', []],
    ['ÄRGER.B', [2]],
    ['.', [1, 2]],
    ['%', []],
  ] as const) {
    expect([find, await positions({ filter: { states: [], find } })]).toEqual([find, expected]);
  }
});

/** The page shows the name of an item's sample where the item has none. */
test('an item is found by the name that is shown of it, of the library too', async () => {
  const library = new LibraryStore(database.db, database.journal);
  const [md5, twin] = ['11'.repeat(16), '22'.repeat(16)];
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ name: 'Invoice.EXE' }) });
  library.noteRecord({ workspaceId: 'lab', md5: twin, record: recordWith({ name: 'invoice of the library' }) });
  store.add(id, [
    { hash: md5, md5 },
    { hash: twin, md5: twin, name: 'Upload.bin', sizeBytes: 1 },
    { hash: md5Of(3), md5: md5Of(3) },
  ]);
  const shown = (await read()).items.map(({ name }) => name);
  expect(shown).toEqual(['Invoice.EXE', 'Upload.bin', null]);
  for (const [find, expected] of [
    ['voice.exe', [1]],
    ['INVOICE', [1]],
    ['upload', [2]],
    ['bin', [2]],
  ] as const) {
    const filter = { states: [], find };
    const exported: JobItem[] = [];
    for await (const page of reader.itemsForExport(id, filter)) exported.push(...page);
    expect([find, await positions({ filter }), exported.map(({ position, name }) => [position, name])]).toEqual([
      find,
      expected,
      expected.map((position) => [position, shown[position - 1]]),
    ]);
  }
});

test('a query sees everything committed before it', async () => {
  addFive();
  await read();
  store.settle(id, [{ position: 4, state: 'unknown' }]);
  expect((await read({ filter: { states: ['unknown'], find: '' } })).total).toBe(1);
});

test('a job that is missing or being removed is a failure', async () => {
  addFive();
  await expect(read({ id: 99 })).rejects.toMatchObject({ failure: { kind: 'job-missing', id: 99 } });
  store.hide(id);
  await expect(read()).rejects.toMatchObject({ failure: { kind: 'job-missing', id } });
});

test('all matching items come in pages by position, each once', async () => {
  store.add(
    id,
    Array.from({ length: 2500 }, (_, index) => ({ hash: md5Of(index + 1), md5: null })),
  );
  store.settle(id, [{ position: 7, state: 'done' }]);
  const pages: number[][] = [];
  for await (const page of reader.itemsForExport(id, { states: ['waiting'], find: '' }))
    pages.push(page.map(({ position }) => position));
  expect(pages.map((page) => page.length)).toEqual([1000, 1000, 499]);
  expect(pages.flat()).toEqual(
    Array.from({ length: 2500 }, (_, index) => index + 1).filter((position) => position !== 7),
  );
});

test.each([
  ['a database that is gone', 'none.db', { kind: 'not-writable', code: 'SQLITE_CANTOPEN' }],
  ['a folder that is gone', 'none/vitrine.db', { kind: 'data-gone' }],
])('%s is a failure that names it', async (_what, path, failure) => {
  const lost = new JobReader(new ReadingThread(`${folder.path}/${path}`));
  await expect(lost.items({ id, filter: all, sort: byPosition, offset: 0, limit: 1 })).rejects.toMatchObject({
    failure,
  });
  await lost.close();
});

test('a read that waits for a writer is answered when the writer is finished', async () => {
  addFive();
  database.db.sql.exec('BEGIN IMMEDIATE');
  const total = (await read()).total;
  database.db.sql.exec('ROLLBACK');
  expect(total).toBe(5);
});

test('a thread that ends fails its open queries, and the next query starts another', async () => {
  addFive();
  const started = vi.spyOn(Worker.prototype, 'postMessage');
  await read();
  const [worker] = started.mock.contexts;
  started.mockRestore();
  if (!(worker instanceof Worker)) throw new TypeError('no thread was asked');
  // More than it can answer before it is gone.
  const asked = Array.from({ length: 500 }, () => read());
  const ended = worker.terminate();
  const answers = await Promise.allSettled(asked);
  await ended;
  for (const answer of answers)
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ failure: { kind: 'worker-ended' } });
  expect(answers.at(-1)?.status).toBe('rejected');
  expect((await read()).total).toBe(5);
});

test('a closed reader answers nothing and cancels open queries', async () => {
  addFive();
  const other = new JobReader(new ReadingThread(database.db.path));
  const request = { id, filter: all, sort: byPosition, offset: 0, limit: 1 };
  const asked = other.items(request);
  const closed = other.close();
  await expect(asked).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  await closed;
  await expect(other.items(request)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test('a reader keeps no connection: the database log can be written back and emptied', async () => {
  addFive();
  await read();
  expect(database.db.sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0, log: 0 });
});
