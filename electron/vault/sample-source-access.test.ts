import { hash, randomBytes } from 'node:crypto';
import { open, readdir, readlink, rename } from 'node:fs/promises';
import { platform } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { committed, failing, large, newVault, sha256Of, small, type TestVault } from './batch.fixture.ts';
import { collected } from './eicar.fixture.ts';
import type { StagedAccess } from './staging.ts';

async function opened({ vault }: TestVault, sha256: string): Promise<StagedAccess> {
  const access = await vault.openAt(sha256);
  onTestFinished(() => access.close());
  return access;
}

async function damagePacked({ vault }: TestVault, sha256: string): Promise<void> {
  const { packed } = vault.sourceOf(sha256);
  if (packed === null || packed.path === null) return expect.fail('not in a pack');
  const handle = await open(packed.path, 'r+');
  await handle.write(randomBytes(100), 0, 100, packed.at + 100);
  await handle.close();
}

test.each([
  ['in a pack', small],
  ['in a file', large],
])('a sample %s is read at any place', async (_, make) => {
  const setup = await newVault();
  const bytes = make();
  await committed(setup.vault, [bytes]);
  const access = await opened(setup, sha256Of(bytes));
  expect(access.sizeBytes).toBe(bytes.length);
  for (const at of [0, 1, 15, 16, 1000, bytes.length - 1])
    expect(hash('md5', await access.read(at, 500))).toBe(hash('md5', bytes.subarray(at, at + 500)));
  expect((await access.read(bytes.length + 1, 500)).length).toBe(0);
});

test('a damaged record is reported, unless the sample has a file too', async () => {
  const setup = await newVault();
  const bytes = small();
  await committed(setup.vault, [bytes]);
  await damagePacked(setup, sha256Of(bytes));
  await expect(setup.vault.openAt(sha256Of(bytes))).rejects.toMatchObject(
    failing('vault-damaged', { sha256: sha256Of(bytes) }),
  );
  const receiver = setup.vault.receive();
  await receiver.write(bytes);
  await receiver.finish({ md5: null, sha256: null });
  expect((await (await opened(setup, sha256Of(bytes))).read(0, 9999)).length).toBe(bytes.length);
});

test('a sample is damaged under another sample’s file, and missing without a file', async () => {
  const setup = await newVault();
  const [one, other] = [large(), large()];
  await committed(setup.vault, [one, other]);
  await rename(setup.vault.sourceOf(sha256Of(one)).path, setup.vault.sourceOf(sha256Of(other)).path);
  await expect(setup.vault.openAt(sha256Of(other))).rejects.toMatchObject(failing('vault-damaged'));
  await expect(setup.vault.openAt(sha256Of(one))).rejects.toMatchObject(failing('not-in-vault'));
  await expect(collected(setup.vault.read(sha256Of(one)))).rejects.toMatchObject(failing('not-in-vault'));
});

test.runIf(platform === 'linux')('a closed or refused sample has no file open', async () => {
  const setup = await newVault();
  const bytes = large();
  await committed(setup.vault, [bytes]);
  const openFiles = async (): Promise<number> =>
    (
      await Promise.all(
        (await readdir('/proc/self/fd')).map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')),
      )
    ).filter((target) => target.endsWith(sha256Of(bytes))).length;
  const access = await setup.vault.openAt(sha256Of(bytes));
  expect(await openFiles()).toBe(1);
  await access.close();
  expect(await openFiles()).toBe(0);
});
