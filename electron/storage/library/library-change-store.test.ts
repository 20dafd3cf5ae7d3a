import { expect, test } from 'vitest';
import { z } from 'zod';
import type { JobTask } from '../../../shared/domain/job.ts';
import type { Database } from '../database/database.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { LibraryChangeStore } from './library-change-store.ts';

let db: Database;
let changes: LibraryChangeStore;
let jobs: SqliteJobStore;
databaseForEachTest((database) => {
  db = database.db;
  changes = new LibraryChangeStore(db);
  jobs = new SqliteJobStore(db);
});

const task: JobTask = { kind: 'library-change', what: 'change', add: ['a'], remove: [], addsNote: false };
const draft = (note = ''): number => {
  const id = jobs.create({ task, workspaceId: null, created: '2030-01-01T00:00:00.000Z' });
  changes.begin(id, note);
  return id;
};
const hash = (number: number, digits = 64): string => number.toString(16).padStart(digits, '0');
const hashes = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => hash(from + index));
const parts = (): number =>
  db.query(z.object({ parts: z.number() }), 'SELECT count(*) AS parts FROM library_change_part').get()?.parts ?? 0;

function* doneInSteps(id: number, limit: number): Generator<string[], void, void> {
  for (let next = changes.next(id, limit); next.length > 0; next = changes.next(id, limit)) {
    yield next;
    changes.done(id, next.length);
  }
}

test('each sample is returned once, by any of its hashes, and finished parts are removed', () => {
  const id = draft();
  const other = draft();
  const md5s = [hash(1, 32), hash(2, 32)];
  changes.add(id, [...hashes(5), ...md5s, ...hashes(2, 5)]);
  changes.add(id, hashes(3, 100));
  changes.add(other, hashes(1));
  const given = [...doneInSteps(id, 3)].flat();
  expect(given.toSorted()).toEqual([...hashes(7), ...md5s, ...hashes(3, 100)].toSorted());
  expect([changes.next(id, 3), changes.next(other, 3), parts()]).toEqual([[], hashes(1), 1]);
});

test('samples are read from any position, part by part, repeatedly', () => {
  const id = draft();
  changes.add(id, hashes(4));
  changes.add(id, [hash(1, 32)]);
  changes.add(draft(), hashes(9, 50));
  expect([
    changes.from(id, 0, 3),
    changes.from(id, 3, 3),
    changes.from(id, 4, 3),
    changes.from(id, 5, 3),
    changes.from(id, 1, 2),
  ]).toEqual([hashes(3), hashes(1, 3), [hash(1, 32)], [], hashes(2, 1)]);
});

test('unfinished samples are returned again', () => {
  const id = draft('below');
  changes.add(id, hashes(4));
  expect(changes.next(id, 3)).toEqual(hashes(3));
  changes.done(id, 1);
  expect([changes.next(id, 2), changes.note(id)]).toEqual([hashes(2, 1), 'below']);
});

test('counted items have their outcomes by number, and are cancelled and requeued all at once', () => {
  const id = draft();
  jobs.count(id, 10);
  jobs.tally(id, { done: 3, unknown: 1 });
  expect(jobs.get(id)).toMatchObject({ items: 10, counts: { waiting: 6, done: 3, unknown: 1, cancelled: 0 } });
  jobs.move(id, { from: ['waiting'], to: 'cancelled', failure: null, limit: 2 });
  expect(jobs.get(id)).toMatchObject({ items: 10, counts: { waiting: 0, cancelled: 6 } });
  jobs.move(id, { from: ['cancelled', 'unknown'], to: 'waiting', failure: null, limit: 2 });
  expect(jobs.get(id)).toMatchObject({ items: 10, counts: { waiting: 6, done: 3, unknown: 1, cancelled: 0 } });
  jobs.move(id, { from: ['waiting'], to: 'failed', failure: { kind: 'interrupted' }, limit: 2 });
  jobs.move(id, { from: ['failed'], to: 'waiting', failure: null, limit: 2 });
  expect(jobs.get(id)).toMatchObject({ items: 10, counts: { waiting: 0, done: 3, unknown: 1, failed: 6 } });
});

test('a removed job deletes its samples a few parts at a time', () => {
  const [id, other] = [draft(), draft()];
  for (let part = 0; part < 5; part++) changes.add(id, hashes(10, 10 * part));
  changes.add(other, hashes(1));
  jobs.hide(id);
  let steps = 0;
  while (jobs.removeHidden(40)) steps += 1;
  expect([steps, parts(), jobs.get(id), changes.next(other, 1)]).toEqual([3, 1, null, hashes(1)]);
});
