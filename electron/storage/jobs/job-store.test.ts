import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { itemStates } from '../../../shared/domain/job.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { statementsOf } from '../testing/written-statements.fixture.ts';
import { SqliteJobStore } from './job-store.ts';

let database: TestDatabase;
let store: SqliteJobStore;
const reopen = databaseForEachTest((opened) => {
  database = opened;
  store = new SqliteJobStore(database.db);
});

const created = '2030-01-01T00:00:00.000Z';
const draft = (): number => store.create({ task: { kind: 'bulk-download' }, workspaceId: 'lab', created });
const hashOf = (number: number): string => number.toString(16).padStart(64, '0');
const items = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ hash: hashOf(from + index), md5: null }));

test('a job is read back as stored, also after the database is reopened', () => {
  const id = store.create({
    task: { kind: 'export', form: 'raw', folder: '/exports', result: null },
    workspaceId: null,
    created,
  });
  store.add(id, [
    { hash: hashOf(1), md5: 'a'.repeat(32), sha256: hashOf(1), state: 'done', sizeBytes: 5 },
    ...items(2, 2),
  ]);
  const change = {
    task: { kind: 'export', form: 'raw', folder: '/exports', result: 'x' },
    state: 'paused',
    started: created,
    ended: null,
    resumesAt: created,
    bytes: 7,
    expectedBytes: 9,
    throughput: { secondsEach: 2, values: [1, 2] },
    failure: { kind: 'disk-full', path: '/exports' },
    notices: [{ kind: 'archive-entry-unasked', name: 'x' }],
    noticeCount: 4,
  } as const;
  store.change(id, { ...change, throughput: { secondsEach: 2, values: [1, 2] }, notices: [...change.notices] });
  reopen();
  const none = Object.fromEntries(itemStates.map((state) => [state, 0]));
  expect(store.get(id)).toEqual({
    ...change,
    id,
    workspaceId: null,
    created,
    items: 3,
    counts: { ...none, done: 1, waiting: 2 },
  });
});

test('job progress is written without waiting for the disk, and the job state with a wait', () => {
  const id = draft();
  const transaction = vi.spyOn(database.db, 'transaction');
  store.change(id, { bytes: 7, throughput: { secondsEach: 2, values: [1] } });
  store.change(id, { state: 'waiting' });
  store.change(id, { bytes: 9, ended: created });
  expect(transaction.mock.calls.map(([, durability]) => durability)).toEqual(['soon', 'at-once', 'at-once']);
  transaction.mockRestore();
  expect(store.get(id)).toMatchObject({ bytes: 9, state: 'waiting', ended: created });
});

test.each([
  "UPDATE job SET state = 'nonsense'",
  "UPDATE job SET task = '{'",
  'UPDATE job SET bytes = -1',
  "UPDATE job SET workspace_id = 'No Such!'",
  "INSERT INTO job_count SELECT id, 'nonsense', 1 FROM job",
  'UPDATE job_count SET items = -1',
])('a damaged job does not stop others from being read: %s', (damage) => {
  const damaged = draft();
  store.add(damaged, items(1));
  store.change(damaged, { state: 'waiting' });
  database.db.command(damage).run();
  const sound = draft();
  store.change(sound, { state: 'waiting' });
  expect(store.get(damaged)).toBeNull();
  expect(store.list().map(({ id }) => id)).toEqual([sound]);
  expect(store.unfinished().map(({ id }) => id)).toEqual([sound]);
});

test('a list contains the newest jobs and older unfinished ones', () => {
  const ids = database.db.transaction(() => Array.from({ length: 505 }, draft));
  const [, paused = 0] = ids;
  for (const id of ids.slice(0, -1)) store.change(id, { state: id === paused ? 'paused' : 'done' });
  expect(store.list().map(({ id }) => id)).toEqual([...ids.slice(4, -1).toReversed(), paused]);
});

test('items are numbered without gaps, whatever was added twice', () => {
  const id = draft();
  expect(store.add(id, [...items(3), ...items(3, 2)])).toBe(4);
  expect(store.add(id, items(3, 4))).toBe(6);
  expect(store.take(id, 0, 100).map(({ position, hash }) => [position, hash])).toEqual(
    Array.from({ length: 6 }, (_, index) => [index + 1, hashOf(index + 1)]),
  );
  expect(store.get(id)).toMatchObject({ items: 6, counts: { waiting: 6 } });
});

test('a job over the limit accepts no more items and keeps its own', () => {
  const id = draft();
  store.add(id, items(2));
  database.db.command('UPDATE job_item SET position = 499999 WHERE job_id = ? AND position = 2').run(id);
  expect(() => store.add(id, items(2, 3))).toThrow(
    expect.objectContaining({ failure: { kind: 'job-too-large', limit: 500_000 } }),
  );
  expect(store.get(id)?.items).toBe(2);
  expect(store.add(id, items(1, 3))).toBe(500_000);
});

test('an item keeps its first outcome and its known facts', () => {
  const id = draft();
  store.add(id, [{ hash: hashOf(1), md5: 'a'.repeat(32), sizeBytes: 5 }, ...items(1, 2)]);
  store.settle(id, [
    { position: 1, state: 'failed', md5: null, failure: { kind: 'interrupted' } },
    { position: 1, state: 'done' },
    { position: 77, state: 'done' },
  ]);
  expect(store.get(id)?.counts).toMatchObject({ failed: 1, done: 0, waiting: 1 });
  store.move(id, { from: ['failed'], to: 'waiting', failure: null, limit: 10 });
  expect(store.take(id, 0, 1)).toEqual([
    {
      position: 1,
      hash: hashOf(1),
      md5: 'a'.repeat(32),
      sha256: null,
      state: 'waiting',
      sizeBytes: 5,
      name: null,
      failure: null,
    },
  ]);
});

test('an outcome is part of the transaction that settles it', () => {
  const id = draft();
  store.add(id, items(1));
  expect(() =>
    database.db.transaction(() => {
      store.settle(id, [{ position: 1, state: 'done' }]);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(store.get(id)?.counts).toMatchObject({ done: 0, waiting: 1 });
});

test('items are moved a few at a time, each once, and never onto themselves', () => {
  const id = draft();
  store.add(id, items(5));
  store.settle(id, [
    { position: 1, state: 'failed' },
    { position: 2, state: 'unknown' },
  ]);
  const move = {
    from: ['waiting', 'unknown', 'cancelled', 'unknown'],
    to: 'cancelled',
    failure: null,
    limit: 3,
  } as const;
  expect([store.move(id, move), store.move(id, move), store.move(id, move)]).toEqual([3, 1, 0]);
  expect(store.get(id)?.counts).toMatchObject({ failed: 1, cancelled: 4, waiting: 0 });
});

test('lists are newest first and without drafts, and unfinished jobs are oldest first', () => {
  const ids = ['draft', 'waiting', 'running', 'paused', 'done', 'cancelled'].map((state) => {
    const id = draft();
    store.add(id, items(1));
    store.change(id, { state: state as 'draft' });
    return id;
  });
  expect(store.list().map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
  expect(store.unfinished().map(({ id }) => id)).toEqual(ids.slice(1, 4));
  expect(store.drafts()).toEqual(ids.slice(0, 1));
  expect(store.halfCancelled()).toEqual(ids.slice(5));
});

test('a hidden job is gone at once, its items in steps, and its number is never reused', () => {
  const [id, other] = [draft(), draft()];
  store.add(id, items(5));
  store.add(other, items(5));
  store.hide(id);
  expect(store.get(id)).toBeNull();
  expect(store.drafts()).toEqual([other]);
  let steps = 0;
  while (store.removeHidden(2)) steps += 1;
  expect(steps).toBe(3);
  expect(database.db.query(z.object({ id: z.number() }), 'SELECT DISTINCT job_id AS id FROM job_item').all()).toEqual([
    { id: other },
  ]);
  store.hide(other);
  while (store.removeHidden(2)) steps += 1;
  expect(draft()).toBe(other + 1);
});

test('a job with an unreadable task is in no list, and lesser damage is shown as nothing stored', () => {
  const [unreadable, damaged] = [draft(), draft()];
  for (const id of [unreadable, damaged]) store.change(id, { state: 'paused' });
  database.db.command("UPDATE job SET task = '{' WHERE id = ?").run(unreadable);
  database.db
    .command(`UPDATE job SET failure = '{"kind":"of-tomorrow"}', notices = '[1]', throughput = '' WHERE id = ?`)
    .run(damaged);
  expect(store.list()).toMatchObject([
    { id: damaged, failure: null, notices: [], throughput: { secondsEach: 1, values: [] } },
  ]);
  expect(store.get(unreadable)).toBeNull();
});

/** A hundred thousand items must cost what ten cost: see `statement.test.ts`. */
test('every statement finds its rows by an index', () => {
  // The items of a job are gone before it is.
  const texts = statementsOf(database.db, () => new SqliteJobStore(database.db).drafts()).filter(
    (text) => text !== 'DELETE FROM job WHERE id = ?',
  );
  expect(texts.length).toBeGreaterThan(15);
  for (const text of texts) {
    const plan = database.db
      .query(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail);
    const slow = plan.filter(
      (detail) =>
        /^SCAN job(_|\b)/.test(detail) || /job_item USING PRIMARY KEY \(job_id=\?( AND position>\?)?\)/.test(detail),
    );
    // The list goes by number from the newest on, and stops.
    if (slow.length > 0)
      expect([text, slow]).toEqual([expect.stringMatching(/ORDER BY (id|position) DESC LIMIT \d+$/), slow]);
  }
});
