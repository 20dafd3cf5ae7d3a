import { randomBytes } from 'node:crypto';
import { open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServices, digest, repositoryOf, type TestServices } from '../testing/services.fixture.ts';

const bytes = randomBytes(70_000);
const md5 = digest('md5', bytes);
const sha256 = digest('sha256', bytes);
const zip = { sha256, encryption: 'aes-256', password: 'infected' } as const;
let setup: TestServices;

beforeEach(async () => {
  setup = await createTestServices(repositoryOf(bytes));
  await setup.download(md5);
});
afterEach(() => setup.close());

const container = (): string => join(setup.folder, 'data', 'vault', sha256.slice(0, 2), sha256);
const exported = (): Promise<unknown> => setup.exports.toFolder(zip, setup.folder);

async function flipAByte(position: number): Promise<void> {
  const file = await open(container(), 'r+');
  const one = Buffer.alloc(1);
  await file.read(one, 0, 1, position);
  await file.write(Buffer.from([(one[0] ?? 0) ^ 1]), 0, 1, position);
  await file.close();
}

test.each([
  ['altered in its bytes', () => flipAByte(40_000), 'vault-damaged'],
  ['cut off', () => truncate(container(), 1_000), 'vault-damaged'],
  ['empty', () => truncate(container(), 0), 'vault-damaged'],
  ['gone', () => rm(container()), 'not-in-vault'],
])('a copy that is %s is no longer marked as stored, and downloading it again repairs it', async (_, damage, kind) => {
  await damage();
  await expect(exported()).rejects.toMatchObject({ failure: { kind } });
  expect(setup.stores.library.find(sha256)).toMatchObject({ inVault: false });
  expect((await setup.download(md5)).state).toBe('done');
  expect(setup.stores.library.find(sha256)).toMatchObject({ inVault: true });
  await expect(exported()).resolves.toMatchObject({ kind: 'folder' });
});

test('a browser download finds the damage too', async () => {
  await flipAByte(40_000);
  const { id } = await setup.exports
    .forBrowser(zip)
    .then((result) => (result.kind === 'browser' ? result : expect.fail('no browser download')));
  const zipped = setup.exports.take(id)?.open() ?? [];
  const readAll = async (): Promise<void> => {
    for await (const _ of zipped);
  };
  await expect(readAll()).rejects.toMatchObject({ failure: { kind: 'vault-damaged' } });
  expect(setup.stores.library.find(sha256)).toMatchObject({ inVault: false });
});

test('a copy found damaged on the way to a download does not block its download', async () => {
  await truncate(container(), 1_000);
  expect((await setup.download(md5)).state).toBe('done');
  await expect(exported()).resolves.toMatchObject({ kind: 'folder' });
});

test('any reader of a damaged copy marks it in the library, and downloading it again repairs it', async () => {
  await flipAByte(40_000);
  const readAll = async (): Promise<void> => {
    for await (const _ of setup.vault.read(sha256));
  };
  await expect(readAll()).rejects.toMatchObject({ failure: { kind: 'vault-damaged' } });
  expect(setup.stores.library.sample(sha256)?.row.vault).toBe('altered');
  expect((await setup.download(md5)).state).toBe('done');
  expect(setup.stores.library.sample(sha256)?.row.vault).toBe('held');
  await readAll();
});

test('a sample that was never stored is not reported as missing', async () => {
  const never = 'f'.repeat(64);
  await expect(setup.vault.openAt(never)).rejects.toMatchObject({ failure: { kind: 'not-in-vault' } });
  expect(setup.stores.library.find(never)).toBeNull();
});

test('a folder that refuses the file at the end is the journal’s last entry', async () => {
  await expect(setup.exports.toFolder(zip, join(setup.folder, 'nowhere'))).rejects.toMatchObject({
    failure: { kind: 'not-writable' },
  });
  expect(setup.journalOf(sha256).at(-1)).toBe('export not-writable');
});

test('a sample forgotten while its bytes arrive keeps them, and the caller reports them stored', async () => {
  await flipAByte(40_000);
  await expect(exported()).rejects.toMatchObject({ failure: { kind: 'vault-damaged' } });
  const removals: Promise<void>[] = [];
  const receive = setup.vault.receive.bind(setup.vault);
  setup.vault.receive = () => {
    const receiver = receive();
    return {
      write: (chunk) => receiver.write(chunk),
      finish: (expected) => receiver.finish(expected),
      seal: (expected) => receiver.seal(expected),
      keep: () => receiver.keep(),
      abort: () => receiver.abort(),
      async arrive(expected) {
        const arrived = await receiver.arrive(expected);
        for (const gone of setup.stores.library.forget([sha256], 'all')) removals.push(setup.vault.remove(gone));
        return arrived;
      },
    };
  };
  expect((await setup.download(md5)).state).toBe('done');
  expect(removals).toHaveLength(1);
  await Promise.all(removals);
  expect([setup.stores.library.find(sha256)?.inVault, await setup.vault.has(sha256)]).toEqual([true, true]);
});
