import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServices, digest, repositoryOf, type TestServices } from '../testing/services.fixture.ts';

const bytes = randomBytes(600_000);
const sha256 = digest('sha256', bytes);
const zip = { sha256, encryption: 'aes-256', password: 'infected' } as const;
let setup: TestServices;
beforeEach(async () => {
  setup = await createTestServices(repositoryOf(bytes));
  await setup.download(digest('md5', bytes));
});
afterEach(() => setup.close());

test('an export cut off by the program’s end leaves nothing in the folder, and is in the journal', async () => {
  const folder = join(setup.folder, 'exports');
  await mkdir(folder);
  const outcome = Promise.allSettled([setup.exports.toFolder(zip, folder)]);
  expect(setup.exports.running).toBe(1);
  await setup.exports.close();
  expect(await readdir(folder)).toEqual([]);
  expect(setup.journalOf(sha256).at(-1)).toBe('export cancelled');
  expect(setup.exports.running).toBe(0);
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: { failure: { kind: 'cancelled' } } }]);
});
