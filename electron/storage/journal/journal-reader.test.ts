import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalFilter, JournalLine } from '../../../shared/domain/journal.ts';
import { ReadingThread } from '../reading/reading-thread.ts';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { durableKeyFrom, linkOf, startLink } from './journal-chain.ts';
import { JournalReader } from './journal-reader.ts';
import type { JournalEntry } from './journal.ts';

let folder: TestFolder;
let database: TestDatabase;
let reader: JournalReader;
beforeEach(() => {
  folder = makeTestFolder();
  database = openTestDatabase(folder.path);
  reader = new JournalReader(new ReadingThread(database.db.path));
});
afterEach(async () => {
  await reader.close();
  database.db.close();
  folder.remove();
});

const md5 = 'a'.repeat(32);
const sha256 = 'b'.repeat(64);
const durable = durableKeyFrom(Buffer.alloc(32, 7));
const all: JournalFilter = { operations: [], workspaceId: null, find: '', from: null, before: null };
const look: JournalEntry = { workspaceId: 'lab', operation: 'look-up', hash: md5, outcome: 'found' };
const add = (...entries: Partial<JournalEntry>[]): void =>
  void database.journal.appendAll(entries.map((entry) => ({ ...look, ...entry })));
const addMany = (count: number): void =>
  void database.journal.appendAll(
    Array.from({ length: count }, (_, index) => ({ ...look, outcome: `found-${index}` })),
  );
const tamper = (sql: string): void => database.db.sql.exec(sql);
const list = (filter: Partial<JournalFilter> = {}, offset = 0, limit = 100) =>
  reader.list({ filter: { ...all, ...filter }, offset, limit });
const numbers = async (filter: Partial<JournalFilter>): Promise<number[]> =>
  (await list(filter)).lines.map(({ number }) => number);
const verify = () => reader.verify(() => database.journal.keys);

test('a window of rows is newest first and includes the total', async () => {
  addMany(5);
  const { lines, total } = await list({}, 1, 2);
  expect(total).toBe(5);
  expect(lines.map(({ number, row }) => [number, row?.outcome])).toEqual([
    [4, 'found-3'],
    [3, 'found-2'],
  ]);
  expect((await list({}, 4, 10)).lines.map(({ number }) => number)).toEqual([1]);
  expect(await list({}, 5, 10)).toEqual({ lines: [], total: 5, newest: 5, newer: 0 });
});

test('the reader reports a missing data folder, also where it was read before', async () => {
  addMany(5);
  await verify();
  renameSync(folder.path, `${folder.path}-elsewhere`);
  const gone = { failure: { kind: 'data-gone', path: folder.path } };
  await expect(verify()).rejects.toMatchObject(gone);
  await expect(list()).rejects.toMatchObject(gone);
  renameSync(`${folder.path}-elsewhere`, folder.path);
  expect((await verify()).rows).toBe(5);
});

test('a list up to a row stays unchanged while rows arrive, and counts them', async () => {
  addMany(5);
  const read = (upTo: number, filter: Partial<JournalFilter> = {}) =>
    reader.list({ filter: { ...all, ...filter }, upTo, offset: 1, limit: 2 });
  const before = await read(5);
  expect(before).toMatchObject({ total: 5, newest: 5, newer: 0 });
  add({ operation: 'scan' }, {}, {});
  expect(await read(5)).toEqual({ ...before, newer: 3 });
  expect(await read(5, { operations: ['scan'] })).toEqual({ lines: [], total: 0, newest: null, newer: 1 });
  expect(await read(0)).toEqual({ lines: [], total: 0, newest: null, newer: 8 });
  expect(await list({}, 0, 1)).toMatchObject({ total: 8, newest: 8, newer: 0 });
});

test('the workspaces of the rows are listed with their last name, also removed ones', async () => {
  const named = (name: string) => ({
    workspaceId: 'w-1',
    operation: 'workspace' as const,
    hash: null,
    outcome: 'changed',
    detail: { name },
  });
  add({}, { workspaceId: null }, named('Old'), named('New'), { workspaceId: 'w-2' }, { workspaceId: 'Not an id' });
  expect(await reader.workspaces()).toEqual([
    { id: 'lab', name: null },
    { id: 'w-1', name: 'New' },
    { id: 'w-2', name: null },
  ]);
  add(
    { ...named('Newest') },
    { workspaceId: 'w-1', operation: 'workspace', outcome: 'removed', detail: { forgetLibrary: false } },
    { workspaceId: 'w-3' },
  );
  tamper("UPDATE journal SET detail = '[1' WHERE number = 8");
  expect(await reader.workspaces()).toEqual([
    { id: 'lab', name: null },
    { id: 'w-1', name: 'Newest' },
    { id: 'w-2', name: null },
    { id: 'w-3', name: null },
  ]);
});

test('entries are found by operation, workspace, time, and part of hash, outcome or detail, in any case', async () => {
  add(
    {},
    {
      operation: 'upload',
      workspaceId: 'other',
      hash: sha256,
      outcome: 'done',
      detail: { name: 'C:\\Temp\\März "1".EXE', keepsPrivate: true },
    },
    { operation: 'export', workspaceId: null, hash: null, outcome: 'not-in-vault' },
  );
  for (const [filter, expected] of [
    [{ operations: ['upload', 'export'] }, [3, 2]],
    [{ workspaceId: 'other' }, [2]],
    [{ find: 'AAAA' }, [1]],
    [{ find: ' in-VAULT ' }, [3]],
    [{ find: 'Not in Vault' }, [3]],
    [{ find: 'c:\\temp\\M' }, [2]],
    [{ find: 'rz "1".exe' }, [2]],
    [{ find: 'keepsprivate' }, [2]],
    [{ find: '%' }, []],
    [{ find: "' OR 1 --" }, []],
    [{ operations: ['upload'], find: 'found' }, []],
  ] as const)
    expect([
      filter,
      await numbers({ ...filter, operations: 'operations' in filter ? [...filter.operations] : [] }),
    ]).toEqual([filter, expected]);
});

test('the from bound includes its moment and the before bound excludes it, to the millisecond', async () => {
  addMany(3);
  const times = (await list()).lines.map(({ row }) => row?.time ?? '');
  tamper(
    `UPDATE journal SET time = '2026-11-18T14:00:00.000Z' WHERE number = 1; UPDATE journal
      SET time = '2026-11-18T14:00:00.001Z' WHERE number = 2`,
  );
  expect(times).toHaveLength(3);
  expect(await numbers({ from: '2026-11-18T14:00:00Z', before: '2026-11-18T14:00:00.001Z' })).toEqual([1]);
  expect(await numbers({ from: '2026-11-18T14:00:00.001Z', before: '2026-11-18T14:00:01Z' })).toEqual([2]);
});

test('an invalid stored row is a line in the full list and among any operations', async () => {
  addMany(4);
  tamper(
    "UPDATE journal SET operation = 'nonsense' WHERE number = 2; UPDATE journal SET detail = '[1' WHERE number = 3",
  );
  const shown = ({ number, row }: JournalLine): unknown => [number, row !== null];
  expect((await list()).lines.map(shown)).toEqual([
    [4, true],
    [3, false],
    [2, false],
    [1, true],
  ]);
  expect((await list({ operations: ['scan'] })).lines.map(shown)).toEqual([[2, false]]);
});

test('an oversized detail is an invalid row and costs no more than one', async () => {
  addMany(3);
  tamper(`UPDATE journal SET detail = '{"a":"' || hex(zeroblob(20000000)) || '"}' WHERE number = 2`);
  tamper(
    `UPDATE journal SET detail = (SELECT json_group_object(value, 1)
      FROM json_each('[${Array.from({ length: 65 }, (_, index) => index).join(',')}]')) WHERE number = 3`,
  );
  expect((await list()).lines.map(({ number, row }) => [number, row !== null])).toEqual([
    [3, false],
    [2, false],
    [1, true],
  ]);
  expect(database.journal.forHash([md5], 10).map(({ number }) => number)).toEqual([1]);
});

test('rows added since a list began are in it, and a deleted one keeps its line', async () => {
  addMany(3);
  expect((await list({ find: 'found' })).total).toBe(3);
  add({ outcome: 'found-again' }, { outcome: 'unknown-hash' });
  tamper('DELETE FROM journal WHERE number = 2');
  const { lines, total } = await list({ find: 'found' });
  expect(total).toBe(4);
  expect(lines.map(({ number, row }) => [number, row?.outcome ?? null])).toEqual([
    [4, 'found-again'],
    [3, 'found-2'],
    [2, null],
    [1, 'found-0'],
  ]);
});

test('row numbers beyond JavaScript integers are in no list and no file, and both end', async () => {
  addMany(1003);
  tamper(
    `UPDATE journal SET number = (1 << 60) + number WHERE number BETWEEN 4 AND 600; UPDATE journal
      SET number = number - (1 << 60) WHERE number BETWEEN 601 AND 1003`,
  );
  for (const more of [0, 1]) {
    expect((await list()).lines.map(({ number, row }) => [number, row !== null]).at(-1)).toEqual([1, true]);
    expect((await list()).total).toBe(3 + more);
    const pages = [];
    for await (const page of reader.stored(all)) pages.push(page.length);
    expect(pages).toEqual([3 + more]);
    if (more === 0) add({});
  }
  expect((await verify()).broken).toMatchObject({ reason: 'added' });
});

test('the position of a row is returned whether or not the row exists', async () => {
  addMany(5);
  tamper('DELETE FROM journal WHERE number = 3');
  expect(await Promise.all([5, 3, 2, 9].map((number) => reader.position(number)))).toEqual([0, 2, 2, 0]);
});

test('typing a filter runs only the latest query', async () => {
  addMany(1000);
  const asked = ['f', 'fo', 'fou', 'foun'].map((find) =>
    reader.list({ asker: 'page', filter: { ...all, find }, offset: 0, limit: 1 }),
  );
  const answers = await Promise.allSettled(asked);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(answers[1]).toMatchObject({ reason: { failure: { kind: 'cancelled' } } });
});

test('rows for a file come oldest first as stored, each once, with their chain values', async () => {
  database.journal.useDurableKey(durable, true);
  addMany(2500);
  tamper("UPDATE journal SET operation = 'nonsense' WHERE number = 7");
  const pages = [];
  for await (const page of reader.stored(all)) pages.push(page);
  expect(pages.map((page) => page.length)).toEqual([...Array.from({ length: 10 }, () => 250), 1]);
  const rows = pages.flat();
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 2501 }, (_, index) => index + 1));
  expect(rows[6]).toMatchObject({ operation: 'nonsense', sealedBy: durable.id });
  const [first] = rows;
  expect(first && Buffer.compare(first.link, linkOf(database.keys.database, startLink, first))).toBe(0);
  const some = [];
  for await (const page of reader.stored({ ...all, find: 'found-24' }))
    some.push(...page.map(({ outcome }) => outcome));
  expect(some).toHaveLength(111);
});

describe('the stepwise check of the whole chain', () => {
  let manyRows: Buffer | null = null;
  /** 9000 rows, more than two steps: written by the first test, and copied by the others. */
  function takeManyRows(): void {
    if (manyRows === null) addMany(9000);
    database.db.close();
    if (manyRows === null) manyRows = readFileSync(database.db.path);
    else writeFileSync(database.db.path, manyRows);
    database = openTestDatabase(folder.path);
  }

  test('passes, also when rows are appended meanwhile', async () => {
    database.journal.useDurableKey(durable, true);
    addMany(9000);
    const checking = verify();
    add({});
    expect(await checking).toMatchObject({ assurance: 'tampering', broken: null });
    expect(await verify()).toEqual({ rows: 9002, assurance: 'tampering', broken: null });
  });

  test.each([
    ["UPDATE journal SET outcome = 'x' WHERE number = 8500", { reason: 'edited', number: 8500 }],
    ['DELETE FROM journal WHERE number BETWEEN 4001 AND 4003', { reason: 'removed', number: 4001, count: 3 }],
    ['DELETE FROM journal WHERE number > 8990', { reason: 'cut-off', number: 8991, were: 9000 }],
    ['DELETE FROM journal WHERE number > 4000', { reason: 'cut-off', number: 4001, were: 9000 }],
    ['DELETE FROM journal_end', { reason: 'end-missing', number: null }],
  ])('names %s', async (sql, expected) => {
    takeManyRows();
    tamper(sql);
    expect((await verify()).broken).toEqual(expected);
  });

  test('runs once more when the key arrives meanwhile', async () => {
    takeManyRows();
    const checking = verify();
    database.journal.useDurableKey(durable, true);
    expect(await checking).toEqual({ rows: 9001, assurance: 'tampering', broken: null });
  });

  test('runs while the list is read', async () => {
    takeManyRows();
    const order: string[] = [];
    const checking = verify().then(() => order.push('verified'));
    await list().then(() => order.push('listed'));
    await checking;
    expect(order).toEqual(['listed', 'verified']);
  });
});
