import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Comment, SampleRecord } from '../../../shared/domain/sample.ts';
import { CommentStore } from '../comments/comment-store.ts';
import { linesAStep } from '../comments/comment-thread.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { LibraryRecords } from './library-records.ts';
import { LibraryStore } from './library-store.ts';

let database: TestDatabase;
let library: LibraryStore;
let comments: CommentStore;
const reopen = databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
  comments = new CommentStore(database.db, database.journal);
});

const md5 = 'a'.repeat(32);
const many = 3 * linesAStep;
const said = (at: number, content = `remark ${at}`): Comment => ({
  id: String(at),
  parentId: null,
  author: 'someone',
  content,
  created: null,
});
const all = Array.from({ length: many }, (_, at) => said(at));
const recordOf = (list: Comment[]): SampleRecord => recordWith({ comments: list, listsComments: true });
const steps = (list: Comment[]): Generator<void, void, undefined> =>
  library.commentsInSteps({ workspaceId: 'lab', md5, record: recordOf(list) });

/** What a service lists is noted. @returns the steps in which its comments are to be written */
function note(list: Comment[]): Generator<void, void, undefined> {
  library.noteRecord({ workspaceId: 'lab', md5, record: recordOf(list) });
  return steps(list);
}

const thread = (): Pick<Comment, 'id' | 'content'>[] =>
  comments.thread('lab', md5).comments.map(({ id, content }) => ({ id, content }));
const reported = (list: Comment[]): Pick<Comment, 'id' | 'content'>[] =>
  list.map(({ id, content }) => ({ id, content }));
const rows = (): number =>
  z.object({ rows: z.number() }).parse(database.db.sql.prepare('SELECT count(*) AS rows FROM comment').get()).rows;

test('a thread no longer than a step is written with its record', () => {
  expect([...note(all.slice(0, linesAStep))]).toEqual([]);
  expect(thread()).toEqual(reported(all.slice(0, linesAStep)));
});

test('a longer thread is written in steps, none of which exceeds its limit', () => {
  const writing = note(all);
  for (let step = 1; step <= 3; step += 1) {
    expect(writing.next().done).toBe(false);
    expect(rows()).toBe(step * linesAStep);
  }
  expect(writing.next().done).toBe(true);
  expect(thread()).toEqual(reported(all));
  expect([...note(all)]).toEqual([]);
});

test('a long thread that is replaced or shortened is written in steps too', () => {
  expect([...note(all)]).toHaveLength(3);
  const next = [said(many, 'new'), said(2, 'edited'), ...all.slice(linesAStep).toReversed()];
  expect([...note(next)]).toHaveLength(5);
  expect(thread()).toEqual(reported(next));
  expect([...note([said(7)])].length).toBeGreaterThan(3);
  expect(thread()).toEqual(reported([said(7)]));
  expect(rows()).toBe(1);
});

test.each([1, 2, 3, 4, 5])(
  'damage left by a crash after step %i is repaired at the next request for the sample',
  (crashed) => {
    expect([...note(all)]).toHaveLength(3);
    const next = [...all.slice(many / 2).toReversed(), said(many, 'new'), ...all.slice(0, 4)];
    const writing = note(next);
    for (let step = 0; step < crashed; step += 1) writing.next();
    reopen();
    expect([...note(next)].length).toBeGreaterThan(0);
    expect(thread()).toEqual(reported(next));
    expect(rows()).toBe(next.length);
  },
);

test('a comment begun before all are written knows the listing of the service', () => {
  const writing = note(all);
  writing.next();
  const id = comments.begin('lab', md5, { text: 'mine', parentId: null });
  expect(new Set(comments.get(id)?.knownIds)).toEqual(new Set(all.map(({ id: known }) => known)));
  expect([...writing].length).toBeGreaterThan(0);
  expect(comments.thread('lab', md5).comments).toHaveLength(many + 1);
});

test('a sample forgotten meanwhile stays forgotten', () => {
  const writing = note(all);
  writing.next();
  library.forget([md5], 'all');
  expect([...writing]).toEqual([]);
  expect(rows()).toBe(0);
});

test('the later of two threads written at once remains', () => {
  const first = note(all);
  first.next();
  const later = all.toReversed();
  const second = note(later);
  expect(first.next().done).toBe(true);
  expect([...second].length).toBeGreaterThan(0);
  expect(thread()).toEqual(reported(later));
  expect(rows()).toBe(many);
});

test('a sample is found by the words of its first comments, and the record keeps all', () => {
  expect([...note(all)]).toHaveLength(3);
  const found = (words: string): unknown =>
    database.db.sql.prepare('SELECT count(*) AS samples FROM sample_text WHERE comments MATCH ?').get(words);
  expect([found('"remark 7"'), found('"remark none"')]).toEqual([{ samples: 1 }, { samples: 0 }]);
  expect(library.record('lab', md5)?.comments).toEqual(all);
});

test.each(['lab', 'team'])(
  'a record of %s in memory equals its stored form, in its order among the others',
  (workspaceId) => {
    const long = recordOf(
      Array.from({ length: 1200 }, (_, at) => said(at, at === 5 ? 'half a letter \ud800' : `remark ${at}`)),
    );
    const noted = { lab: long, team: recordWith({ name: 'other.bin', sha256: null }) };
    for (const [id, record] of Object.entries(noted)) library.noteRecord({ workspaceId: id, md5, record });
    const records = new LibraryRecords(database.db);
    const readBack = records.about({ md5, sha256: null });
    expect(readBack.map(({ comments: listed }) => listed.length).toSorted((one, other) => one - other)).toEqual([
      expect.any(Number),
      1000,
    ]);
    expect(
      records.about({ md5, sha256: null }, { workspaceId, record: workspaceId === 'lab' ? noted.lab : noted.team }),
    ).toEqual(readBack);
  },
);

test('a local comment is joined with that of a long thread', () => {
  expect([...note(all)]).toHaveLength(3);
  const id = comments.begin('lab', md5, { text: 'mine', parentId: null });
  expect(comments.get(id)?.knownIds).toEqual(all.map(({ id: known }) => known));
  comments.settle(id, { state: 'sent', remoteId: String(many) });
  expect([...note([...all, said(many, 'mine')])].length).toBeGreaterThan(0);
  expect(comments.thread('lab', md5).comments.at(-1)).toMatchObject({ id: String(many), own: { id, isListed: true } });
  expect(rows()).toBe(many + 1);
});
