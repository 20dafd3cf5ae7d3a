import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderSize } from './storage-upkeep.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-sizes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('files are counted at any depth, and only directly in the folder on request', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  await writeFile(join(folder, 'one'), 'x'.repeat(10));
  await writeFile(join(folder, 'a', 'b', 'two'), 'x'.repeat(500));
  expect(await folderSize(folder)).toEqual({ bytes: 510, files: 2 });
  expect(await folderSize(folder, false)).toEqual({ bytes: 10, files: 1 });
});

test('links are not followed, to files or folders, above it or in a circle', async () => {
  const [folder, elsewhere] = [await newFolder(), await newFolder()];
  await writeFile(join(elsewhere, 'large'), 'x'.repeat(10_000));
  await symlink(elsewhere, join(folder, 'linked'));
  await symlink(join(elsewhere, 'large'), join(folder, 'file'));
  await symlink(folder, join(folder, 'circle'));
  await symlink('nowhere', join(folder, 'broken'));
  expect(await folderSize(folder)).toEqual({ bytes: 0, files: 0 });
  expect(await folderSize(join(folder, 'linked'))).toEqual({ bytes: 0, files: 0 });
});

test('a missing folder, and a file in its place, have size zero', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'file'), 'x');
  expect(await folderSize(join(folder, 'none'))).toEqual({ bytes: 0, files: 0 });
  expect(await folderSize(join(folder, 'file'))).toEqual({ bytes: 0, files: 0 });
});
