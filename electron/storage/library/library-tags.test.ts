import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import {
  defaultFront,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
} from '../../../shared/domain/workspace.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { ReadingThread } from '../reading/reading-thread.ts';
import { ScanStore } from '../scans/scan-store.ts';
import { WorkspaceStore } from '../settings/workspace-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { foundByWords } from '../testing/found-by-words.fixture.ts';
import { beginScan, noteOf, resultOf, scanFile, scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { addReady, change } from '../testing/upload.fixture.ts';
import { UploadStore } from '../uploads/upload-store.ts';
import { LibraryReader } from './library-reader.ts';
import { LibraryStore } from './library-store.ts';
import { tagsBeginningWith } from './library-tags.ts';

let database: TestDatabase;
let library: LibraryStore;
let uploads: UploadStore;
const threads: ReadingThread[] = [];
databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
  uploads = new UploadStore(database.db);
});
afterAll(async () => {
  for (const thread of threads) await thread.close();
});

const { md5 } = scanHashesOf(1);
const known = (number: number, outcome = 'done'): void =>
  library.recordScans([
    { workspaceId: 'lab', sha256: sha256Of(number), hashes: scanHashesOf(number), sizeBytes: number, outcome },
  ]);
const keep = (number: number): unknown =>
  library.recordDownload({
    workspaceId: 'lab',
    md5: scanHashesOf(number).md5,
    hashes: scanHashesOf(number),
    sizeBytes: 10 * number,
    outcome: 'done',
  });
const tagsOf = (number: number): string[] | undefined => library.find(sha256Of(number))?.tags;
const team = (id: string) => ({
  id,
  name: 'Team',
  repository: null,
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' as const },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFront,
});

test('a scan makes its sample known, journals it, and adds nothing to the vault', () => {
  known(1);
  library.recordScans([
    {
      workspaceId: 'lab',
      sha256: sha256Of(2),
      hashes: null,
      sizeBytes: null,
      outcome: 'file-gone',
      detail: { job: 3 },
    },
  ]);
  library.recordHunt({ workspaceId: 'lab', outcome: 'done', detail: { rules: 7 } });
  expect(library.find(sha256Of(1))).toMatchObject({ ...scanHashesOf(1), sizeBytes: 1, inVault: false });
  expect(library.find(sha256Of(2))).toBeNull();
  expect(library.history(sha256Of(1))).toMatchObject([
    { operation: 'scan', workspaceId: 'lab', hash: sha256Of(1), outcome: 'done', detail: {} },
  ]);
  expect(library.history(sha256Of(2))).toMatchObject([{ operation: 'scan', outcome: 'file-gone', detail: { job: 3 } }]);
  const last = database.db
    .query(
      z.object({ hash: z.string().nullable(), detail: z.string() }),
      'SELECT hash, detail FROM journal ORDER BY number DESC LIMIT 1',
    )
    .get();
  expect(last).toEqual({ hash: null, detail: '{"rules":7}' });
});

test('tags are added to and removed from known samples, and the number of changes is returned', () => {
  known(1);
  known(2);
  expect(library.tagSamples([sha256Of(1), sha256Of(2), sha256Of(1), sha256Of(99)], ['case:7', 'APT '], [])).toBe(2);
  expect([tagsOf(1), tagsOf(2)]).toEqual([
    ['apt', 'case:7'],
    ['apt', 'case:7'],
  ]);
  expect(library.tagSamples([sha256Of(1)], ['apt'], [])).toBe(0);
  expect(library.tagSamples([sha256Of(1), sha256Of(2)], ['new', 'both'], ['case:7', 'both', 'none'])).toBe(2);
  expect(tagsOf(1)).toEqual(['apt', 'new']);
  expect(library.tagSamples([sha256Of(1)], ['tlp:red', 'a,b', ''], [])).toBe(0);
});

test('a local tag is searched and suggested like one of a record', () => {
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ sha256: sha256Of(1), tags: ['theirs'] }) });
  known(1);
  known(2);
  library.tagSamples([sha256Of(1), sha256Of(2)], ['case:seven'], []);
  const found = (text: string): unknown[] =>
    foundByWords(database.db, text).map(({ sha256 }) => [sha256, library.find(sha256 ?? '')?.tags]);
  expect(found('case:seven')).toEqual([
    [sha256Of(2), ['case:seven']],
    [sha256Of(1), ['case:seven']],
  ]);
  expect(found('theirs')).toEqual([[sha256Of(1), ['case:seven']]]);
  expect(tagsBeginningWith(database.db.sql, 'seven')).toEqual(['case:seven']);
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ sha256: sha256Of(1), name: 'later' }) });
  library.tagSamples([sha256Of(2)], [], ['case:seven']);
  expect([found('seven'), tagsBeginningWith(database.db.sql, 'seven')]).toEqual([
    [[sha256Of(1), ['case:seven']]],
    ['case:seven'],
  ]);
  library.tagSamples([sha256Of(1)], [], ['case:seven']);
  expect([found('seven'), tagsBeginningWith(database.db.sql, 'seven')]).toEqual([[], []]);
});

test('the TLP of a sample is the strictest of all its sources', () => {
  const of = (): unknown => library.tlpOf({ md5, sha256: sha256Of(1) });
  expect(of()).toBeNull();
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ tags: ['x', 'TLP:GREEN'] }) });
  expect(of()).toBe('green');
  library.noteRecord({ workspaceId: 'w-1', md5, record: recordWith({ sha256: sha256Of(2), tags: ['tlp:red'] }) });
  expect(of()).toBe('green');
  const jobs = new SqliteJobStore(database.db);
  new ScanStore(database.db).addFiles(beginScan(jobs, 'scan', 1), [scanFile(1, { tlp: 'amber' })]);
  expect(of()).toBe('amber');
  const upload = addReady(uploads, 1, { hashes: scanHashesOf(1) });
  change(uploads, { kind: 'files', ids: [upload] }, { tlp: 'red' });
  expect(of()).toBe('red');
  database.db.command("UPDATE upload_file SET tlp = 'of tomorrow'").run();
  expect([of(), library.tlpOf({ md5: null, sha256: sha256Of(2) })]).toEqual(['red', null]);
  expect(tlpLevels.at(-1)).toBe('red');
});

test('the vault is paged by id, whatever else the library knows', () => {
  for (const number of [1, 2, 3, 4, 5]) (number % 2 ? keep : known)(number);
  library.noteRecord({ workspaceId: 'lab', md5: scanHashesOf(3).md5, record: recordWith({ name: 'three.exe' }) });
  const first = library.vaultPage(0, 2);
  expect(first.map(({ sha256, name, sizeBytes }) => [sha256, name, sizeBytes])).toEqual([
    [sha256Of(1), null, 10],
    [sha256Of(3), 'three.exe', 30],
  ]);
  expect(library.vaultPage(first.at(-1)?.id ?? 0, 9).map(({ sha256 }) => sha256)).toEqual([sha256Of(5)]);
  expect(library.count()).toMatchObject({ inVault: 3, vaultBytes: 90 });
});

test('samples in the vault are listed, last seen first, or found by every word', async () => {
  const thread = new ReadingThread(database.db.path);
  threads.push(thread);
  const reader = new LibraryReader(thread);
  for (const number of [1, 2, 3]) keep(number);
  known(4);
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ name: 'first.exe', tags: ['apt'] }) });
  database.db.command('UPDATE sample SET last_seen = ? WHERE sha256 = ?').run('2999-01-01T00:00:00.000Z', sha256Of(1));
  const found = async (find: string, offset = 0, limit = 9): Promise<unknown> => {
    const { samples, total } = await reader.inVault({ find, offset, limit });
    return [samples.map(({ sha256 }) => sha256), total];
  };
  expect(await found('')).toEqual([[sha256Of(1), sha256Of(3), sha256Of(2)], 3]);
  expect(await found(' ', 1, 1)).toEqual([[sha256Of(3)], 3]);
  expect(await found('apt FIRST')).toEqual([[sha256Of(1)], 1]);
  expect(await found(sha256Of(2).slice(0, 9))).toEqual([[sha256Of(2)], 1]);
  expect([await found(sha256Of(4)), await found('"*'), await found('apt', 5)]).toEqual([
    [[], 0],
    [[], 0],
    [[], 1],
  ]);
  expect((await reader.inVault({ find: 'apt', offset: 0, limit: 1 })).samples).toEqual([
    { sha256: sha256Of(1), md5, name: 'first.exe', sizeBytes: 10, lastSeen: '2999-01-01T00:00:00.000Z' },
  ]);
});

test('a removed workspace deletes only its own staged scan files and rule hits', () => {
  const [workspaces, scans, jobs] = [
    new WorkspaceStore(database.db, database.journal),
    new ScanStore(database.db),
    new SqliteJobStore(database.db),
  ];
  workspaces.add(team('w-1'));
  const [theirs, ours] = [beginScan(jobs, 'scan', 1), beginScan(jobs, 'scan', 1)];
  database.db.command("UPDATE job SET workspace_id = 'w-1' WHERE id = ?").run(theirs);
  for (const id of [theirs, ours]) {
    scans.addFiles(id, [scanFile(1, { stagedId: String(id).repeat(32), place: {} })]);
    scans.record(id, [noteOf(1, resultOf('local', ['A']))]);
  }
  scans.setLastHunt('w-1', { jobId: 1, ended: '', sha256: null, version: null });
  expect(workspaces.remove('w-1', { forgetLibrary: false })).toEqual([String(theirs).repeat(32)]);
  expect([scans.hitsOf('w-1', sha256Of(1)), scans.lastHunt('w-1'), scans.file(theirs, 1)?.stagedId]).toEqual([
    [],
    null,
    null,
  ]);
  expect([scans.hitsOf('lab', sha256Of(1)).length, scans.stagedFiles()]).toEqual([
    1,
    [{ stagedId: String(ours).repeat(32), place: {} }],
  ]);
});

test('tags of a sample are forgotten with it', () => {
  library.noteRecord({ workspaceId: 'w-1', md5, record: recordWith({ sha256: sha256Of(1) }) });
  keep(2);
  library.noteRecord({ workspaceId: 'w-1', md5: scanHashesOf(2).md5, record: recordWith({ sha256: sha256Of(2) }) });
  library.tagSamples([sha256Of(1), sha256Of(2)], ['case:7'], []);
  library.forget([sha256Of(1)], 'all');
  expect([library.find(sha256Of(1)), tagsOf(2), tagsBeginningWith(database.db.sql, 'case')]).toEqual([
    null,
    ['case:7'],
    ['case:7'],
  ]);
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ sha256: sha256Of(1) }) });
  expect(tagsOf(1)).toEqual([]);
});
