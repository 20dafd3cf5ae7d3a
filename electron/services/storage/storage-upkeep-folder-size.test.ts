import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { folderSize } from './storage-upkeep.ts';

test('files are counted at any depth, and only directly in the folder on request', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  await writeFile(join(folder, 'one'), 'x'.repeat(10));
  await writeFile(join(folder, 'a', 'b', 'two'), 'x'.repeat(500));
  expect(await folderSize(folder)).toEqual({ bytes: 510, files: 2 });
  expect(await folderSize(folder, false)).toEqual({ bytes: 10, files: 1 });
});

test('links are not followed, to files or folders, above it or in a circle', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  await writeFile(join(elsewhere, 'large'), 'x'.repeat(10_000));
  await symlink(elsewhere, join(folder, 'linked'));
  await symlink(join(elsewhere, 'large'), join(folder, 'file'));
  await symlink(folder, join(folder, 'circle'));
  await symlink('nowhere', join(folder, 'broken'));
  expect(await folderSize(folder)).toEqual({ bytes: 0, files: 0 });
  expect(await folderSize(join(folder, 'linked'))).toEqual({ bytes: 0, files: 0 });
});

test('a missing folder, and a file in its place, have size zero', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'file'), 'x');
  expect(await folderSize(join(folder, 'none'))).toEqual({ bytes: 0, files: 0 });
  expect(await folderSize(join(folder, 'file'))).toEqual({ bytes: 0, files: 0 });
});
