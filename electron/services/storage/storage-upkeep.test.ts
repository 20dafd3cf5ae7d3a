import { hash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { storageState } from '../../../shared/domain/storage.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { putIntoJob } from '../../jobs/job-runner.ts';
import { collected } from '../../vault/eicar.fixture.ts';
import { createTestStorage, type TestStorage } from './storage.fixture.ts';

let setup: TestStorage;
beforeEach(async () => {
  setup = await createTestStorage();
});
afterEach(() => setup.close());

const small = (): Buffer => randomBytes(3000);
const large = (): Buffer => randomBytes(200_000);
const failing = (kind: string): object => ({ failure: { kind } });
/** As a crash or an older database leaves them: the bytes are there, and no row marks them for removal. */
const loseAll = (sha256s: readonly string[]): void => {
  setup.stores.library.forget(sha256s, 'all');
  setup.stores.library.dropped(sha256s);
};
const vaultOf = (sha256: string): string | undefined => setup.stores.library.sample(sha256)?.row.vault;

test('the state shows the size of each folder, the free space and the number of samples', async () => {
  await setup.keep([large(), large()]);
  await mkdir(join(setup.data, 'logs'), { recursive: true });
  await writeFile(join(setup.data, 'logs', 'old.log'), 'x'.repeat(1000));
  const state = storageState
    .omit({ oldCopy: true, lastBackup: true, backupFolder: true })
    .parse(await setup.storage.state());
  expect(state).toMatchObject({ directory: setup.data, samples: 2, unusedBytes: 0, lastCheck: null });
  const placeOf = (name: string) => state.places.find(({ place }) => place === name);
  expect(placeOf('vault')).toEqual({ place: 'vault', bytes: 400_000 + 2 * 180, files: 2 });
  expect(placeOf('logs')?.bytes).toBeGreaterThanOrEqual(1000);
  expect(placeOf('database')?.bytes).toBeGreaterThan(4096);
  expect(placeOf('lab')).toEqual({ place: 'lab', bytes: 0, files: 0 });
  expect(state.freeBytes).toBeGreaterThan(0);
});

test('a check reads every sample and reports missing and altered ones, in the library too', async () => {
  const [sound = '', altered = '', gone = '', packed = ''] = await setup.keep([
    large(),
    large(),
    large(),
    small(),
    small(),
  ]);
  await setup.alter(altered);
  await setup.alter(packed);
  await rm(setup.vault.sourceOf(gone).path);
  const job = await setup.over((await setup.storage.startCheck()).id);
  expect(job).toMatchObject({
    state: 'done',
    task: { kind: 'vault-check' },
    workspaceId: null,
    items: 5,
    counts: { done: 2, mismatch: 2, vanished: 1 },
    bytes: 606_000,
  });
  const failures = new Map((await setup.items(job.id)).map(({ hash: sha256, failure }) => [sha256, failure?.kind]));
  expect([sound, altered, gone, packed].map((sha256) => failures.get(sha256))).toEqual([
    undefined,
    'vault-damaged',
    'not-in-vault',
    'vault-damaged',
  ]);
  expect([sound, altered, gone, packed].map(vaultOf)).toEqual(['held', 'altered', 'missing', 'altered']);
  expect(setup.changes()).toBeGreaterThan(0);
  expect((await setup.storage.state()).lastCheck).toMatchObject({ samples: 5, missing: 1, altered: 2 });
});

test('a check settles no sample of a batch during which the folder disappears', async () => {
  const [sound = '', altered = ''] = await setup.keep([large(), large()]);
  setup.stores.library.setDamage(sound, 'missing');
  await setup.alter(altered);
  const gone = { kind: 'folder-gone', path: join(setup.data, 'vault') } as const;
  vi.spyOn(setup.vault, 'unreadable').mockReturnValueOnce(gone);
  const { id } = await setup.storage.startCheck();
  expect(await setup.over(id)).toMatchObject({ state: 'paused', failure: gone, counts: { waiting: 2 } });
  expect([sound, altered].map(vaultOf)).toEqual(['missing', 'held']);
  setup.jobs.resume(id);
  expect(await setup.over(id)).toMatchObject({ state: 'done', counts: { done: 1, mismatch: 1 } });
  expect([sound, altered].map(vaultOf)).toEqual(['held', 'altered']);
});

test('a vault with a missing folder is reported, no sample is called missing, and it recovers', async () => {
  const sha256s = await setup.keep([large(), large(), small(), small()]);
  const folder = join(setup.data, 'vault');
  const gone = { kind: 'folder-gone', path: folder };
  const id = setup.jobs.create({ kind: 'vault-check' }, null);
  await putIntoJob(id, setup.jobs, (after, limit) => setup.stores.library.expectedPage(after, limit));
  await rename(folder, `${folder}-elsewhere`);
  setup.jobs.begin(id);
  expect(await setup.over(id)).toMatchObject({ state: 'paused', failure: gone, counts: { waiting: 4 } });
  await expect(setup.storage.state()).rejects.toMatchObject({ failure: gone });
  await expect(setup.storage.cleanUp()).rejects.toMatchObject({ failure: gone });
  expect(sha256s.map(vaultOf)).toEqual(['held', 'held', 'held', 'held']);
  await rename(`${folder}-elsewhere`, folder);
  setup.jobs.resume(id);
  expect(await setup.over(id)).toMatchObject({ state: 'done', counts: { done: 4 } });
  await rename(folder, `${folder}-elsewhere`);
  await expect(setup.storage.startCheck()).rejects.toMatchObject({ failure: gone });
  await rename(`${folder}-elsewhere`, folder);
  expect((await setup.storage.state()).lastCheck).toMatchObject({ samples: 4, missing: 0, altered: 0 });
});

test('a restored sample is intact again, on a retry or in the next check', async () => {
  const [one = '', other = ''] = await setup.keep([large(), large()]);
  const paths = [one, other].map((sha256) => setup.vault.sourceOf(sha256).path);
  for (const path of paths) await rename(path, `${path}.elsewhere`);
  const { id } = await setup.over((await setup.storage.startCheck()).id);
  expect([one, other].map(vaultOf)).toEqual(['missing', 'missing']);
  for (const path of paths) await rename(`${path}.elsewhere`, path);
  setup.jobs.retry(id, ['vanished']);
  expect(await setup.over(id)).toMatchObject({ counts: { done: 2, vanished: 0 } });
  expect([one, other].map(vaultOf)).toEqual(['held', 'held']);
  expect(setup.stores.vaultChecks.last()).toMatchObject({ samples: 2, missing: 0 });
});

test('one check runs at a time, and none on an empty vault', async () => {
  await expect(setup.storage.startCheck()).rejects.toMatchObject(failing('vault-empty'));
  await setup.keep(Array.from({ length: 30 }, large));
  const first = await setup.storage.startCheck();
  setup.jobs.pause(first.id);
  expect((await setup.storage.startCheck()).id).toBe(first.id);
  setup.jobs.resume(first.id);
  expect(await setup.over(first.id)).toMatchObject({ state: 'done', counts: { done: 30 } });
  expect((await setup.storage.startCheck()).id).not.toBe(first.id);
});

test('two callers that start a check at once share one', async () => {
  await setup.keep(Array.from({ length: 3 }, small));
  const [one, other] = await Promise.all([setup.storage.startCheck(), setup.storage.startCheck()]);
  expect(other.id).toBe(one.id);
  expect(await setup.over(one.id)).toMatchObject({ items: 3 });
});

test('a sample forgotten while it waited for its check is not missing', { tags: ['long'] }, async () => {
  const samples = await setup.keep(Array.from({ length: 60 }, () => randomBytes(300_000)));
  const { id } = await setup.storage.startCheck();
  setup.jobs.pause(id);
  const gone = samples.at(-1) ?? '';
  for (const sha256 of setup.stores.library.forget([gone], 'bytes')) await setup.vault.remove(sha256);
  setup.jobs.resume(id);
  expect(await setup.over(id)).toMatchObject({ counts: { done: 60, vanished: 0 } });
});

test('missing samples count as not stored, and the next check searches for them', { tags: ['long'] }, async () => {
  const [gone = '', altered = '', sound = ''] = await setup.keep([large(), large(), large()]);
  const { library, libraryReader } = setup.stores;
  library.setDamage(gone, 'missing');
  library.setDamage(altered, 'altered');
  expect(library.count()).toEqual({ samples: 3, inVault: 2, vaultBytes: 400_000 });
  expect(library.vaultPage(0, 9).map(({ sha256 }) => sha256)).toEqual([altered, sound]);
  const { samples, total } = await libraryReader.inVault({ find: '', offset: 0, limit: 9 });
  expect([samples.map(({ sha256 }) => sha256).toSorted(), total]).toEqual([[altered, sound].toSorted(), 2]);
  expect((await libraryReader.inVault({ find: gone, offset: 0, limit: 9 })).total).toBe(0);
  await setup.over((await setup.storage.startCheck()).id);
  expect(library.count().inVault).toBe(3);
});

test('a check resumes after a restart where it was, and reports its findings over both runs', async () => {
  const place = temporaryFolder();
  const before = await createTestStorage(place);
  const [altered = ''] = await before.keep([large(), ...Array.from({ length: 120 }, () => randomBytes(400_000))]);
  await before.alter(altered);
  const { id } = await before.storage.startCheck();
  await before.close();
  const after = await createTestStorage(place);
  onTestFinished(() => after.close());
  expect(await after.over(id)).toMatchObject({ state: 'done', items: 121, counts: { done: 120, mismatch: 1 } });
  expect(after.stores.vaultChecks.last()).toMatchObject({ samples: 121, missing: 0, altered: 1 });
});

test('a clean-up frees the announced space, and every sample is intact afterwards', async () => {
  const samples = await setup.keep([...Array.from({ length: 40 }, small), large()]);
  const [gone, kept] = [samples.slice(0, 20), samples.slice(20)];
  for (const sha256 of setup.stores.library.forget(gone, 'all')) await setup.vault.remove(sha256);
  const { unusedBytes } = await setup.storage.state();
  expect(unusedBytes).toBeGreaterThan(20 * 3000);
  expect(await setup.storage.cleanUp()).toEqual({ freedBytes: unusedBytes });
  expect((await setup.storage.state()).unusedBytes).toBe(0);
  expect(await setup.over((await setup.storage.startCheck()).id)).toMatchObject({
    counts: { done: 21, mismatch: 0, vanished: 0 },
  });
  for (const sha256 of kept) expect(vaultOf(sha256)).toBe('held');
});

test('a clean-up restores samples that the library lost, when intact, and deletes nothing of them', async () => {
  const bytes = [small(), large(), large()] as const;
  const [packed = '', own = '', altered = ''] = await setup.keep(bytes);
  loseAll([packed, own, altered]);
  await setup.alter(altered);
  expect([packed, own, altered].map(vaultOf)).toEqual([undefined, undefined, undefined]);
  const before = setup.changes();
  await setup.storage.cleanUp();
  expect([packed, own, altered].map(vaultOf)).toEqual(['held', 'held', undefined]);
  expect(setup.stores.library.find(own)).toMatchObject({ md5: hash('md5', bytes[1]), sizeBytes: 200_000 });
  expect(await collected(setup.vault.read(packed))).toEqual(bytes[0]);
  expect(await setup.vault.has(altered)).toBe(true);
  expect(setup.changes()).toBeGreaterThan(before);
  expect(setup.stores.library.history(own)[0]).toMatchObject({ operation: 'forget', outcome: 'brought-back' });
});

test('a clean-up restores no forgotten sample, and removes its remains', async () => {
  const [forgotten = '', again = ''] = await setup.keep([small(), large()]);
  setup.stores.library.forget([forgotten, again], 'all');
  loseAll([again]);
  await setup.storage.cleanUp();
  expect([vaultOf(forgotten), await setup.vault.has(forgotten)]).toEqual([undefined, false]);
  expect([vaultOf(again), setup.stores.library.bytesToDrop(9)]).toEqual(['held', []]);
});

test('a clean-up waits for nothing: it is refused while other work or another clean-up runs', async () => {
  await setup.keep([small()]);
  setup.busy.is = true;
  await expect(setup.storage.cleanUp()).rejects.toMatchObject(failing('storage-busy'));
  setup.busy.is = false;
  const first = setup.storage.cleanUp();
  await expect(setup.storage.cleanUp()).rejects.toMatchObject(failing('storage-busy'));
  expect(await first).toEqual({ freedBytes: 0 });
});

test('a clean-up also recognizes as intact a sample whose bytes another program restored', async () => {
  const [sha256 = ''] = await setup.keep([large()]);
  const { path } = setup.vault.sourceOf(sha256);
  await copyFile(path, `${path}.copy`);
  await setup.alter(sha256);
  await setup.over((await setup.storage.startCheck()).id);
  expect(vaultOf(sha256)).toBe('altered');
  await setup.storage.cleanUp();
  expect(vaultOf(sha256)).toBe('altered');
  await rename(`${path}.copy`, path);
  await setup.storage.cleanUp();
  expect(vaultOf(sha256)).toBe('held');
});
