import { copyFile, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { committed, large, newVault, sha256Of, small } from '../../vault/batch.fixture.ts';
import { eicar } from '../../vault/eicar.fixture.ts';
import { openedStaging, stagedBothWays } from '../../vault/staging/staging.fixture.ts';
import { sampleReader, type ScanSource } from './read-scan-source.ts';

const reasonOf = async (source: ScanSource, sizeBytes: number): Promise<string | null> =>
  sampleReader.read(source, sizeBytes).then(
    () => 'read',
    (error: unknown) => sampleReader.reasonOf(error),
  );

test('samples of the vault are read completely, in a pack or in a file of their own', async () => {
  const { vault } = await newVault();
  for (const bytes of [small(), large(), eicar, Buffer.alloc(0)]) {
    await committed(vault, [bytes]);
    const read = await sampleReader.read({ kind: 'vault', source: vault.sourceOf(sha256Of(bytes)) }, bytes.length);
    expect(Buffer.compare(read, bytes)).toBe(0);
  }
});

test('each sample has its own length, whatever was read before it', async () => {
  const { vault } = await newVault();
  const samples = [3, 1, 17, 2].map((mebibytes) => Buffer.alloc(mebibytes * 1024 * 1024 + 5, mebibytes));
  await committed(vault, samples);
  for (const bytes of samples) {
    const read = await sampleReader.read({ kind: 'vault', source: vault.sourceOf(sha256Of(bytes)) }, bytes.length);
    expect(Buffer.compare(read, bytes)).toBe(0);
  }
});

test('a damaged sample is withheld, and a missing one is reported', async () => {
  const { vault } = await newVault();
  const bytes = large();
  await committed(vault, [bytes]);
  const source = vault.sourceOf(sha256Of(bytes));
  const container = await readFile(source.path);
  container[200_000] = (container[200_000] ?? 0) ^ 1;
  await writeFile(source.path, container);
  expect(await reasonOf({ kind: 'vault', source }, bytes.length)).toBe('damaged');
  await rm(source.path);
  expect(await reasonOf({ kind: 'vault', source }, bytes.length)).toBe('ENOENT');
});

test('files from a person are read completely, copied or not, and a changed one is reported', async () => {
  const opened = await openedStaging();
  const bytes = large();
  const { inPlace, container, path } = await stagedBothWays(opened, 'a.bin', bytes);
  for (const id of [inPlace, container]) {
    const source = opened.staging.sourceOf(id);
    expect(
      source !== null && Buffer.compare(await sampleReader.read({ kind: 'staged', source }, bytes.length), bytes),
    ).toBe(0);
  }
  const source = opened.staging.sourceOf(inPlace);
  await utimes(path, 1, 1);
  expect(source && (await reasonOf({ kind: 'staged', source }, bytes.length))).toBe('changed');
});

test('a file longer than announced is not accepted as complete', async () => {
  const { vault } = await newVault();
  const bytes = large();
  await committed(vault, [bytes]);
  const source = vault.sourceOf(sha256Of(bytes));
  const copy = join(temporaryFolder(), 'copy');
  await copyFile(source.path, copy);
  expect(await reasonOf({ kind: 'vault', source: { ...source, path: copy } }, 1000)).toBe('changed');
});

test('a defect gives no reason', () => {
  expect(sampleReader.reasonOf(new TypeError('x'))).toBeNull();
});
