import { renameSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { failuresOf, outcomesOf, quietDraft } from '../uploads/upload-bench.fixture.ts';
import { ended, team } from '../uploads/uploads.fixture.ts';
import { takeAway, touch, type WatchDesk, watching } from './watch.fixture.ts';

const inFolder = (desk: WatchDesk, path: string): string => join(desk.folder, path);

async function tickAll({ upload }: WatchDesk): Promise<void> {
  await upload.uploads.change(team, { kind: 'files', ids: upload.files().map(({ id }) => id) }, { isTicked: true });
  await quietDraft(upload);
}

async function sendTicked({ upload }: WatchDesk): Promise<number> {
  const { id } = await upload.uploads.send(team);
  await ended(upload, id);
  return id;
}

const placesOf = (files: readonly UploadFile[]): string[] =>
  files.map(({ path, name, state }) => [path, name, state].join(' ')).toSorted();

/** Drafted at the moment when the folder goes: each of its files is looked at in vain. */
async function lost(path: string): Promise<WatchDesk> {
  const desk = await watching();
  vi.spyOn(desk.upload.uploads, 'addHeld').mockImplementationOnce((...given) => {
    renameSync(desk.folder, `${desk.folder}-away`);
    desk.upload.uploads.addHeld(...given);
  });
  await desk.put(path, 'came');
  await desk.settle();
  await vi.waitFor(
    () => expect(desk.upload.files()).toMatchObject([{ state: 'unreadable', failure: { kind: 'file-gone' } }]),
    { timeout: 10_000 },
  );
  return desk;
}

test('a file that was looked at while the folder was away is looked at again when it is back', async () => {
  const desk = await lost('came.bin');
  await rename(`${desk.folder}-away`, desk.folder);
  await desk.settle();
  expect(await quietDraft(desk.upload)).toMatchObject([
    { name: 'came.bin', state: 'ready', failure: null, presence: 'held', strip: expect.any(String) },
  ]);
  expect(desk.repository.connections()).toBe(0);
});

test('nor is it lost where it was moved meanwhile, or the program started again', async () => {
  const desk = await lost('came.bin');
  await mkdir(join(`${desk.folder}-away`, 'sorted'));
  await rename(join(`${desk.folder}-away`, 'came.bin'), join(`${desk.folder}-away`, 'sorted', 'moved.bin'));
  await rename(`${desk.folder}-away`, desk.folder);
  const again = await desk.reopen();
  await again.settle();
  await again.settle();
  expect(placesOf(await quietDraft(again.upload))).toEqual(['sorted moved.bin ready']);
});

test('one that is another by now stays as it was found', async () => {
  const desk = await lost('came.bin');
  await rename(`${desk.folder}-away`, desk.folder);
  await rm(inFolder(desk, 'came.bin'));
  await desk.settle();
  expect(desk.upload.files()).toMatchObject([{ state: 'unreadable', failure: { kind: 'file-gone' } }]);
});

test('a file that gives its name to the next one is found under its new one', async () => {
  const desk = await watching();
  await desk.put('dump.bin', 'first');
  await desk.settle();
  await quietDraft(desk.upload);
  await rename(inFolder(desk, 'dump.bin'), inFolder(desk, 'dump.bin.1'));
  await desk.put('dump.bin', 'the next');
  await desk.settle();
  await desk.settle();
  expect(placesOf(await quietDraft(desk.upload))).toEqual([' dump.bin ready', ' dump.bin.1 ready']);
  await tickAll(desk);
  expect(await outcomesOf(desk.upload, await sendTicked(desk))).toEqual({ 'dump.bin': 'done', 'dump.bin.1': 'done' });
});

test('what was copied and then removed is sent from the copy, where that is as it was', async () => {
  const desk = await watching();
  for (const name of ['a.bin', 'b.bin']) await desk.put(name, name);
  await desk.settle();
  await mkdir(inFolder(desk, 'sorted'));
  for (const name of ['a.bin', 'b.bin']) await copyFile(inFolder(desk, name), inFolder(desk, `sorted/${name}`));
  await desk.settle();
  await tickAll(desk);
  for (const name of ['a.bin', 'b.bin']) await rm(inFolder(desk, name));
  await touch(desk, 'sorted/b.bin');
  const job = await sendTicked(desk);
  expect(await outcomesOf(desk.upload, job)).toEqual({ 'a.bin': 'done', 'b.bin': 'failed' });
  expect(await failuresOf(desk.upload, job)).toMatchObject({ 'b.bin': 'file-gone' });
});

test('what is moved just before it is sent is sent with the next try', async () => {
  const desk = await watching();
  await desk.put('came.bin', 'came');
  await desk.settle();
  await tickAll(desk);
  await rename(inFolder(desk, 'came.bin'), inFolder(desk, 'moved.bin'));
  const job = await sendTicked(desk);
  expect(await failuresOf(desk.upload, job)).toEqual({ 'came.bin': 'file-gone' });
  await desk.settle();
  const again = await desk.reopen();
  again.upload.jobs.retry(job, ['failed']);
  await ended(again.upload, job);
  expect(await outcomesOf(again.upload, job)).toEqual({ 'came.bin': 'done' });
});

test('while the folder is away nothing is moved, and what is sent then fails', async () => {
  const desk = await watching();
  await desk.put('came.bin', 'came');
  await desk.settle();
  await tickAll(desk);
  const bringBack = await takeAway(desk);
  const job = await sendTicked(desk);
  expect(await failuresOf(desk.upload, job)).toEqual({ 'came.bin': 'file-gone' });
  await bringBack();
  desk.upload.jobs.retry(job, ['failed']);
  await ended(desk.upload, job);
  expect(await outcomesOf(desk.upload, job)).toEqual({ 'came.bin': 'done' });
});
