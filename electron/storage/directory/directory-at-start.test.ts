import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeBackupFolder } from '../backup/backup-folder.ts';
import { makeBackup } from '../backup/backup-making.ts';
import { makeTestFolder, openTestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { holdDataDirectory } from './data-lock.ts';
import { dataAtStart, directoryAtStart } from './directory-at-start.ts';

let folder: TestFolder;
let usual: string;
let target: string;
beforeEach(() => {
  folder = makeTestFolder();
  usual = join(folder.path, 'Vitrine');
  target = join(folder.path, 'disk');
  openTestDatabase(usual).db.close();
});
afterEach(() => folder.remove());

const quietly = (): void => {};

const holdsForAMoment = `
  const { parentPort, workerData } = require('node:worker_threads');
  const lock = new (require('node:sqlite').DatabaseSync)(workerData);
  lock.exec('BEGIN EXCLUSIVE');
  parentPort.postMessage('held');
  setTimeout(() => lock.close(), 300);`;

test('a completed move is reported, and the new place is opened', async () => {
  const lines: string[] = [];
  expect(await dataAtStart({ named: null, usual, moveTo: target }, (line) => lines.push(line))).toEqual({
    directory: target,
    notMoved: null,
  });
  expect(lines).toEqual([expect.stringMatching(/^Copying the data: 1 files, /), expect.stringContaining(usual)]);
  expect(await dataAtStart({ named: null, usual, moveTo: null }, quietly)).toEqual({
    directory: target,
    notMoved: null,
  });
});

test('a failed move opens the old place with the reason, or ends the program in a terminal', async () => {
  const failure = { kind: 'move-refused', path: usual, reason: 'same' };
  expect(await dataAtStart({ named: null, usual, moveTo: usual }, quietly)).toEqual({
    directory: usual,
    notMoved: failure,
  });
  await expect(directoryAtStart({ named: null, usual, moveTo: usual }, quietly)).rejects.toMatchObject({ failure });
});

test('missing data cannot be opened in its old place', async () => {
  await dataAtStart({ named: null, usual, moveTo: target }, quietly);
  rmSync(target, { recursive: true });
  const failure = { kind: 'data-gone', path: target };
  await expect(dataAtStart({ named: null, usual, moveTo: join(folder.path, 'third') }, quietly)).rejects.toMatchObject({
    failure,
  });
});

test('the start waits for the instance that requested the move, and for no other', async () => {
  const lock = holdDataDirectory(usual, { fileName: 'lock.db', waitMs: 0 });
  const choice = { named: null, usual, moveTo: target };
  expect(await dataAtStart(choice, quietly)).toMatchObject({
    directory: usual,
    notMoved: { kind: 'data-in-use' },
  });
  expect(existsSync(target)).toBe(false);
  lock.release();
  await once(new Worker(holdsForAMoment, { eval: true, workerData: join(usual, 'lock.db') }), 'message');
  expect(await dataAtStart({ ...choice, hostEndsWithinMs: 60_000 }, quietly)).toEqual({
    directory: target,
    notMoved: null,
  });
});

test('a backup is restored to the data directory, reported, and opened from then on, never over data', async () => {
  const backup = join(folder.path, 'backup');
  const order = {
    from: usual,
    to: await takeBackupFolder(backup, { data: usual, installation: 'old' }),
    installation: 'old',
    version: '1.0.0',
  };
  await makeBackup(order, { planned: () => {}, read: () => {}, file: () => {}, lost: () => {}, whole: () => {} });
  const choice = { named: target, usual, moveTo: null, restore: backup };
  const lines: string[] = [];
  expect(await dataAtStart(choice, (line) => lines.push(line))).toEqual({ directory: target, notMoved: null });
  expect(lines).toEqual([
    expect.stringMatching(/^Restoring the backup of \S+Z: 1 files, 1 MiB/),
    expect.stringContaining(target),
  ]);
  openTestDatabase(target).db.close();
  await expect(dataAtStart(choice, quietly)).rejects.toMatchObject({
    failure: { kind: 'backup-refused', path: target, reason: 'not-for-data' },
  });
});
