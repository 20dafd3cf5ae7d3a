import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeChildFolder } from './files.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-child-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a child folder is created once', async () => {
  const folder = newFolder();
  expect(await makeChildFolder(join(folder, 'ab'))).toBe(true);
  expect(await makeChildFolder(join(folder, 'ab'))).toBe(false);
});

test('a child folder is not created in a missing folder', async () => {
  const folder = newFolder();
  await expect(makeChildFolder(join(folder, 'gone', 'ab'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(existsSync(join(folder, 'gone'))).toBe(false);
});
