import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeChildFolder } from './files.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

test('a child folder is created once', async () => {
  const folder = temporaryFolder();
  expect(await makeChildFolder(join(folder, 'ab'))).toBe(true);
  expect(await makeChildFolder(join(folder, 'ab'))).toBe(false);
});

test('a child folder is not created in a missing folder', async () => {
  const folder = temporaryFolder();
  await expect(makeChildFolder(join(folder, 'gone', 'ab'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(existsSync(join(folder, 'gone'))).toBe(false);
});
