import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { team } from '../uploads/uploads.fixture.ts';
import { longestTurnDuring } from './longest-turn.fixture.ts';
import { watchOneFolder } from './watch-ports.ts';
import { newWatchDesk, watching } from './watch.fixture.ts';

const isPosix = platform !== 'win32';

test.skipIf(!isPosix)('links are not followed, and a pipe is no file', async () => {
  const desk = await watching();
  await desk.put('../outside/secret.bin', 'secret');
  await symlink(join(desk.folder, '..', 'outside'), join(desk.folder, 'folder-link'));
  await symlink(join(desk.folder, '..', 'outside', 'secret.bin'), join(desk.folder, 'file-link'));
  await promisify(execFile)('mkfifo', [join(desk.folder, 'pipe')]);
  for (const name of ['folder-link', 'file-link', 'pipe']) desk.news.get(desk.folder)?.(name);
  await desk.settle();
  expect(desk.watch.state().files).toEqual([]);
});

test.skipIf(!isPosix || getuid?.() === 0)('what may not be read is told of, and taken as soon as it may', async () => {
  const desk = await watching();
  await desk.put('shut.bin', 'shut');
  await chmod(join(desk.folder, 'shut.bin'), 0);
  await mkdir(join(desk.folder, 'shut'));
  await chmod(join(desk.folder, 'shut'), 0);
  await desk.settle();
  await desk.settle();
  expect(desk.file('shut.bin')).toMatchObject({
    state: 'waiting',
    failure: { kind: 'file-unreadable', code: 'EACCES' },
  });
  expect(desk.file('shut')).toMatchObject({ state: 'left-out', failure: { kind: 'file-unreadable', name: 'shut' } });
  expect(desk.watch.state().found).toBe(2);
  await chmod(join(desk.folder, 'shut.bin'), 0o600);
  desk.news.get(desk.folder)?.('shut.bin');
  await desk.clock.pass(250);
  await desk.clock.pass(2_000);
  expect(desk.file('shut.bin')).toMatchObject({ state: 'drafted' });
});

test('what could not be looked into is listed no more when it is gone, though the program started again', async () => {
  const desk = await watching();
  const at = (path: string): string => join(desk.folder, path);
  desk.upload.stores.watch.noteShut(
    'shut',
    { kind: 'file-unreadable', name: 'shut', code: 'EACCES' },
    '2030-01-01T00:00:00.000Z',
  );
  await desk.put('empty.bin', '');
  await utimes(at('empty.bin'), 0, 0);
  await desk.settle();
  expect(desk.states()).toEqual({ shut: 'left-out', 'empty.bin': 'left-out' });
  const again = await desk.reopen();
  await again.settle();
  expect(again.states()).toEqual({ 'empty.bin': 'left-out' });
});

test('what cannot be read once is tried again, without any news of it', async () => {
  const desk = await watching();
  await desk.put('busy.bin', 'busy');
  const stage = vi
    .spyOn(desk.upload.staging, 'stagePath')
    .mockImplementation(async () => fail({ kind: 'file-unreadable', name: 'busy.bin', code: 'EBUSY' }));
  await desk.settle();
  expect(desk.file('busy.bin')).toMatchObject({
    state: 'waiting',
    failure: { kind: 'file-unreadable', code: 'EBUSY' },
  });
  expect(desk.watch.state().failure).toBeNull();
  stage.mockRestore();
  await desk.later();
  expect(desk.file('busy.bin')).toMatchObject({ state: 'drafted', failure: { kind: 'no-active-rules' } });
});

test('a small file does not wait for one that takes long to read, whichever came first', async () => {
  const desk = await watching();
  await desk.put('long.img', '');
  await truncate(join(desk.folder, 'long.img'), 3 * 1024 ** 3);
  await desk.settle();
  await desk.put('small.bin', 'small');
  await desk.settle();
  expect(desk.states()).toEqual({ 'long.img': 'hashing', 'small.bin': 'drafted' });
});

test.skipIf(platform !== 'linux')(
  'names that are no UTF-8 are left out one by one, with their bytes; one with a replacement character is a name',
  async () => {
    const desk = await watching();
    const inFolder = (...name: number[]): Buffer => Buffer.concat([Buffer.from(`${desk.folder}/`), Buffer.from(name)]);
    await writeFile(inFolder(0x63, 0xe9, 0x2e, 0x62), 'one');
    await writeFile(inFolder(0x63, 0xea, 0x2e, 0x62), 'other');
    await mkdir(inFolder(0xff));
    await desk.put('c\u{fffd}.b', 'readable');
    await desk.settle();
    await desk.settle();
    expect(desk.states()).toEqual({
      'c\\xe9.b': 'left-out',
      'c\\xea.b': 'left-out',
      '\\xff': 'left-out',
      'c\u{fffd}.b': 'drafted',
    });
    expect(desk.file('c\\xe9.b').failure).toEqual({ kind: 'file-unreadable', name: 'c\\xe9.b', code: 'EILSEQ' });
    // The real name of another is what those bytes are shown as.
    await desk.put('c\\xea.b', 'readable');
    await desk.settle();
    await rename(inFolder(0x63, 0xea, 0x2e, 0x62), join(desk.folder, 'elsewhere.b'));
    await rename(inFolder(0x63, 0xe9, 0x2e, 0x62), join(desk.folder, 'cé.b'));
    await desk.settle();
    await desk.settle();
    expect(desk.states()).toEqual({
      'cé.b': 'drafted',
      'elsewhere.b': 'drafted',
      'c\\xea.b': 'known',
      '\\xff': 'left-out',
      'c\u{fffd}.b': 'drafted',
    });
  },
);

test.skipIf(platform !== 'linux')(
  'a backslash in a name that is no UTF-8 is told from one that stands for bytes',
  async () => {
    const desk = await watching();
    await writeFile(Buffer.concat([Buffer.from(`${desk.folder}/`), Buffer.from('\\xff\xfe', 'latin1')]), 'one');
    await writeFile(Buffer.concat([Buffer.from(`${desk.folder}/`), Buffer.from('\xff\xfe', 'latin1')]), 'other');
    await desk.settle();
    expect(desk.states()).toEqual({ '\\\\xff\\xfe': 'left-out', '\\xff\\xfe': 'left-out' });
  },
);

test('a backup in the folder is left out as a whole, in news too, and said to be; and none is watched', async () => {
  const desk = await watching({}, { 'backup/backup.json': '{"format":1,"desk":"0"}', 'backup/files/ab/one': 'one' });
  await desk.put('backup/files/ab/two', 'two');
  desk.news.get(desk.folder)?.('backup/files/ab/two');
  await desk.put('mine/backup.json', '{}');
  await desk.put('mine/sample', 'sample');
  await desk.settle();
  await desk.settle();
  expect(Object.keys(desk.states()).toSorted()).toEqual(['backup', 'mine/backup.json', 'mine/sample']);
  expect(desk.file('backup')).toMatchObject({
    state: 'left-out',
    failure: { kind: 'watch-refused', path: 'backup', reason: 'inside-backup' },
  });
  const inIt = newWatchDesk({ chooseFolder: async () => join(desk.folder, 'backup', 'files') });
  await expect((await inIt).watch.chooseFolder(null)).rejects.toMatchObject({
    failure: { kind: 'watch-refused', reason: 'inside-backup' },
  });
});

test('a file of more than 4 GiB is left out, and the others are taken', async () => {
  const desk = await watching();
  await desk.put('huge.img', '');
  await truncate(join(desk.folder, 'huge.img'), 4 * 1024 ** 3 + 1);
  await desk.put('small.bin', 'small');
  await desk.settle();
  expect(desk.file('huge.img')).toMatchObject({
    state: 'left-out',
    failure: { kind: 'watch-file-too-large', name: 'huge.img' },
  });
  expect(desk.states()['small.bin']).toBe('drafted');
});

test('folders are entered up to a depth of eight', async () => {
  const desk = await watching();
  const folders = (count: number): string => Array.from({ length: count }, (_, index) => `f${index}`).join('/');
  await desk.put(`${folders(8)}/in.bin`, 'in');
  await desk.put(`${folders(9)}/out.bin`, 'out');
  await desk.settle();
  expect(Object.keys(desk.states())).toEqual([`${folders(8)}/in.bin`]);
});

test('a thousand files at once are taken, and the thread is free all the while', { timeout: 60_000 }, async () =>
  expectManyTaken(10),
);
test(
  'ten thousand files at once are taken, and the thread is free all the while',
  { timeout: 60_000, tags: ['long'] },
  async () => expectManyTaken(100),
);

/** A hundred files in each folder. */
async function expectManyTaken(folders: number): Promise<void> {
  const desk = await watching();
  for (let folder = 0; folder < folders; folder += 1) {
    mkdirSync(join(desk.folder, `${folder}`));
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(desk.folder, `${folder}`, `${file}.bin`), `${folder} ${file}`);
  }
  const longestTurn = await longestTurnDuring(() => desk.settle());
  expect(desk.watch.state().found).toBe(100 * folders);
  expect(desk.watch.state().files).toHaveLength(200);
  expect(desk.upload.uploads.files(team, 0, 1).total).toBe(100 * folders);
  expect(desk.scanned.map((files) => files.length)).toEqual(Array.from({ length: folders / 5 }, () => 500));
  expect(longestTurn).toBeLessThan(50);
}

test('the system tells what comes, in the folder and below it', async () => {
  const desk = await newWatchDesk({ watchOne: watchOneFolder });
  await mkdir(join(desk.folder, 'deep'));
  await desk.watch.chooseFolder(null);
  await desk.watch.turn(true, team);
  await desk.clock.asleep();
  await desk.put('deep/new.bin', 'new');
  await vi.waitFor(
    async () => {
      await desk.clock.pass(250);
      expect(desk.states()).toEqual({ 'deep/new.bin': 'waiting' });
    },
    { timeout: 10_000, interval: 20 },
  );
});
