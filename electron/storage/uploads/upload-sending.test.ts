import { expect, test } from 'vitest';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import {
  addArchive,
  addReady,
  change,
  hashesOf,
  newFile,
  openedAs,
  remove,
  send,
  stagedIdOf,
} from '../testing/upload.fixture.ts';
import { UploadStore } from './upload-store.ts';

let database: TestDatabase;
let uploads: UploadStore;
let jobs: SqliteJobStore;
databaseForEachTest((opened) => {
  database = opened;
  uploads = new UploadStore(database.db);
  jobs = new SqliteJobStore(database.db);
});

const newJob = (): number => jobs.create({ task: { kind: 'upload' }, workspaceId: 'lab', created: '' });
const files = () => uploads.window('lab', 0, 1000).files;
const names = (): string[] => files().map(({ name }) => name);
const addMany = (count: number): void => {
  const ids = uploads.add(
    'lab',
    Array.from({ length: count }, (_, index) => newFile(index + 1, { hashes: hashesOf(index + 1) })),
  );
  uploads.looked(ids.map((id) => ({ id, mime: null, strip: null, isZip: false })));
};
const itemOf = (number: number) => ({
  hash: hashesOf(number).sha256,
  md5: hashesOf(number).md5,
  sha256: hashesOf(number).sha256,
  sizeBytes: 10 * number,
  name: `file-${number}`,
});

test('sendable files move to the job with the comment, and the draft keeps the rest', () => {
  const [there, unticked] = [addReady(uploads, 1), addReady(uploads, 2)];
  for (const number of [3, 4]) addReady(uploads, number);
  uploads.answered([{ id: there, presence: 'there', failure: null }]);
  change(uploads, { kind: 'files', ids: [unticked] }, { isTicked: false });
  uploads.setComment('lab', 'a comment');
  const job = newJob();
  expect(send(uploads, job)).toEqual([itemOf(3), itemOf(4)]);
  expect(jobs.add(job, [itemOf(3)])).toBe(1);
  expect(names()).toEqual(['file-1', 'file-2']);
  expect([uploads.commentOf(job), uploads.draft('lab', { files: 1, bytes: 1 }).comment]).toEqual([
    'a comment',
    'a comment',
  ]);
  expect(uploads.bytesOfJob(job)).toBe(70);
  expect(uploads.filesOfJob(job, [hashesOf(4).sha256, hashesOf(1).sha256])).toMatchObject([
    { name: 'file-4', jobId: job, stagedId: stagedIdOf(4) },
  ]);
  expect([uploads.toAsk('lab', 9).map(({ name }) => name), uploads.commentOf(99)]).toEqual([['file-2'], '']);
});

test('the comment is cleared when nothing is left in the draft, and stays with the job', () => {
  addReady(uploads, 1);
  uploads.setComment('lab', 'a comment');
  const job = newJob();
  send(uploads, job);
  expect(uploads.draft('lab', { files: 1, bytes: 1 })).toMatchObject({ files: 0, comment: '', saved: null });
  expect(uploads.commentOf(job)).toBe('a comment');
});

test('six hundred files are sent in steps, each once, in the order of the draft', () => {
  addMany(600);
  const steps = [...uploads.sendInSteps('lab', newJob())];
  expect(steps.map((items) => items.length)).toEqual([250, 250, 100]);
  expect(steps.flat()).toEqual(Array.from({ length: 600 }, (_, index) => itemOf(index + 1)));
  expect(send(uploads, newJob())).toEqual([]);
});

test('files and a comment added while a draft is sent stay in it', () => {
  addMany(300);
  uploads.setComment('lab', 'of the first');
  const job = newJob();
  const steps = uploads.sendInSteps('lab', job);
  expect(steps.next().value).toHaveLength(250);
  addReady(uploads, 999, { name: 'late' });
  uploads.setComment('lab', 'of the second');
  expect([...steps].flat()).toHaveLength(50);
  expect([names(), uploads.commentOf(job)]).toEqual([['late'], 'of the first']);
  expect(uploads.draft('lab', { files: 1, bytes: 1 }).comment).toBe('of the second');
});

test('the comment is sent with its files although other files arrived meanwhile', () => {
  addMany(300);
  uploads.setComment('lab', 'of the first');
  const steps = uploads.sendInSteps('lab', newJob());
  steps.next();
  addReady(uploads, 999, { name: 'late' });
  expect([...steps].flat()).toHaveLength(50);
  expect(uploads.draft('lab', { files: 1, bytes: 1 }).comment).toBe('');
});

test('an uninspected file is not sent, as it may be an archive', () => {
  uploads.add('lab', [newFile(1, { hashes: hashesOf(1) })]);
  expect([send(uploads, newJob()), names()]).toEqual([[], ['file-1']]);
});

test('a copy of a sent file stays in the draft and is not sent afterwards automatically', () => {
  addReady(uploads, 1);
  addReady(uploads, 1, { name: 'copy' });
  expect(send(uploads, newJob())).toHaveLength(1);
  expect(files()).toMatchObject([{ name: 'copy', state: 'ready', sameAs: null, isTicked: false }]);
});

test('members left behind by their archive become separate files', () => {
  const archive = addArchive(uploads, 1);
  const [member = 0] = uploads.add('lab', [newFile(2, { parentId: archive, hashes: hashesOf(2) })]);
  uploads.setArchive(archive, openedAs('open', 1));
  change(uploads, { kind: 'files', ids: [member] }, { isTicked: false });
  change(uploads, { kind: 'files', ids: [archive] }, { isTicked: true });
  send(uploads, newJob());
  expect(files()).toMatchObject([{ id: member, parentId: null }]);
});

test('a damaged row is not sent and stays as shown', () => {
  const id = addReady(uploads, 1);
  addReady(uploads, 2);
  database.db.command("UPDATE upload_file SET tlp = 'purple' WHERE id = ?").run(id);
  expect(send(uploads, newJob())).toEqual([itemOf(2)]);
  expect(uploads.draft('lab', { files: 1, bytes: 1 }).toSend.files).toBe(0);
  expect(files()).toMatchObject([{ state: 'unreadable' }]);
});

test('a possible earlier sending is remembered until it is resolved', () => {
  const id = addReady(uploads, 1);
  send(uploads, newJob());
  uploads.markMaySent([id]);
  expect(uploads.get(id)).toMatchObject({ maySent: true, wasRefused: false });
  uploads.markRefused([id]);
  expect(uploads.get(id)).toMatchObject({ maySent: true, wasRefused: true });
  uploads.clearMaySent([id]);
  expect(uploads.get(id)?.maySent).toBe(false);
});

test('a settled file is gone, and no draft file can be settled', () => {
  const [one, two] = [addReady(uploads, 1), addReady(uploads, 2)];
  const job = newJob();
  send(uploads, job);
  const draft = addReady(uploads, 3);
  expect(uploads.settled([one, draft, 99])).toEqual({ staged: [stagedIdOf(1)], copies: 0 });
  expect([uploads.get(one), uploads.get(two)?.jobId]).toEqual([null, job]);
  expect(uploads.forgetJob(job)).toEqual([stagedIdOf(2)]);
  expect([uploads.commentOf(job), uploads.bytesOfJob(job), names()]).toEqual(['', 0, ['file-3']]);
});

test.each(['draft', 'hidden', 'gone'])('files of a job that is %s return to their draft with its comment', (fate) => {
  addReady(uploads, 1);
  uploads.setComment('lab', 'a comment');
  const job = newJob();
  send(uploads, job);
  if (fate === 'hidden') jobs.hide(job);
  if (fate === 'gone') database.db.command('DELETE FROM job WHERE id = ?').run(job);
  uploads.returnOrphans();
  expect(files()).toMatchObject([{ name: 'file-1', state: 'ready' }]);
  expect(uploads.draft('lab', { files: 1, bytes: 1 }).comment).toBe('a comment');
  uploads.returnOrphans();
  expect(send(uploads, newJob())).toHaveLength(1);
});

test('files of a started job stay with it', () => {
  addReady(uploads, 1);
  const job = newJob();
  send(uploads, job);
  jobs.change(job, { state: 'cancelled' });
  uploads.returnOrphans();
  expect([names(), uploads.bytesOfJob(job)]).toEqual([[], 10]);
});

test('returning files handle meanwhile added copies, another comment, and removed archives', () => {
  const archive = addArchive(uploads, 9);
  uploads.add('lab', [newFile(2, { parentId: archive, hashes: hashesOf(2) })]);
  uploads.setArchive(archive, openedAs('open', 1));
  const first = addReady(uploads, 1);
  uploads.setComment('lab', 'before');
  send(uploads, newJob());
  remove(uploads, { kind: 'all' });
  addReady(uploads, 1, { name: 'again' });
  uploads.setComment('lab', 'after');
  uploads.returnOrphans();
  expect(files()).toMatchObject([
    { name: 'file-2', parentId: null, state: 'ready' },
    { id: first, state: 'ready' },
    { name: 'again', state: 'same', sameAs: first },
  ]);
  expect(uploads.draft('lab', { files: 1, bytes: 1 }).comment).toBe('after');
});

test('a workspace is forgotten with its draft and its uploads, and no other is', () => {
  addReady(uploads, 1);
  const job = newJob();
  send(uploads, job);
  addReady(uploads, 2);
  addReady(uploads, 3, {}, 'w-1');
  expect(uploads.forgetWorkspace('lab').toSorted()).toEqual([stagedIdOf(1), stagedIdOf(2)]);
  expect([names(), uploads.commentOf(job), uploads.window('w-1', 0, 9).total]).toEqual([[], '', 1]);
});

test('combined steps are done together or not at all', () => {
  const id = addReady(uploads, 1);
  const job = newJob();
  send(uploads, job);
  expect(() =>
    uploads.together(() => {
      uploads.settled([id]);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(uploads.get(id)).not.toBeNull();
});
