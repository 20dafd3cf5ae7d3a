import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { team } from '../uploads/uploads.fixture.ts';
import { longestTurnDuring, mostStatementsATurn } from './longest-turn.fixture.ts';
import { watchOneFolder } from './watch-ports.ts';
import { createTestWatch, watching } from './watch.fixture.ts';

const isPosix = platform !== 'win32';

test.skipIf(!isPosix)('links are not followed, and a pipe is no file', async () => {
  const setup = await watching();
  await setup.put('../outside/secret.bin', 'secret');
  await symlink(join(setup.folder, '..', 'outside'), join(setup.folder, 'folder-link'));
  await symlink(join(setup.folder, '..', 'outside', 'secret.bin'), join(setup.folder, 'file-link'));
  await promisify(execFile)('mkfifo', [join(setup.folder, 'pipe')]);
  for (const name of ['folder-link', 'file-link', 'pipe']) setup.news.get(setup.folder)?.(name);
  await setup.settle();
  expect(setup.watch.state().files).toEqual([]);
});

test.skipIf(!isPosix || getuid?.() === 0)(
  'an unreadable file is reported, and taken as soon as it is readable',
  async () => {
    const setup = await watching();
    await setup.put('shut.bin', 'shut');
    await chmod(join(setup.folder, 'shut.bin'), 0);
    await mkdir(join(setup.folder, 'shut'));
    await chmod(join(setup.folder, 'shut'), 0);
    await setup.settle();
    await setup.settle();
    expect(setup.file('shut.bin')).toMatchObject({
      state: 'waiting',
      failure: { kind: 'file-unreadable', code: 'EACCES' },
    });
    expect(setup.file('shut')).toMatchObject({ state: 'left-out', failure: { kind: 'file-unreadable', name: 'shut' } });
    expect(setup.watch.state().found).toBe(2);
    await chmod(join(setup.folder, 'shut.bin'), 0o600);
    setup.news.get(setup.folder)?.('shut.bin');
    await setup.clock.pass(250);
    await setup.clock.pass(2_000);
    expect(setup.file('shut.bin')).toMatchObject({ state: 'drafted' });
  },
);

test('an unreadable folder is no longer listed when it is gone, even after a restart', async () => {
  const setup = await watching();
  const at = (path: string): string => join(setup.folder, path);
  setup.upload.stores.watch.noteShut(
    'shut',
    { kind: 'file-unreadable', name: 'shut', code: 'EACCES' },
    '2030-01-01T00:00:00.000Z',
  );
  await setup.put('empty.bin', '');
  await utimes(at('empty.bin'), 0, 0);
  await setup.settle();
  expect(setup.states()).toEqual({ shut: 'left-out', 'empty.bin': 'left-out' });
  const again = await setup.reopen();
  await again.settle();
  expect(again.states()).toEqual({ 'empty.bin': 'left-out' });
});

test('a file unreadable once is retried without a change event', async () => {
  const setup = await watching();
  await setup.put('busy.bin', 'busy');
  const stage = vi
    .spyOn(setup.upload.staging, 'stagePath')
    .mockImplementation(async () => fail({ kind: 'file-unreadable', name: 'busy.bin', code: 'EBUSY' }));
  await setup.settle();
  expect(setup.file('busy.bin')).toMatchObject({
    state: 'waiting',
    failure: { kind: 'file-unreadable', code: 'EBUSY' },
  });
  expect(setup.watch.state().failure).toBeNull();
  stage.mockRestore();
  await setup.later();
  expect(setup.file('busy.bin')).toMatchObject({ state: 'drafted', failure: { kind: 'no-active-rules' } });
});

test('a small file does not wait for one that takes long to read, whichever came first', async () => {
  const setup = await watching();
  await setup.put('long.img', '');
  await truncate(join(setup.folder, 'long.img'), 3 * 1024 ** 3);
  await setup.settle();
  await setup.put('small.bin', 'small');
  await setup.settle();
  expect(setup.states()).toEqual({ 'long.img': 'hashing', 'small.bin': 'drafted' });
});

test.skipIf(platform !== 'linux')(
  'names that are no UTF-8 are left out singly, with their bytes; a replacement character is valid',
  async () => {
    const setup = await watching();
    const inFolder = (...name: number[]): Buffer => Buffer.concat([Buffer.from(`${setup.folder}/`), Buffer.from(name)]);
    await writeFile(inFolder(0x63, 0xe9, 0x2e, 0x62), 'one');
    await writeFile(inFolder(0x63, 0xea, 0x2e, 0x62), 'other');
    await mkdir(inFolder(0xff));
    await setup.put('c\u{fffd}.b', 'readable');
    await setup.settle();
    await setup.settle();
    expect(setup.states()).toEqual({
      'c\\xe9.b': 'left-out',
      'c\\xea.b': 'left-out',
      '\\xff': 'left-out',
      'c\u{fffd}.b': 'drafted',
    });
    expect(setup.file('c\\xe9.b').failure).toEqual({ kind: 'file-unreadable', name: 'c\\xe9.b', code: 'EILSEQ' });
    // The real name of another is what those bytes are shown as.
    await setup.put('c\\xea.b', 'readable');
    await setup.settle();
    await rename(inFolder(0x63, 0xea, 0x2e, 0x62), join(setup.folder, 'elsewhere.b'));
    await rename(inFolder(0x63, 0xe9, 0x2e, 0x62), join(setup.folder, 'cé.b'));
    await setup.settle();
    await setup.settle();
    expect(setup.states()).toEqual({
      'cé.b': 'drafted',
      'elsewhere.b': 'drafted',
      'c\\xea.b': 'known',
      '\\xff': 'left-out',
      'c\u{fffd}.b': 'drafted',
    });
  },
);

test.skipIf(platform !== 'linux')(
  'a backslash in a name that is no UTF-8 differs from one that represents bytes',
  async () => {
    const setup = await watching();
    await writeFile(Buffer.concat([Buffer.from(`${setup.folder}/`), Buffer.from('\\xff\xfe', 'latin1')]), 'one');
    await writeFile(Buffer.concat([Buffer.from(`${setup.folder}/`), Buffer.from('\xff\xfe', 'latin1')]), 'other');
    await setup.settle();
    expect(setup.states()).toEqual({ '\\\\xff\\xfe': 'left-out', '\\xff\\xfe': 'left-out' });
  },
);

test('a backup in the folder is left out completely, also in events, and reported; none is watched', async () => {
  const setup = await watching({}, { 'backup/backup.json': '{"format":1,"desk":"0"}', 'backup/files/ab/one': 'one' });
  await setup.put('backup/files/ab/two', 'two');
  setup.news.get(setup.folder)?.('backup/files/ab/two');
  await setup.put('mine/backup.json', '{}');
  await setup.put('mine/sample', 'sample');
  await setup.settle();
  await setup.settle();
  expect(Object.keys(setup.states()).toSorted()).toEqual(['backup', 'mine/backup.json', 'mine/sample']);
  expect(setup.file('backup')).toMatchObject({
    state: 'left-out',
    failure: { kind: 'watch-refused', path: 'backup', reason: 'inside-backup' },
  });
  const inIt = createTestWatch({ chooseFolder: async () => join(setup.folder, 'backup', 'files') });
  await expect((await inIt).watch.chooseFolder(null)).rejects.toMatchObject({
    failure: { kind: 'watch-refused', reason: 'inside-backup' },
  });
});

test('a file of more than 4 GiB is left out, and the others are taken', async () => {
  const setup = await watching();
  await setup.put('huge.img', '');
  await truncate(join(setup.folder, 'huge.img'), 4 * 1024 ** 3 + 1);
  await setup.put('small.bin', 'small');
  await setup.settle();
  expect(setup.file('huge.img')).toMatchObject({
    state: 'left-out',
    failure: { kind: 'watch-file-too-large', name: 'huge.img' },
  });
  expect(setup.states()['small.bin']).toBe('drafted');
});

test('folders are entered up to a depth of eight', async () => {
  const setup = await watching();
  const folders = (count: number): string => Array.from({ length: count }, (_, index) => `f${index}`).join('/');
  await setup.put(`${folders(8)}/in.bin`, 'in');
  await setup.put(`${folders(9)}/out.bin`, 'out');
  await setup.settle();
  expect(Object.keys(setup.states())).toEqual([`${folders(8)}/in.bin`]);
});

test('the watch takes a thousand files at once with few statements in each turn of the thread', async () => {
  await expectManyTaken(10);
});
test(
  'the watch takes ten thousand files at once without blocking the thread',
  { timeout: 60_000, tags: ['long'] },
  async () => expect(await expectManyTaken(100)).toBeLessThan(250),
);

/** A hundred files in each folder. @returns the longest turn of the thread, in milliseconds */
async function expectManyTaken(folders: number): Promise<number> {
  const setup = await watching();
  for (let folder = 0; folder < folders; folder += 1) {
    mkdirSync(join(setup.folder, `${folder}`));
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(setup.folder, `${folder}`, `${file}.bin`), `${folder} ${file}`);
  }
  let longestTurn = 0;
  const statements = await mostStatementsATurn(async () => {
    longestTurn = await longestTurnDuring(() => setup.settle());
  });
  expect(setup.watch.state().found).toBe(100 * folders);
  expect(setup.watch.state().files).toHaveLength(200);
  expect(setup.upload.uploads.files(team, 0, 1).total).toBe(100 * folders);
  expect(setup.scanned.map((files) => files.length)).toEqual(Array.from({ length: folders / 5 }, () => 500));
  // One batch of 500 files written in one turn needs 5,000.
  expect(statements).toBeLessThan(1000);
  return longestTurn;
}

test('the watch receives file system events for the folder and its subfolders', async () => {
  const setup = await createTestWatch({ watchOne: watchOneFolder });
  await mkdir(join(setup.folder, 'deep'));
  await setup.watch.chooseFolder(null);
  await setup.watch.turn(true, team);
  await setup.clock.asleep();
  await setup.put('deep/new.bin', 'new');
  await vi.waitFor(
    async () => {
      await setup.clock.pass(250);
      expect(setup.states()).toEqual({ 'deep/new.bin': 'waiting' });
    },
    { timeout: 10_000, interval: 20 },
  );
});
