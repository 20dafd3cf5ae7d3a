import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotedFiles } from './export-file.ts';

const left = '0'.repeat(32);
const leftName = `.vitrine-${left}.part`;
let base: string;
let folder: string;
let noted: Map<string, string>;
let files: NotedFiles;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'vitrine-noted-'));
  folder = join(base, 'folder');
  await mkdir(folder);
  noted = new Map();
  files = new NotedFiles({
    all: () => Array.from(noted, ([id, at]) => ({ id, folder: at })),
    put: (id, at) => void noted.set(id, at),
    drop: (id) => void noted.delete(id),
  });
});
afterEach(() => rm(base, { recursive: true }));

test('an export file is recorded before it exists and until it has its final name', async () => {
  async function* bytes(): AsyncGenerator<Uint8Array, void, void> {
    yield Buffer.from('half');
    expect([...noted.values()]).toEqual([folder]);
    expect(await readdir(folder)).toEqual(Array.from(noted.keys(), (id) => `.vitrine-${id}.part`));
  }
  expect(await files.write(folder, 'a.csv', bytes())).toMatchObject({ fileName: 'a.csv', sizeBytes: 4 });
  expect([await readdir(folder), noted.size]).toEqual([['a.csv'], 0]);
});

test('a failed export leaves neither a file nor a record', async () => {
  await expect(
    files.underWay(folder, async (unfinished) => {
      await writeFile(join(folder, unfinished), 'half');
      throw new Error('the vault went away');
    }),
  ).rejects.toThrow('the vault went away');
  expect([await readdir(folder), noted.size]).toEqual([[], 0]);
});

test('a start removes the leftovers of a crash and no file of another installation or the user', async () => {
  noted.set(left, folder);
  const theirs = ['.vitrine-' + '1'.repeat(32) + '.part', 'a.csv'];
  for (const name of [leftName, ...theirs]) await writeFile(join(folder, name), 'half');
  await files.removeLeft();
  expect([await readdir(folder), noted.size]).toEqual([theirs, 0]);
});

test('a link or a folder in place of a leftover file is kept', async () => {
  const [elsewhere, linked] = [join(base, 'elsewhere'), '1'.repeat(32)];
  await writeFile(elsewhere, 'theirs');
  await mkdir(join(folder, leftName));
  await symlink(elsewhere, join(folder, `.vitrine-${linked}.part`));
  noted = new Map([left, linked].map((id) => [id, folder]));
  await files.removeLeft();
  expect([await readdir(folder), await readFile(elsewhere, 'utf8'), noted.size]).toEqual([
    [leftName, `.vitrine-${linked}.part`],
    'theirs',
    0,
  ]);
});

test('a leftover on a missing disk is removed at a later start when the disk is back', async () => {
  await writeFile(join(folder, leftName), 'half');
  await rename(folder, join(base, 'unplugged'));
  noted.set(left, folder);
  await files.removeLeft();
  expect(noted.size).toBe(1);
  await rename(join(base, 'unplugged'), folder);
  await files.removeLeft();
  expect([await readdir(folder), noted.size]).toEqual([[], 0]);
});

test('an export is written even if its record cannot be deleted, and the next leftover is still removed', async () => {
  const stubborn = new NotedFiles({
    all: () => [left, '1'.repeat(32)].map((id) => ({ id, folder })),
    put: () => {},
    drop: () => {
      throw new Error('the disk is full');
    },
  });
  async function* bytes(): AsyncGenerator<Uint8Array, void, void> {
    yield Buffer.from('whole');
  }
  expect(await stubborn.write(folder, 'a.csv', bytes())).toMatchObject({ sizeBytes: 5 });
  await writeFile(join(folder, `.vitrine-${'1'.repeat(32)}.part`), 'half');
  await stubborn.removeLeft();
  expect(await readdir(folder)).toEqual(['a.csv']);
});
