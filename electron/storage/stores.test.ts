import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStores } from './stores.ts';
import { makeTestFolder, recordWith, type TestFolder } from './testing/database.fixture.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

test('a token in memory is in no file, whatever is written around it', async () => {
  const token = 'a-recognisable-token-0123456789';
  const stores = await openStores(folder.path, null);
  stores.log.addSecret(token);
  await stores.tokens.set('lab.repository', token);
  stores.settings.change({ theme: 'dark' });
  stores.library.recordLookup({
    workspaceId: 'lab',
    md5: 'a'.repeat(32),
    record: recordWith({ name: 'x' }),
    outcome: 'found',
  });
  stores.log.defect('id', 'samples.lookup', new Error(`GET https://h/api.php?token=${token}`));
  stores.close();
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).toSorted()).toEqual(['lock.db', 'vitrine.db', 'vitrine.log']);
  expect(files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(token))).toEqual([]);
});

test('stores that fail to open completely release the directory', async () => {
  const stores = await openStores(folder.path, null);
  await expect(openStores(folder.path, null)).rejects.toMatchObject({ failure: { kind: 'data-in-use' } });
  stores.close();
  (await openStores(folder.path, null)).close();
});
