import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { placeFile, placeFolder } from './export-place.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-place-'));
  return () => rm(folder, { recursive: true, force: true });
});

async function unfinished(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, 'sample'), text);
  return path;
}

test('a folder gets a name that nothing has, not even a file, a link to nowhere, or another at the same time', async () => {
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'out (2)'), 'theirs');
  await symlink(join(folder, 'nowhere'), join(folder, 'out (3)'));
  const parts = await Promise.all(['a', 'b', 'c'].map((text) => unfinished(`.${text}.part`, text)));
  const placed = await Promise.all(parts.map((part) => placeFolder(part, folder, 'out')));
  expect(placed.map(({ fileName }) => fileName).toSorted()).toEqual(['out (4)', 'out (5)', 'out (6)']);
  for (const [at, { path }] of placed.entries()) expect(await readFile(join(path, 'sample'), 'utf8')).toBe(['a', 'b', 'c'][at]);
  expect(await readdir(join(folder, 'out'))).toEqual([]);
  expect(await readFile(join(folder, 'out (2)'), 'utf8')).toBe('theirs');
});

test('a folder or a file that is not there leaves no empty one in its name', async () => {
  await expect(placeFolder(join(folder, 'none'), folder, 'out')).rejects.toMatchObject({ failure: { kind: 'not-writable', code: 'ENOENT' } });
  await expect(placeFile(join(folder, 'none'), folder, 'out.zip')).rejects.toMatchObject({ failure: { kind: 'not-writable', code: 'ENOENT' } });
  expect(await readdir(folder)).toEqual([]);
});

test.each(['', '..', '../out', 'a/b', '.hidden'])('%j is no plain name', async (name) => {
  await expect(placeFolder(await unfinished('.part', ''), folder, name)).rejects.toThrow(TypeError);
});
