import { expect, test } from 'vitest';
import { z } from 'zod';
import { noDraft } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import { CommentStore } from '../comments/comment-store.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { ScanStore } from '../scans/scan-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { foundByWords } from '../testing/found-by-words.fixture.ts';
import { beginScan, noteOf, resultOf, scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { LibraryStore } from './library-store.ts';
import { tagsBeginningWith } from './library-tags.ts';

let database: TestDatabase;
let library: LibraryStore;
databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
});

const { md5 } = scanHashesOf(1);
const comment: Comment = { id: '1', parentId: null, author: 'them', content: 'listed', created: null };
/** A sample with these bytes under the MD5 of bytes 1, of which everything is said. */
function stock(bytes: number): void {
  library.recordDownload({
    workspaceId: 'lab',
    md5,
    hashes: { ...scanHashesOf(bytes), md5 },
    sizeBytes: 10,
    outcome: 'done',
  });
  for (const workspaceId of ['lab', 'w-1']) {
    library.noteRecord({
      workspaceId,
      md5,
      record: recordWith({ name: 'theirs.exe', tags: ['theirs'], comments: [comment], listsComments: true }),
    });
  }
  library.changeSamples([sha256Of(bytes)], { add: ['mine'], remove: [], tlp: 'red', note: 'packer' });
  library.keepPreviews([{ sha256: sha256Of(bytes), type: 'pe', strip: null }]);
  const [scans, jobs] = [new ScanStore(database.db), new SqliteJobStore(database.db)];
  const id = beginScan(jobs, 'scan', 2);
  for (const rules of [['A', 'Gone'], ['A']]) scans.record(id, [noteOf(bytes, resultOf('local', rules))]);
}
const rowsIn = (table: string): number =>
  database.db.query(z.object({ rows: z.number() }), `SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? -1;
const forgotten = (sha256: string): unknown =>
  library
    .history(sha256)
    .filter(({ operation }) => operation === 'forget')
    .map(({ outcome, detail }) => [outcome, detail]);

test('a sample whose bytes are forgotten stays known and leaves the vault', () => {
  stock(1);
  library.setDamage(sha256Of(1), 'altered');
  expect(library.forget([sha256Of(1), sha256Of(9)], 'bytes')).toEqual([sha256Of(1)]);
  expect(library.sample(sha256Of(1))).toMatchObject({
    row: { vault: 'none', name: 'theirs.exe', tags: ['mine'], hits: 1, hasNote: true },
  });
  expect(library.forget([sha256Of(1)], 'bytes')).toEqual([]);
  expect([library.count().inVault, forgotten(sha256Of(1))]).toEqual([0, [['bytes', { sha256: sha256Of(1) }]]]);
});

test('forgetting a sample keeps its journal rows, its jobs and its local comments', () => {
  stock(1);
  const comments = new CommentStore(database.db, database.journal);
  comments.saveDraft('lab', md5, { text: 'half a', parentId: null }, [noDraft]);
  comments.begin('w-1', md5, { text: 'mine', parentId: null });
  expect(library.forget([sha256Of(1)], 'all')).toEqual([sha256Of(1)]);
  expect([
    library.find(md5),
    library.sample(sha256Of(1)),
    library.record('lab', md5),
    foundByWords(database.db, 'theirs'),
    library.count(),
  ]).toEqual([null, null, null, [], { samples: 0, inVault: 0, vaultBytes: 0 }]);
  for (const table of [
    'sample',
    'record',
    'sample_own',
    'note_text',
    'sample_tag',
    'sample_look',
    'hit_sample',
    'sample_hit',
    'older_hit',
    'known_tag',
  ])
    expect([table, rowsIn(table)]).toEqual([table, 0]);
  expect([comments.thread('w-1', md5).comments.map(({ content }) => content), comments.draft('lab', md5).text]).toEqual(
    [['mine'], 'half a'],
  );
  expect([tagsBeginningWith(database.db.sql, 'theirs'), rowsIn('job'), forgotten(sha256Of(1))]).toEqual([
    [],
    1,
    [['all', { sha256: sha256Of(1) }]],
  ]);
  expect(library.history(md5).map(({ operation }) => operation)).toEqual(['download']);
});

test('data of an MD5 stays as long as another sample has it', () => {
  for (const bytes of [1, 2]) stock(bytes);
  expect(library.forget([sha256Of(1)], 'all')).toEqual([sha256Of(1)]);
  expect(library.sample(sha256Of(2))?.row).toMatchObject({
    name: 'theirs.exe',
    tags: ['mine'],
    serviceTags: ['theirs'],
    comments: 2,
    hits: 1,
  });
  library.forget([sha256Of(2)], 'all');
  expect([rowsIn('record'), rowsIn('comment')]).toEqual([0, 0]);
});

test('a sample known only by its MD5 is forgotten by it, once', () => {
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ name: 'x' }) });
  expect(library.forget([md5, md5], 'all')).toEqual([]);
  expect([library.find(md5), forgotten(md5)]).toEqual([null, [['all', { sha256: null }]]]);
});

test('a forgotten sample that returns has only its new data', () => {
  stock(1);
  library.forget([sha256Of(1)], 'all');
  library.recordScans([
    { workspaceId: 'lab', sha256: sha256Of(1), hashes: scanHashesOf(1), sizeBytes: 1, outcome: 'done' },
  ]);
  expect(library.sample(sha256Of(1))).toMatchObject({
    row: { name: null, type: null, tags: [], tlp: null, hits: 0, comments: 0, hasNote: false, vault: 'none' },
    note: null,
    records: [],
  });
});

test('comments are forgotten in steps, and deleted ones return with the next record', () => {
  const comments = new CommentStore(database.db, database.journal);
  const many = Array.from({ length: 5 }, (_, number) => ({ ...comment, id: String(number) }));
  const listed = { workspaceId: 'lab', md5, record: recordWith({ comments: many, listsComments: true }) };
  library.noteRecord(listed);
  comments.begin('lab', md5, { text: 'mine', parentId: null });
  expect([library.forgetComments(md5, 3), library.sample(md5)?.row.comments]).toEqual([true, 3]);
  expect([library.forgetComments(md5, 3), library.sample(md5)?.row.comments, rowsIn('comment_text')]).toEqual([
    false,
    1,
    1,
  ]);
  library.noteRecord(listed);
  expect(library.sample(md5)?.row.comments).toBe(6);
  for (const bytes of [1, 2])
    library.recordUploads([
      { workspaceId: 'lab', md5, hashes: { ...scanHashesOf(bytes), md5 }, sizeBytes: 1, outcome: 'done' },
    ]);
  expect([
    library.forgetComments(sha256Of(1), 3),
    library.forgetComments(sha256Of(9), 3),
    library.sample(sha256Of(2))?.row.comments,
  ]).toEqual([false, false, 6]);
});
