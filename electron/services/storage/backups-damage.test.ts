import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { restoreBackup } from '../../storage/backup/backup-restore.ts';
import { createTestStorage, type TestStorage } from './storage.fixture.ts';

let setup: TestStorage;
let folder: string;
let backup: string;
beforeEach(async () => {
  setup = await createTestStorage();
  folder = await mkdtemp(join(tmpdir(), 'vitrine-backup-damage-'));
  backup = join(folder, 'backup');
});
afterEach(async () => {
  await setup.close();
  await rm(folder, { recursive: true, force: true });
});

const small = (): Buffer => randomBytes(3000);
const large = (): Buffer => randomBytes(200_000);
const one = async (bytes: Buffer): Promise<string> => (await setup.keep([bytes]))[0] ?? '';
const fileOf = (sha256: string): string => {
  const { packed, path } = setup.vault.sourceOf(sha256);
  return packed?.path ?? path;
};

async function made(): Promise<Job> {
  const { job } = await setup.backups.start(backup);
  return setup.over(job?.id ?? 0);
}

/** The reports about samples in a backup that came to its end, in order. */
async function reported(): Promise<string[]> {
  const { state, failure, notices, noticeCount, counts } = await made();
  expect([state, failure, notices.length]).toEqual(['done', null, noticeCount]);
  const lines = notices.map((notice) => ('sha256' in notice ? `${notice.kind} ${notice.sha256}` : notice.kind));
  expect(lines.filter((line) => line.startsWith('backup-missed'))).toHaveLength(counts.failed);
  return lines.toSorted();
}
const kept = (...sha256s: string[]): string[] => sha256s.map((sha256) => `backup-kept ${sha256}`).toSorted();
const missed = (...sha256s: string[]): string[] => sha256s.map((sha256) => `backup-missed ${sha256}`).toSorted();

/** Opens what was restored. @returns how a check of its whole vault ends */
async function checkedRestore(): Promise<Partial<Job['counts']>> {
  const directory = join(folder, 'restored');
  await rm(directory, { recursive: true, force: true });
  await restoreBackup({ backup, target: directory, onBegin: () => {} });
  const restored = await createTestStorage(directory);
  const {
    counts: { done, mismatch, vanished },
  } = await restored.over((await restored.storage.startCheck()).id);
  await restored.close();
  return { done, mismatch, vanished };
}

async function overwrite(sha256: string): Promise<void> {
  const file = await open(fileOf(sha256), 'r+');
  await file.write(Buffer.from('four'), 0, 4, (setup.vault.sourceOf(sha256).packed?.at ?? 0) + 90);
  await file.close();
}

const harms: [string, (sha256: string) => Promise<void>][] = [
  ['emptied', (sha256) => truncate(fileOf(sha256))],
  ['cut off', (sha256) => truncate(fileOf(sha256), 1000)],
  ['overwritten in four bytes', overwrite],
  ['removed', (sha256) => rm(fileOf(sha256))],
];

const harmsOfAll = harms.filter(([how]) => how === 'emptied' || how === 'removed');

/** Samples in files of their own, one harmed in each way, and a sound one that is not among them. */
async function harmedSamples(before: () => Promise<void>): Promise<string[]> {
  const [, ...lost] = await setup.keep(Array.from({ length: harms.length + 1 }, large));
  await before();
  for (const [index, sha256] of lost.entries()) await harms[index]?.[1](sha256);
  return lost;
}

test('a sample whose file was emptied, cut, overwritten or removed stays in the backup and is reported', async () => {
  const lost = await harmedSamples(async () => expect(await reported()).toEqual([]));
  expect(await reported()).toEqual(kept(...lost));
  await setup.over((await setup.storage.startCheck()).id);
  expect(await reported()).toEqual(kept(...lost));
  expect(await checkedRestore()).toEqual({ done: 5, mismatch: 0, vanished: 0 });
});

test(
  'a sample whose file was damaged before the first backup is named as missing by each one',
  { tags: ['long'] },
  async () => {
    const lost = await harmedSamples(async () => {});
    for (let times = 0; times < 2; times++) expect(await reported()).toEqual(missed(...lost));
    expect(await checkedRestore()).toEqual({ done: 1, mismatch: 0, vanished: 4 });
  },
);

for (const { tags, cases } of longAfter(1, harmsOfAll))
  test.each(cases)('a backup keeps each sample of a pack that was %s, each time', { tags }, async (_how, harm) => {
    const packed = await setup.keep([small(), small(), small()]);
    expect(await reported()).toEqual([]);
    await harm(packed[0] ?? '');
    for (let times = 0; times < 2; times++) expect(await reported()).toEqual(kept(...packed));
    expect(await checkedRestore()).toEqual({ done: 3, mismatch: 0, vanished: 0 });
  });

for (const { tags, cases } of longAfter(1, harmsOfAll))
  test.each(cases)(
    'each sample of a pack that was %s before the first backup is named',
    { tags },
    async (_how, harm) => {
      const packed = await setup.keep([small(), small(), small()]);
      await one(large());
      await harm(packed[0] ?? '');
      for (let times = 0; times < 2; times++) expect(await reported()).toEqual(missed(...packed));
      expect(await checkedRestore()).toMatchObject({ done: 1 });
    },
  );

test(
  'a pack that grew while a sample was damaged is backed up with its new and its old samples',
  { tags: ['long'] },
  async () => {
    const [first = '', second = ''] = await setup.keep([small(), small()]);
    expect(await reported()).toEqual([]);
    await overwrite(first);
    const third = await one(small());
    expect(fileOf(third)).toBe(fileOf(second));
    for (let times = 0; times < 2; times++) expect(await reported()).toEqual(kept(first));
    expect(await checkedRestore()).toEqual({ done: 3, mismatch: 0, vanished: 0 });
  },
);

test(
  'a pack with a sample damaged before the first backup is backed up with all others',
  { tags: ['long'] },
  async () => {
    const [first = ''] = await setup.keep([small(), small()]);
    await overwrite(first);
    for (let times = 0; times < 2; times++) expect(await reported()).toEqual(missed(first));
    expect(await checkedRestore()).toMatchObject({ done: 1 });
  },
);

test('a pack that grew is copied without a report', async () => {
  await setup.keep([small(), small()]);
  expect(await reported()).toEqual([]);
  await setup.keep([small(), small()]);
  expect(await reported()).toEqual([]);
  expect(await checkedRestore()).toEqual({ done: 4, mismatch: 0, vanished: 0 });
});

async function cleanUpAfterForgetting(sha256: string): Promise<void> {
  await setup.library.forget({ selection: { kind: 'named', hashes: [sha256] }, what: 'bytes', expected: null });
  await setup.storage.cleanUp();
}

test('a pack rewritten by a clean-up is backed up, and forgotten samples are removed', async () => {
  const [first = '', second = ''] = await setup.keep([small(), small()]);
  expect(await reported()).toEqual([]);
  const before = fileOf(second);
  await cleanUpAfterForgetting(first);
  expect(fileOf(second)).not.toBe(before);
  expect(await reported()).toEqual([]);
  expect(await checkedRestore()).toEqual({ done: 1, mismatch: 0, vanished: 0 });
  expect(await readdir(join(folder, 'restored', 'vault', 'packs'))).toHaveLength(1);
});

test('a damaged sample that a clean-up moved is intact in the backup, without the forgotten one', async () => {
  const [first = '', second = '', third = ''] = await setup.keep([small(), small(), small()]);
  expect(await reported()).toEqual([]);
  const { packed } = setup.vault.sourceOf(first);
  const forgotten = (await readFile(fileOf(first))).subarray(packed?.at, (packed?.at ?? 0) + (packed?.length ?? 0));
  await overwrite(second);
  await cleanUpAfterForgetting(first);
  for (let times = 0; times < 2; times++) expect(await reported()).toEqual(kept(second));
  expect(await checkedRestore()).toEqual({ done: 2, mismatch: 0, vanished: 0 });
  const pack = fileOf(third).slice(setup.data.length);
  expect((await readFile(join(folder, 'restored', pack))).includes(forgotten)).toBe(false);
});

test('a damaged record whose sample has a file of its own is no loss', async () => {
  const [first = ''] = await setup.keep([small(), small()]);
  const { packed, path } = setup.vault.sourceOf(first);
  const container = (await readFile(fileOf(first))).subarray(packed?.at, (packed?.at ?? 0) + (packed?.length ?? 0));
  await one(large());
  await overwrite(first);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, container);
  expect(await reported()).toEqual([]);
  expect(await checkedRestore()).toEqual({ done: 3, mismatch: 0, vanished: 0 });
});
