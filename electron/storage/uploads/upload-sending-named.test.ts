import { expect, test } from 'vitest';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { addReady, change, hashesOf, newFile, stagedIdOf } from '../testing/upload.fixture.ts';
import { UploadStore } from './upload-store.ts';

let database: TestDatabase;
let uploads: UploadStore;
let jobs: SqliteJobStore;
databaseForEachTest((opened) => {
  database = opened;
  uploads = new UploadStore(database.db);
  jobs = new SqliteJobStore(database.db);
});

const own = { isTicked: false } as const;
const newJob = (): number => jobs.create({ task: { kind: 'upload' }, workspaceId: 'lab', created: '' });
const files = () => uploads.window('lab', 0, 1000).files;
const draft = () => uploads.draft('lab', { files: 1, bytes: 1 });
const sendOnly = (job: number, ids: readonly number[], comment = ''): (string | null | undefined)[] =>
  [...uploads.sendInSteps('lab', job, { ids: [...ids], comment })].flat().map(({ name }) => name);

test('named files are sent unticked with their own comment, and the draft and its comment stay', () => {
  addReady(uploads, 1);
  uploads.setComment('lab', 'of the person');
  const ids = [addReady(uploads, 2, own), addReady(uploads, 3, own)];
  expect(draft().toSend.files).toBe(1);
  const job = newJob();
  expect(sendOnly(job, ids, 'of the command')).toEqual(['file-2', 'file-3']);
  expect([uploads.commentOf(job), draft().comment, files().map(({ name, isTicked }) => [name, isTicked])]).toEqual([
    'of the command',
    'of the person',
    [['file-1', true]],
  ]);
});

test('an empty own comment does not become the draft comment and clears nothing with the last file', () => {
  uploads.setComment('lab', 'of the person');
  const id = addReady(uploads, 1, own);
  const job = newJob();
  sendOnly(job, [id]);
  expect([uploads.commentOf(job), draft().comment]).toEqual(['', 'of the person']);
});

test('one of several files with equal bytes is sent, and a ticked draft file that represents them stays', () => {
  const persons = addReady(uploads, 1, { name: 'of the person' });
  const ids = [addReady(uploads, 1, { ...own, name: 'one' }), addReady(uploads, 1, { ...own, name: 'two' })];
  expect(uploads.named('lab', ids)).toEqual({ files: 2, busy: 0 });
  expect(sendOnly(newJob(), ids)).toEqual(['one']);
  expect(files()).toMatchObject([
    { id: persons, state: 'ready', isTicked: true },
    { name: 'two', state: 'same', sameAs: persons },
  ]);
});

test('the same bytes are sent once, even when named in another step', () => {
  const ids = Array.from({ length: 260 }, (_, index) => addReady(uploads, index === 259 ? 1 : index + 1, own));
  expect(sendOnly(newJob(), ids)).toHaveLength(259);
});

test('flags set before the same bytes are found to be closed are not sent', () => {
  const id = addReady(uploads, 1, own);
  change(uploads, { kind: 'files', ids: [id] }, { virusTotal: true, sandbox: true });
  addReady(uploads, 1, { tlp: 'red' });
  const job = newJob();
  sendOnly(job, [id]);
  expect(uploads.filesOfJob(job, [hashesOf(1).sha256])).toMatchObject([
    { tlp: 'red', virusTotal: false, sandbox: false },
  ]);
});

test('unprocessed files are busy even when unticked, and files of another workspace are excluded', () => {
  const [hashing = 0, unseen = 0] = uploads.add('lab', [newFile(1, own), newFile(2, { ...own, hashes: hashesOf(2) })]);
  const other = addReady(uploads, 3, own, 'team');
  expect(uploads.named('lab', [hashing, unseen, other])).toEqual({ files: 1, busy: 2 });
  expect(draft().busy).toBe(0);
  expect(sendOnly(newJob(), [other])).toEqual([]);
});

test('files of a job that never began return to the draft unticked, without their comment', () => {
  const id = addReady(uploads, 1, own);
  sendOnly(newJob(), [id], 'of the command');
  uploads.returnOrphans();
  expect([files(), draft().comment]).toMatchObject([[{ id, isTicked: false, state: 'ready' }], '']);
  expect(uploads.get(id)?.stagedId).toBe(stagedIdOf(1));
});
