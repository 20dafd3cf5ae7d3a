import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type ItemState, itemStates } from '../../../shared/domain/job.ts';
import { CommentStore } from '../comments/comment-store.ts';
import { readItems } from '../jobs/job-reader.ts';
import { rankOf } from '../jobs/job-rows.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { tagsBeginningWith } from '../library/library-tags.ts';
import { makeTestFolder, openTestDatabase, recordWith, type TestFolder } from '../testing/database.fixture.ts';
import { migrate, migrations } from './migrations.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

/** In the order that version 2 had them. */
const statesOfTwo: ItemState[] = [
  'mismatch',
  'forbidden',
  'failed',
  'unknown',
  'needs-md5',
  'cancelled',
  'waiting',
  'done',
  'already-here',
];
const seen = '2030-01-01T00:00:00.000Z';
const md5Of = (number: number): string => number.toString(16).padStart(32, '0');

/** A database as version 2 left it. */
function overVersionTwo(fill: (sql: DatabaseSync) => void): void {
  const sql = new DatabaseSync(join(folder.path, 'vitrine.db'), { enableForeignKeyConstraints: true });
  migrate(sql, migrations.slice(0, 2));
  fill(sql);
  sql.close();
}

function record(sql: DatabaseSync, number: number, body: string, workspaceId = 'lab'): void {
  sql
    .prepare('INSERT INTO record (workspace_id, md5, name, read_at, body) VALUES (?, ?, ?, ?, ?)')
    .run(workspaceId, md5Of(number), `name ${number}`, seen, body);
}

test('items of version 2 keep their states and take the ranks of those states', async () => {
  overVersionTwo((sql) => {
    sql.exec(
      `INSERT INTO job (task, workspace_id, state, created, throughput, notices)
        VALUES ('{"kind":"bulk-download"}', 'lab', 'paused', '${seen}', '{}', '[]')`,
    );
    for (const [rank, state] of [...statesOfTwo, ...statesOfTwo].entries()) {
      sql
        .prepare('INSERT INTO job_item (job_id, position, hash, state, rank) VALUES (1, ?, ?, ?, ?)')
        .run(rank + 1, md5Of(rank), state, rank % statesOfTwo.length);
      sql.prepare('INSERT INTO job_count VALUES (1, ?, 1) ON CONFLICT DO UPDATE SET items = items + 1').run(state);
    }
  });
  const { db } = openTestDatabase(folder.path);
  const ranks = db
    .query(z.object({ state: z.enum(itemStates), rank: z.number() }), 'SELECT state, rank FROM job_item')
    .all();
  expect(ranks).toHaveLength(18);
  for (const { state, rank } of ranks) expect([state, rank]).toEqual([state, rankOf(state)]);
  const jobs = new SqliteJobStore(db);
  expect(jobs.get(1)?.counts).toMatchObject({
    ...Object.fromEntries(statesOfTwo.map((state) => [state, 2])),
    refused: 0,
    vanished: 0,
  });
  expect(jobs.take(1, 0, 9).map(({ position, name }) => [position, name])).toEqual([
    [7, null],
    [16, null],
  ]);
  const { items } = readItems(db.path, {
    id: 1,
    filter: { states: ['failed', 'done'], find: '' },
    sort: { column: 'state', descending: false },
    offset: 0,
    limit: 9,
  });
  expect(items.map(({ state }) => state)).toEqual(['failed', 'failed', 'done', 'done']);
  db.close();
});

test('comments of stored records are listed and found', () => {
  const comments = [
    { id: '1', parentId: null, author: 'Märta', content: 'drops Emotet', created: '2001-05-01 10:00:00' },
    { id: '2', parentId: '1', author: null, content: 'agreed', created: '2001-05-01T11:30:00+02:00' },
    { id: '3', parentId: null, author: null, content: 'late', created: 'last week' },
  ];
  overVersionTwo((sql) => {
    record(sql, 1, JSON.stringify(recordWith({ comments, listsComments: false })));
    record(sql, 2, JSON.stringify(recordWith({ comments: comments.slice(0, 1) })), 'w-1');
    for (const [index, body] of [
      '{"cut',
      '[]',
      '{}',
      '{"comments":null}',
      '{"comments":{"a":{"id":"1","content":"x"}}}',
      '{"comments":[1,{"id":2},{"id":"4","content":null}],"tags":7}',
    ].entries())
      record(sql, 10 + index, body);
  });
  const { db, journal } = openTestDatabase(folder.path);
  const store = new CommentStore(db, journal);
  expect(store.thread('lab', md5Of(1))).toMatchObject({
    comments: comments.map((comment) => ({ ...comment, own: null })),
    listsComments: false,
  });
  const listed = store.list('lab', '', 0, 9);
  expect([listed.total, listed.comments.map(({ comment }) => comment.id)]).toEqual([3, ['3', '1', '2']]);
  expect(store.list('lab', 'marta emot', 0, 9).comments).toMatchObject([
    { sampleName: 'name 1', comment: comments[0] },
  ]);
  expect(store.list('w-1', '', 0, 9).total).toBe(1);
  new LibraryStore(db, journal).noteRecord({
    workspaceId: 'lab',
    md5: md5Of(1),
    record: recordWith({ comments, listsComments: true }),
  });
  expect(
    db
      .query(
        z.object({ first: z.number(), last: z.number() }),
        "SELECT min(number) AS first, max(number) AS last FROM comment WHERE workspace_id = 'lab'",
      )
      .get(),
  ).toEqual({ first: 1, last: 3 });
  db.close();
});

test('tags of stored records are known and counted like those of new records', () => {
  const tags = ['Family:Emotet ', 'apt', 'apt', 'TLP:AMBER', 'a,b', '', 'x'.repeat(101)];
  overVersionTwo((sql) => {
    record(sql, 1, JSON.stringify(recordWith({ tags })));
    record(sql, 2, JSON.stringify(recordWith({ tags: ['apt'] })));
    record(sql, 3, '{"cut');
  });
  const { db, journal } = openTestDatabase(folder.path);
  expect([tagsBeginningWith(db.sql, ''), tagsBeginningWith(db.sql, 'Emo'), tagsBeginningWith(db.sql, 'tlp')]).toEqual([
    ['apt', 'family:emotet'],
    ['family:emotet'],
    [],
  ]);
  const library = new LibraryStore(db, journal);
  library.noteRecord({ workspaceId: 'lab', md5: md5Of(1), record: recordWith({ tags: tags.slice(0, 1) }) });
  library.noteRecord({ workspaceId: 'lab', md5: md5Of(2), record: recordWith({}) });
  expect(tagsBeginningWith(db.sql, '')).toEqual(['family:emotet']);
  db.close();
});
