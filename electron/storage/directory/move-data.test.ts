import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { platform } from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { canMountDisks, smallDisk } from '../../base/small-disk.fixture.ts';
import { makeTestFolder, openTestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { killedMove } from '../testing/killed-move.fixture.ts';
import { findDataDirectory } from './data-location.ts';
import { holdDataDirectory } from './data-lock.ts';
import { moveData } from './move-data.ts';

let folder: TestFolder;
let usual: string;
let target: string;
beforeEach(() => {
  folder = makeTestFolder();
  usual = join(folder.path, 'Vitrine');
  target = join(folder.path, 'disk', 'data');
  openTestDatabase(usual).db.close();
  for (const name of ['vault/ab', 'vault/packs', 'lab', 'page', 'staging'])
    mkdirSync(join(usual, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(usual, 'vault', 'ab', 'sample'), Buffer.alloc(3 * 1024 * 1024, 'sample'));
  writeFileSync(join(usual, 'vault', 'packs', 'empty'), '');
});
afterEach(() => folder.remove());

const move = (to = target): ReturnType<typeof moveData> =>
  moveData({ named: null, usual, target: to, onBegin: () => {} });
const inForce = (): string => findDataDirectory({ named: null, usual });

/** Relative paths and bytes of all data: without locks, and without the list of a move. */
function filesIn(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter(
    (name) => !/lock$|lock\.db$|^moved-from\.jsonl$/.test(name) && statSync(join(directory, name)).isFile(),
  );
  return new Map(files.map((name) => [name, readFileSync(join(directory, name)).toString('base64')]));
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof FailureError ? error.failure : error;
}

test('a move puts all data into the new folder, private and openable, and keeps the old copy', async () => {
  const before = filesIn(usual);
  expect(await move()).toEqual({ from: usual, to: target });
  expect(filesIn(target)).toEqual(before);
  expect(filesIn(usual)).toEqual(before);
  expect(existsSync(join(target, 'staging'))).toBe(true);
  expect(inForce()).toBe(target);
  if (platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o700);
  openTestDatabase(target).db.close();
});

test.runIf(platform !== 'win32')(
  'a crashed instance’s leftover command files are no data, and its socket does not block the move',
  async () => {
    writeFileSync(join(usual, 'desk.key'), 'a key');
    const socket = createServer().listen(join(usual, 'desk.sock'));
    await once(socket, 'listening');
    await move();
    expect(readdirSync(target).filter((name) => name.startsWith('desk.'))).toEqual([]);
    socket.close();
  },
);

test('the move announces its size before it copies', async () => {
  const reported: unknown[] = [];
  await moveData({
    named: null,
    usual,
    target,
    onBegin: (size) => reported.push(size, existsSync(join(target, 'vault'))),
  });
  const files = [...filesIn(usual).keys()];
  const bytes = files.reduce((sum, name) => sum + statSync(join(usual, name)).size, 0);
  expect(reported).toEqual([{ files: files.length, bytes }, false]);
});

test('the data can be moved again, and back once the old copy is gone', async () => {
  const before = filesIn(usual);
  await move();
  const third = join(folder.path, 'third');
  expect(await move(third)).toEqual({ from: target, to: third });
  expect(await refusal(move(usual))).toEqual({ kind: 'move-refused', path: usual, reason: 'not-empty' });
  rmSync(usual, { recursive: true });
  expect(inForce()).toBe(third);
  await move(usual);
  expect(inForce()).toBe(usual);
  expect(filesIn(usual)).toEqual(before);
});

test('a linked target folder resolves to its destination', async () => {
  mkdirSync(join(folder.path, 'disk'));
  symlinkSync(join(folder.path, 'disk'), join(folder.path, 'link'), 'junction');
  expect(await move(join(folder.path, 'link', 'data'))).toMatchObject({ to: target });
  symlinkSync(target, join(folder.path, 'same'), 'junction');
  expect(await refusal(move(join(folder.path, 'same')))).toEqual({
    kind: 'move-refused',
    path: target,
    reason: 'same',
  });
});

test('the same folder, one inside it, a full one and empty data are refused, and nothing changes', async () => {
  const before = filesIn(folder.path);
  expect(await refusal(move(usual))).toEqual({ kind: 'move-refused', path: usual, reason: 'same' });
  expect(await refusal(move(join(usual, 'vault', 'new')))).toEqual({
    kind: 'move-refused',
    path: join(usual, 'vault', 'new'),
    reason: 'inside',
  });
  expect(await refusal(move(folder.path))).toEqual({ kind: 'move-refused', path: folder.path, reason: 'not-empty' });
  expect(filesIn(folder.path)).toEqual(before);
  const none = join(folder.path, 'none');
  expect(await refusal(moveData({ named: null, usual: none, target, onBegin: () => {} }))).toEqual({
    kind: 'move-refused',
    path: none,
    reason: 'no-data',
  });
  expect(existsSync(none)).toBe(false);
  expect(await refusal(moveData({ named: usual, usual, target, onBegin: () => {} }))).toEqual({
    kind: 'move-refused',
    path: usual,
    reason: 'named',
  });
});

test('a link among the data is refused and named, and those of a browser profile are left behind', async () => {
  symlinkSync('nowhere', join(usual, 'page', 'SingletonLock'));
  await move();
  expect(readdirSync(join(target, 'page'))).toEqual([]);
  rmSync(join(target, 'page'), { recursive: true });
  symlinkSync(folder.path, join(target, 'page'), 'junction');
  expect(await refusal(move(join(folder.path, 'third')))).toEqual({
    kind: 'move-refused',
    path: join(target, 'page'),
    reason: 'link',
  });
  rmSync(join(target, 'page'));
  symlinkSync(folder.path, join(target, 'vault', 'big'), 'junction');
  expect(await refusal(move(join(folder.path, 'third')))).toEqual({
    kind: 'move-refused',
    path: join(target, 'vault', 'big'),
    reason: 'link',
  });
  expect(inForce()).toBe(target);
});

test('vanished browser profile files are left behind, and another missing file aborts the move', async () => {
  writeFileSync(join(usual, 'page', 'Cookies'), 'cookies');
  const moveWithout = (path: string): ReturnType<typeof moveData> =>
    moveData({ named: null, usual, target, onBegin: () => rmSync(join(usual, path)) });
  const sample = join('vault', 'ab', 'sample');
  cpSync(join(usual, sample), join(folder.path, 'kept'));
  expect(await refusal(moveWithout(sample))).toMatchObject({ kind: 'disk-failed', code: 'ENOENT' });
  cpSync(join(folder.path, 'kept'), join(usual, sample));
  await moveWithout(join('page', 'Cookies'));
  expect(readdirSync(join(target, 'page'))).toEqual([]);
});

test('data in use, or with its lab in use, is not moved', async () => {
  const lock = holdDataDirectory(usual, { fileName: 'lock.db', waitMs: 0 });
  expect(await refusal(move())).toMatchObject({ kind: 'data-in-use' });
  lock.release();
  const lab = holdDataDirectory(join(usual, 'lab'), { fileName: 'lab.lock', waitMs: 0 });
  expect(await refusal(move())).toMatchObject({ kind: 'data-in-use' });
  lab.release();
  expect(existsSync(target)).toBe(false);
  await move();
});

test.skipIf(platform === 'win32')('a folder readable by others becomes private', async () => {
  mkdirSync(target, { recursive: true });
  chmodSync(target, 0o755);
  await move();
  expect(statSync(target).mode & 0o777).toBe(0o700);
});

test('a file in the place of the folder is a failure', async () => {
  writeFileSync(join(folder.path, 'disk'), 'file');
  expect(await refusal(move())).toMatchObject({ kind: 'not-writable' });
  expect(inForce()).toBe(usual);
});

for (const { tags, cases } of longAfter(3, [1, 7, 14, 2, 4, 10, 20]))
  test.each(cases)(
    'killed at change %i, old or new data is active and whole, and the next move completes',
    { tags },
    async (times) => {
      const before = filesIn(usual);
      mkdirSync(join(folder.path, 'disk'));
      const wasKilled = await killedMove(join(folder.path, 'disk'), times, usual, target);
      expect(wasKilled || inForce() === target).toBe(true);
      expect(filesIn(usual)).toEqual(before);
      if (inForce() === target) return expect(filesIn(target)).toEqual(before);
      await move();
      expect(filesIn(target)).toEqual(before);
      expect(inForce()).toBe(target);
    },
  );

test('a partial copy is never opened, is replaced by the next move, and foreign files beside it stay', async () => {
  const before = filesIn(usual);
  mkdirSync(join(target, 'vault'), { recursive: true });
  writeFileSync(join(target, 'vault', 'left'), 'of an earlier time');
  writeFileSync(join(target, 'move.unfinished'), JSON.stringify({ names: ['vault', 'vitrine.db'], isWhole: false }));
  writeFileSync(join(target, 'mine'), 'mine');
  expect(() => findDataDirectory({ named: target, usual })).toThrow(
    expect.objectContaining({ failure: { kind: 'data-unfinished', path: target } }),
  );
  expect(await refusal(move())).toMatchObject({ kind: 'move-refused', reason: 'not-empty' });
  rmSync(join(target, 'mine'));
  await move();
  expect(filesIn(target)).toEqual(before);
});

test('a marker cannot name a path elsewhere', async () => {
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'move.unfinished'), JSON.stringify({ names: ['../../Vitrine'], isWhole: false }));
  expect(await refusal(move())).toMatchObject({ kind: 'move-refused', reason: 'not-empty' });
  expect(existsSync(join(usual, 'vitrine.db'))).toBe(true);
});

test('a copy that was complete when the program ended is opened', () => {
  cpSync(usual, target, { recursive: true });
  writeFileSync(join(target, 'move.unfinished'), JSON.stringify({ names: ['vitrine.db'], isWhole: true }));
  expect(findDataDirectory({ named: target, usual })).toBe(target);
  expect(existsSync(join(target, 'move.unfinished'))).toBe(false);
});

test('missing moved data does not start an empty installation, and an unreadable place is a failure', async () => {
  await move();
  rmSync(target, { recursive: true });
  expect(inForce).toThrow(expect.objectContaining({ failure: { kind: 'data-gone', path: target } }));
  expect(existsSync(target)).toBe(false);
  const location = `${usual}-location.json`;
  for (const text of ['{', '{"directory":"relative"}', '{}']) {
    writeFileSync(location, text);
    expect(inForce).toThrow(expect.objectContaining({ failure: { kind: 'location-damaged', path: location } }));
  }
  expect(findDataDirectory({ named: usual, usual })).toBe(usual);
});

test.skipIf(!canMountDisks)('another file system accepts the move, or is left empty when it is full', async () => {
  const small = smallDisk('2m');
  expect(await refusal(move(small))).toEqual({ kind: 'disk-full', path: small });
  expect(readdirSync(small)).toEqual([]);
  expect(inForce()).toBe(usual);
  const large = smallDisk('16m');
  await move(large);
  expect(filesIn(large)).toEqual(filesIn(usual));
  expect(inForce()).toBe(large);
});

test.skipIf(!canMountDisks)('a disk that fills up during the copy is emptied again', async () => {
  const disk = smallDisk('16m');
  const filling = moveData({ named: null, usual, target: disk, onBegin: () => fill(disk) });
  expect(await refusal(filling)).toEqual({ kind: 'disk-full', path: disk });
  expect(readdirSync(disk)).toEqual(['another']);
  expect(inForce()).toBe(usual);
});

/** Another program takes the free space. */
function fill(disk: string): void {
  writeFileSync(join(disk, 'another'), Buffer.alloc(14 * 1024 * 1024));
}
