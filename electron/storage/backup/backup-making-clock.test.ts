import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTestFolder, openTestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { readBackupFile, takeBackupFolder } from './backup-folder.ts';
import { makeBackup } from './backup-making.ts';
import { restoreBackup } from './backup-restore.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => {
  vi.useRealTimers();
  folder.remove();
});

test.each([
  ['+010000-01-01T00:00:00.000Z', '9999-12-30T23:59:59.999Z'],
  ['-000001-06-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
])('a backup made while the clock shows %s is dated %s and can be restored', async (said, made) => {
  const data = join(folder.path, 'Vitrine');
  const backup = join(folder.path, 'backup');
  const target = join(folder.path, 'restored');
  const database = openTestDatabase(data);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(said) });
  const to = await takeBackupFolder(backup, { data, installation: 'desk' });
  await makeBackup(
    { from: data, to, installation: 'desk', version: '1.0.0' },
    { planned: () => {}, read: () => {}, file: () => {}, lost: () => {}, whole: () => {} },
  );
  database.db.close();
  expect((await readBackupFile(backup))?.whole?.made).toBe(made);
  expect(await restoreBackup({ backup, target, onBegin: () => {} })).toMatchObject({ directory: target });
});
