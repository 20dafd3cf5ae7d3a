import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import { restoreBackup } from '../../storage/backup/backup-restore.ts';
import { createTestStorage, type TestStorage } from './storage.fixture.ts';

let setup: TestStorage;
let folder: string;
let backup: string;
beforeEach(async () => {
  setup = await createTestStorage();
  folder = await mkdtemp(join(tmpdir(), 'vitrine-backups-'));
  backup = join(folder, 'backup');
  setup.backupFolder.path = backup;
});
afterEach(async () => {
  await setup.close();
  await rm(folder, { recursive: true, force: true });
});

const small = (): Buffer => randomBytes(3000);
const large = (): Buffer => randomBytes(200_000);
const journal = () => setup.stores.journal;

async function begun(): Promise<Job> {
  const { job } = await setup.backups.start(null);
  if (job === null) throw new Error('no folder was chosen');
  return job;
}
const made = async (): Promise<Job> => setup.over((await begun()).id);

/** Opens what was restored. @returns what a check of the whole vault finds there */
async function restoredStorage(): Promise<{ restored: TestStorage; check: Job }> {
  const directory = join(folder, 'restored');
  await restoreBackup({ backup, target: directory, onBegin: () => {} });
  const restored = await createTestStorage(directory);
  return { restored, check: await restored.over((await restored.storage.startCheck()).id) };
}

test('a backup is a job that counts files and bytes, is remembered as the last, and is in the journal', async () => {
  const sha256s = await setup.keep([large(), large(), small(), small()]);
  const job = await made();
  expect(job).toMatchObject({ state: 'done', task: { kind: 'backup', folder: backup }, failure: null });
  expect(job.counts).toMatchObject({ done: job.items, waiting: 0 });
  expect(setup.backups.last()).toMatchObject({ path: backup, files: job.items });
  const again = await made();
  expect(again.counts['already-here']).toBe(job.items - 1);
  expect(journal().verify()).toMatchObject({ broken: null });
  const { restored, check } = await restoredStorage();
  expect(check).toMatchObject({ state: 'done', items: sha256s.length, counts: { done: sha256s.length } });
  expect(restored.stores.journal.verify().broken).toBeNull();
  expect(restored.backups.last()?.path).toBe(backup);
  expect(restored.jobs.list().filter(({ state }) => state === 'running' || state === 'waiting')).toEqual([]);
  await restored.close();
});

test(
  'a backup loses no sample of the copied database while samples arrive',
  { tags: ['long'], timeout: 30_000 },
  async () => {
    await setup.keep(Array.from({ length: 15 }, large));
    const { id } = await begun();
    let came = 0;
    while (setup.jobs.running > 0 || came < 3) {
      await setup.keep([large(), ...Array.from({ length: 8 }, small)]);
      came += 1;
    }
    expect(await setup.over(id)).toMatchObject({ state: 'done', failure: null });
    const { restored, check } = await restoredStorage();
    expect(check.items).toBeGreaterThanOrEqual(15);
    expect(check.counts).toMatchObject({ done: check.items, vanished: 0, mismatch: 0 });
    await restored.close();
  },
);

test('a backup blocks forgetting and a clean-up while it copies, and waits for them itself', async () => {
  const [one = ''] = await setup.keep([large(), large()]);
  await writeFile(join(setup.data, 'large'), Buffer.alloc(16 * 1024 * 1024));
  const { id } = await begun();
  await vi.waitFor(() => expect(setup.backups.isRunning).toBe(true), { interval: 1 });
  const forget = { selection: { kind: 'named' as const, hashes: [one] }, what: 'bytes' as const, expected: null };
  await expect(setup.library.forget(forget)).rejects.toMatchObject({ failure: { kind: 'storage-busy' } });
  await expect(setup.storage.cleanUp()).rejects.toMatchObject({ failure: { kind: 'storage-busy' } });
  expect(await setup.over(id)).toMatchObject({ state: 'done' });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  vi.spyOn(setup.vault, 'remove').mockReturnValueOnce(held);
  const forgetting = setup.library.forget(forget);
  expect(await setup.over((await begun()).id)).toMatchObject({ state: 'paused', failure: { kind: 'storage-busy' } });
  letGo();
  await forgetting;
  expect(await made()).toMatchObject({ state: 'done' });
});

test('one backup is made at a time, and a cancelled one keeps the earlier one', async () => {
  await setup.keep([large()]);
  await made();
  await writeFile(join(setup.data, 'large'), Buffer.alloc(32 * 1024 * 1024));
  const [first, second] = await Promise.all([begun(), begun()]);
  expect(second.id).toBe(first.id);
  await vi.waitFor(() => expect(setup.backups.isRunning).toBe(true), { interval: 1 });
  expect((await setup.backups.start(backup)).job?.id).toBe(first.id);
  await expect(setup.backups.start(join(folder, 'other'))).rejects.toMatchObject({ failure: { kind: 'storage-busy' } });
  setup.jobs.cancel(first.id);
  expect(await setup.over(first.id)).toMatchObject({ state: 'cancelled' });
  const { restored, check } = await restoredStorage();
  expect(check.counts.done).toBe(1);
  expect((await readdir(join(folder, 'restored'))).includes('large')).toBe(false);
  await restored.close();
});

test('a missing disk halts the backup, and it resumes when the disk is back', async () => {
  await setup.keep([large()]);
  await made();
  await writeFile(join(setup.data, 'large'), Buffer.alloc(32 * 1024 * 1024));
  const { id } = await begun();
  await vi.waitFor(() => expect(setup.backups.isRunning).toBe(true), { interval: 1 });
  await rename(backup, `${backup}-unplugged`);
  expect(await setup.over(id)).toMatchObject({
    state: 'paused',
    failure: { kind: expect.stringMatching(/^(disk-failed|backup-refused)$/) },
  });
  await mkdir(backup);
  setup.jobs.resume(id);
  expect(await setup.over(id)).toMatchObject({
    state: 'paused',
    failure: { kind: 'backup-refused', reason: 'no-backup' },
  });
  await rm(backup, { recursive: true });
  await rename(`${backup}-unplugged`, backup);
  setup.jobs.resume(id);
  expect(await setup.over(id)).toMatchObject({ state: 'done' });
});

test('a backup left unfinished by an earlier program makes way for the next', async () => {
  await setup.keep([large()]);
  await made();
  const left = setup.stores.jobs.create({
    task: { kind: 'backup', folder: backup },
    workspaceId: null,
    created: '2030-01-01T00:00:00.000Z',
  });
  setup.stores.jobs.count(left, 1);
  setup.stores.jobs.change(left, { state: 'running' });
  const { id } = await begun();
  expect(id).not.toBe(left);
  expect(await setup.over(id)).toMatchObject({ state: 'done' });
  expect(setup.jobs.get(left).state).toBe('cancelled');
});

test('a backup whose last copy is gone is not started from the beginning without confirmation', async () => {
  await setup.keep([large()]);
  await made();
  await rename(backup, `${backup}-unplugged`);
  await mkdir(backup);
  await expect(setup.backups.start(null)).rejects.toMatchObject({
    failure: { kind: 'backup-refused', path: backup, reason: 'no-backup' },
  });
  expect(await readdir(backup)).toEqual([]);
  const { job } = await setup.backups.start(null, { startOver: true });
  expect(await setup.over(job?.id ?? 0)).toMatchObject({ state: 'done' });
});

test('a missing vault halts the backup', async () => {
  await setup.keep([large()]);
  await made();
  await rename(join(setup.data, 'vault'), join(setup.data, 'elsewhere'));
  expect(await made()).toMatchObject({ state: 'paused', failure: { kind: 'folder-gone' } });
  await rename(join(setup.data, 'elsewhere'), join(setup.data, 'vault'));
});

test('a job of a copy of this installation does not resume', async () => {
  const left = setup.stores.jobs.create({
    task: { kind: 'backup', folder: backup, from: '/elsewhere' },
    workspaceId: null,
    created: '2030-01-01T00:00:00.000Z',
  });
  setup.stores.jobs.count(left, 1);
  setup.stores.jobs.change(left, { state: 'paused' });
  setup.jobs.resume(left);
  expect(await setup.over(left)).toMatchObject({
    state: 'paused',
    failure: { kind: 'backup-refused', reason: 'other-copy' },
  });
});

test.each(['.', 'backup/in-it', ''])(
  'a watched folder is no place for a backup, nor a folder inside or around it: %s',
  async (watched) => {
    setup.watchedFolder.path = watched === '' ? backup : join(folder, watched);
    await expect(setup.backups.start(null)).rejects.toMatchObject({
      failure: { kind: 'backup-refused', reason: 'watched' },
    });
    expect(await readdir(folder)).toEqual([]);
  },
);

test('no backup begins when no folder is chosen, and it fails without a folder picker', async () => {
  setup.backupFolder.path = null;
  expect(await setup.backups.start(null)).toEqual({ job: null });
  setup.backupFolder.hasPicker = false;
  await expect(setup.backups.start(null)).rejects.toMatchObject({
    failure: { kind: 'backup-refused', reason: 'not-chosen' },
  });
  expect(await setup.backups.folder()).toBeNull();
  expect(await setup.over((await setup.backups.start(backup)).job?.id ?? 0)).toMatchObject({ state: 'done' });
  expect(setup.jobs.list()).toHaveLength(1);
  // The next one goes there by itself.
  expect(await setup.backups.folder()).toBe(backup);
  expect((await setup.backups.start(null)).job?.task).toMatchObject({ kind: 'backup', folder: backup });
});
