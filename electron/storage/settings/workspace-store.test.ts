import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  defaultFront,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
} from '../../../shared/domain/workspace.ts';
import { FailureError } from '../../../shared/failure.ts';
import { CommentStore } from '../comments/comment-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { tagsBeginningWith } from '../library/library-tags.ts';
import { PackageStore } from '../packages/package-store.ts';
import { MuteStore } from '../scans/mute-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { foundByWords } from '../testing/found-by-words.fixture.ts';
import { foundPackage, packageOfNumber, ruleOptionsWith } from '../testing/package.fixture.ts';
import { addReady, hashesOf, stagedIdOf } from '../testing/upload.fixture.ts';
import { UploadStore } from '../uploads/upload-store.ts';
import { type WorkspaceRow, WorkspaceStore } from './workspace-store.ts';

let database: TestDatabase;
let store: WorkspaceStore;
databaseForEachTest((opened) => {
  database = opened;
  store = new WorkspaceStore(database.db, database.journal);
});

const team = (id: string, name = 'Team'): WorkspaceRow => ({
  id,
  name,
  repository: { baseUrl: 'https://files.example' },
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'pin', fingerprint: '0'.repeat(64) },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFront,
});
const journalled = (): string[] =>
  database.db
    .query(
      z.object({ a: z.string() }),
      "SELECT workspace_id || ' ' || operation || ' ' || outcome AS a FROM journal ORDER BY number",
    )
    .all()
    .map(({ a }) => a);

test('workspaces are kept in the order they were added, and each change is journalled', () => {
  store.add(team('w-2'));
  store.add(team('w-1'));
  store.replace(team('w-2', 'Renamed'));
  expect(store.list()).toEqual([team('w-2', 'Renamed'), team('w-1')]);
  expect(store.get('w-1')).toEqual(team('w-1'));
  store.remove('w-1', { forgetLibrary: false });
  expect(store.get('w-1')).toBeNull();
  expect(journalled()).toEqual([
    'w-2 workspace added',
    'w-1 workspace added',
    'w-2 workspace changed',
    'w-1 workspace removed',
  ]);
});

test('a missing workspace can be neither replaced nor removed, and nothing is journalled', () => {
  const missing = new FailureError({ kind: 'workspace-missing', id: 'w-9' });
  expect(() => store.replace(team('w-9'))).toThrow(missing);
  expect(() => store.remove('w-9', { forgetLibrary: true })).toThrow(missing);
  expect(journalled()).toEqual([]);
});

test.each([
  ['cut JSON', '{"id":"w-2"'],
  ['a wrong type', '{"id":"w-2","name":7}'],
  ['another id inside', JSON.stringify(team('w-1'))],
])('a row damaged by %s is skipped and named, and can be removed', (_what, body) => {
  store.add(team('w-1'));
  store.add(team('w-2'));
  database.db.command('UPDATE workspace SET body = ? WHERE id = ?').run(body, 'w-2');
  expect(store.list()).toEqual([team('w-1')]);
  expect(store.get('w-2')).toBeNull();
  expect(store.damaged()).toEqual(['w-2']);
  store.remove('w-2', { forgetLibrary: false });
  expect(store.damaged()).toEqual([]);
});

test('a workspace stored before options existed has the documented form', () => {
  store.add(team('w-1'));
  const { options: _, ...before } = team('w-1');
  database.db.command('UPDATE workspace SET body = ? WHERE id = ?').run(JSON.stringify(before), 'w-1');
  expect(store.get('w-1')).toEqual(team('w-1'));
});

test('a removed workspace deletes its draft and returns its staged files', () => {
  const uploads = new UploadStore(database.db);
  store.add(team('w-1'));
  addReady(uploads, 1, {}, 'w-1');
  addReady(uploads, 2, {}, 'lab');
  expect(store.remove('w-1', { forgetLibrary: false })).toEqual([stagedIdOf(1)]);
  expect([uploads.window('w-1', 0, 9).total, uploads.window('lab', 0, 9).total]).toEqual([0, 1]);
});

test('the journal records uncertain uploads of a removed workspace', () => {
  const uploads = new UploadStore(database.db);
  store.add(team('w-1'));
  const id = addReady(uploads, 1, {}, 'w-1');
  addReady(uploads, 2, {}, 'w-1');
  for (const _ of uploads.sendInSteps('w-1', 7)) uploads.markMaySent([id]);
  store.remove('w-1', { forgetLibrary: false });
  const { md5, sha256 } = hashesOf(1);
  expect(database.journal.forHash([md5], 9)).toMatchObject([
    {
      workspaceId: 'w-1',
      operation: 'upload',
      outcome: 'may-have-arrived',
      detail: { job: 7, sizeBytes: 10, virusTotal: false, tlp: null, sha256 },
    },
  ]);
  expect(journalled()).toEqual(['w-1 workspace added', 'w-1 upload may-have-arrived', 'w-1 workspace removed']);
});

test('a removed workspace deletes its own rule packages, options and mutes only', () => {
  const [packages, mutes] = [
    new PackageStore(database.db, database.journal),
    new MuteStore(database.db, database.journal),
  ];
  const bad = { rule: 'Bad', file: 'a.yar', line: 1, kind: 'engine', text: 'x' } as const;
  for (const id of ['w-1', 'w-2']) {
    store.add(team(id));
    packages.setOptions(id, ruleOptionsWith({ checkHours: 1 }));
    packages.recordFile(id, foundPackage(1, { broken: [bad] }));
    packages.activate(id, packageOfNumber(1));
    mutes.add({ workspaceId: id, rule: 'Noisy', sample: null, reason: 'noise', expires: null }, null);
  }
  store.remove('w-1', { forgetLibrary: false });
  expect([
    packages.list('w-1'),
    packages.pointers('w-1').active,
    mutes.list('w-1'),
    packages.broken('w-1', packageOfNumber(1)),
  ]).toEqual([[], null, [], []]);
  expect(packages.scheduled().map(({ workspaceId }) => workspaceId)).toEqual(['w-2']);
  expect([packages.list('w-2').length, mutes.list('w-2').length, packages.broken('w-2', packageOfNumber(1))]).toEqual([
    1,
    1,
    [bad],
  ]);
});

test('comments and tags of a workspace are forgotten only with its library', () => {
  const [library, comments] = [
    new LibraryStore(database.db, database.journal),
    new CommentStore(database.db, database.journal),
  ];
  const md5 = 'a'.repeat(32);
  const record = recordWith({
    tags: ['shared', 'own'],
    comments: [{ id: '1', parentId: null, author: null, content: 'x', created: null }],
  });
  for (const id of ['w-1', 'w-2']) {
    store.add(team(id));
    library.noteRecord({ workspaceId: id, md5, record });
    comments.begin(id, md5, { text: 'mine', parentId: null });
  }
  library.noteRecord({ workspaceId: 'w-3', md5, record: recordWith({ tags: ['shared'] }) });
  store.remove('w-1', { forgetLibrary: false });
  expect(comments.thread('w-1', md5).comments).toHaveLength(2);
  store.remove('w-2', { forgetLibrary: true });
  expect([comments.thread('w-2', md5).comments, comments.list('w-2', 'mine', 0, 9).total]).toEqual([[], 0]);
  expect(tagsBeginningWith(database.db.sql, '')).toEqual(['shared', 'own']);
  store.add(team('w-1'));
  store.remove('w-1', { forgetLibrary: true });
  expect(tagsBeginningWith(database.db.sql, '')).toEqual(['shared']);
});

test('a removed workspace leaves the library unchanged unless requested otherwise', () => {
  const library = new LibraryStore(database.db, database.journal);
  store.add(team('w-1'));
  library.recordLookup({
    workspaceId: 'w-1',
    md5: 'a'.repeat(32),
    record: recordWith({ name: 'kept' }),
    outcome: 'found',
  });
  store.remove('w-1', { forgetLibrary: false });
  expect(library.count().samples).toBe(1);
  expect(foundByWords(database.db, 'kept')).toHaveLength(1);
});

test('forgetting deletes data from this workspace alone, and nothing held by the vault or another workspace', () => {
  const library = new LibraryStore(database.db, database.journal);
  store.add(team('w-1'));
  const report = (workspaceId: string, digit: string): unknown =>
    library.recordLookup({
      workspaceId,
      md5: digit.repeat(32),
      record: recordWith({ name: `name-${digit}${digit}` }),
      outcome: 'found',
    });
  report('w-1', 'a');
  report('w-1', 'b');
  report('w-2', 'b');
  report('w-1', 'c');
  library.recordDownload({
    workspaceId: 'w-1',
    md5: 'c'.repeat(32),
    hashes: { md5: 'c'.repeat(32), sha1: 'c'.repeat(40), sha256: 'c'.repeat(64) },
    sizeBytes: 1,
    outcome: 'done',
  });
  store.remove('w-1', { forgetLibrary: true });
  expect(['a', 'b', 'c'].map((digit) => library.find(digit.repeat(32)) !== null)).toEqual([false, true, true]);
  expect(foundByWords(database.db, 'name-aa')).toEqual([]);
  expect(library.record('w-1', 'b'.repeat(32))).toBeNull();
  expect(library.record('w-2', 'b'.repeat(32))?.name).toBe('name-bb');
  expect(library.count()).toEqual({ samples: 2, inVault: 1, vaultBytes: 1 });
});
