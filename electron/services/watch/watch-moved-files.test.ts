import { renameSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { failuresOf, outcomesOf, quietDraft } from '../uploads/upload-bench.fixture.ts';
import { ended, team } from '../uploads/uploads.fixture.ts';
import { takeAway, type TestWatch, touch, watching } from './watch.fixture.ts';

const inFolder = (setup: TestWatch, path: string): string => join(setup.folder, path);

async function tickAll({ upload }: TestWatch): Promise<void> {
  await upload.uploads.change(team, { kind: 'files', ids: upload.files().map(({ id }) => id) }, { isTicked: true });
  await quietDraft(upload);
}

async function sendTicked({ upload }: TestWatch): Promise<number> {
  const { id } = await upload.uploads.send(team);
  await ended(upload, id);
  return id;
}

const placesOf = (files: readonly UploadFile[]): string[] =>
  files.map(({ path, name, state }) => [path, name, state].join(' ')).toSorted();

/** Drafted at the moment when the folder goes: each of its files is looked at in vain. */
async function lost(path: string): Promise<TestWatch> {
  const setup = await watching();
  vi.spyOn(setup.upload.uploads, 'addHeld').mockImplementationOnce((...given) => {
    renameSync(setup.folder, `${setup.folder}-away`);
    setup.upload.uploads.addHeld(...given);
  });
  await setup.put(path, 'came');
  await setup.settle();
  await vi.waitFor(
    () => expect(setup.upload.files()).toMatchObject([{ state: 'unreadable', failure: { kind: 'file-gone' } }]),
    { timeout: 10_000 },
  );
  return setup;
}

test('a file inspected while the folder was missing is inspected again when it is back', async () => {
  const setup = await lost('came.bin');
  await rename(`${setup.folder}-away`, setup.folder);
  await setup.settle();
  expect(await quietDraft(setup.upload)).toMatchObject([
    { name: 'came.bin', state: 'ready', failure: null, presence: 'held', strip: expect.any(String) },
  ]);
  expect(setup.repository.connections()).toBe(0);
});

test('a file is not lost when it was moved meanwhile, or the program restarted', async () => {
  const setup = await lost('came.bin');
  await mkdir(join(`${setup.folder}-away`, 'sorted'));
  await rename(join(`${setup.folder}-away`, 'came.bin'), join(`${setup.folder}-away`, 'sorted', 'moved.bin'));
  await rename(`${setup.folder}-away`, setup.folder);
  const again = await setup.reopen();
  await again.settle();
  await again.settle();
  expect(placesOf(await quietDraft(again.upload))).toEqual(['sorted moved.bin ready']);
});

test('a missing file that was replaced or removed stays as found', async () => {
  const setup = await lost('came.bin');
  await rename(`${setup.folder}-away`, setup.folder);
  await rm(inFolder(setup, 'came.bin'));
  await setup.settle();
  expect(setup.upload.files()).toMatchObject([{ state: 'unreadable', failure: { kind: 'file-gone' } }]);
});

test('a file that passes its name to the next one is found under its new name', async () => {
  const setup = await watching();
  await setup.put('dump.bin', 'first');
  await setup.settle();
  await quietDraft(setup.upload);
  await rename(inFolder(setup, 'dump.bin'), inFolder(setup, 'dump.bin.1'));
  await setup.put('dump.bin', 'the next');
  await setup.settle();
  await setup.settle();
  expect(placesOf(await quietDraft(setup.upload))).toEqual([' dump.bin ready', ' dump.bin.1 ready']);
  await tickAll(setup);
  expect(await outcomesOf(setup.upload, await sendTicked(setup))).toEqual({ 'dump.bin': 'done', 'dump.bin.1': 'done' });
});

test('a copied and then removed file is sent from the copy, if that is unchanged', async () => {
  const setup = await watching();
  for (const name of ['a.bin', 'b.bin']) await setup.put(name, name);
  await setup.settle();
  await mkdir(inFolder(setup, 'sorted'));
  for (const name of ['a.bin', 'b.bin']) await copyFile(inFolder(setup, name), inFolder(setup, `sorted/${name}`));
  await setup.settle();
  await tickAll(setup);
  for (const name of ['a.bin', 'b.bin']) await rm(inFolder(setup, name));
  await touch(setup, 'sorted/b.bin');
  const job = await sendTicked(setup);
  expect(await outcomesOf(setup.upload, job)).toEqual({ 'a.bin': 'done', 'b.bin': 'failed' });
  expect(await failuresOf(setup.upload, job)).toMatchObject({ 'b.bin': 'file-gone' });
});

test('a file moved just before it is sent is sent with the next try', async () => {
  const setup = await watching();
  await setup.put('came.bin', 'came');
  await setup.settle();
  await tickAll(setup);
  await rename(inFolder(setup, 'came.bin'), inFolder(setup, 'moved.bin'));
  const job = await sendTicked(setup);
  expect(await failuresOf(setup.upload, job)).toEqual({ 'came.bin': 'file-gone' });
  await setup.settle();
  const again = await setup.reopen();
  again.upload.jobs.retry(job, ['failed']);
  await ended(again.upload, job);
  expect(await outcomesOf(again.upload, job)).toEqual({ 'came.bin': 'done' });
});

test('no file is moved while the folder is missing, and sending then fails', async () => {
  const setup = await watching();
  await setup.put('came.bin', 'came');
  await setup.settle();
  await tickAll(setup);
  const bringBack = await takeAway(setup);
  const job = await sendTicked(setup);
  expect(await failuresOf(setup.upload, job)).toEqual({ 'came.bin': 'file-gone' });
  await bringBack();
  setup.upload.jobs.retry(job, ['failed']);
  await ended(setup.upload, job);
  expect(await outcomesOf(setup.upload, job)).toEqual({ 'came.bin': 'done' });
});
