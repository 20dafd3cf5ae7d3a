import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digest, openServiceDesk, repositoryOf, type ServiceDesk } from '../services.fixture.ts';

const bytes = randomBytes(600_000);
const sha256 = digest('sha256', bytes);
const zip = { sha256, encryption: 'aes-256', password: 'infected' } as const;
let desk: ServiceDesk;
beforeEach(async () => {
  desk = await openServiceDesk(repositoryOf(bytes));
  await desk.download(digest('md5', bytes));
});
afterEach(() => desk.close());

test('an export that the end of the program cuts off leaves nothing in the folder, and is journalled', async () => {
  const folder = join(desk.folder, 'exports');
  await mkdir(folder);
  const outcome = Promise.allSettled([desk.exports.toFolder(zip, folder)]);
  expect(desk.exports.running).toBe(1);
  await desk.exports.close();
  expect(await readdir(folder)).toEqual([]);
  expect(desk.journalOf(sha256).at(-1)).toBe('export cancelled');
  expect(desk.exports.running).toBe(0);
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: { failure: { kind: 'cancelled' } } }]);
});
