import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { bytesOf, createTestBundles, fileOf, type TestBundles, workspaceId } from './bundles.fixture.ts';

let theirs: TestBundles;
let ours: TestBundles;
beforeAll(async () => {
  [theirs, ours] = await Promise.all([createTestBundles(), createTestBundles()]);
});
afterAll(() => Promise.all([theirs.close(), ours.close()]));

const program = fileURLToPath(new URL('./killed-import.fixture.ts', import.meta.url));
const importOpen = (setup: TestBundles): number =>
  setup.bundles.import(setup.bundles.opening?.id ?? '', workspaceId).id;

/** Several borders' worth, some with bytes, all with a note. @returns their SHA-256s */
async function many(count: number, sizes: readonly number[]): Promise<string[]> {
  const kept: string[] = [];
  for (const size of sizes) kept.push(await theirs.keep(randomBytes(size)));
  const all = [...theirs.know(count), ...kept];
  theirs.stores.library.changeSamples(all, { add: ['bundled'], remove: [], note: 'said once' });
  return all;
}

async function expectAllTaken(setup: TestBundles, sha256s: readonly string[]): Promise<void> {
  for (const sha256 of sha256s) {
    expect(setup.stores.library.sample(sha256)).toMatchObject({
      note: { text: 'said once' },
      row: { tags: ['bundled'] },
    });
    const inVault = theirs.stores.library.find(sha256)?.inVault === true;
    expect(setup.stores.library.find(sha256)?.inVault).toBe(inVault);
    if (inVault) expect(await bytesOf(setup.vault.read(sha256))).toEqual(await bytesOf(theirs.vault.read(sha256)));
  }
}

test(
  'a program killed midway imported whole groups, and a repeated import does nothing twice',
  { timeout: 60_000 },
  async () => {
    const sha256s = await many(70, [5 * 2 ** 20, 100, 12 * 2 ** 20, 200_000]);
    const bundle = await theirs.written(sha256s);
    const base = temporaryFolder();
    const [, signal] = await once(spawn(execPath, [program, base, bundle], { stdio: 'inherit' }), 'exit');
    expect(signal).toBe('SIGKILL');

    const setup = await createTestBundles(base);
    const killed = await vi.waitFor(
      () => {
        const job = setup.jobs.get(1);
        expect(job.state).toBe('done');
        return job;
      },
      { timeout: 20_000 },
    );
    const { done, failed } = killed.counts;
    expect([done > 0, done + failed]).toEqual([true, sha256s.length]);
    const known = sha256s.filter((sha256) => setup.stores.library.find(sha256) !== null);
    expect(known).toHaveLength(done);
    await expectAllTaken(setup, known);
    expect(await readdir(join(base, 'data', 'vault', 'incoming'))).toEqual([]);
    expect(await setup.looked(bundle)).toMatchObject({
      signer: { standing: 'new' },
      changes: { samples: { new: sha256s.length - done, same: done } },
    });
    expect(await setup.ended(importOpen(setup))).toMatchObject({
      state: 'done',
      counts: { done: sha256s.length - done, 'already-here': done },
    });
    await expectAllTaken(setup, sha256s);
    expect(setup.stores.library.count()).toMatchObject({ samples: sha256s.length, inVault: 4 });
    expect(await setup.looked(bundle)).toMatchObject({ signer: { standing: 'known' } });
    await setup.close();
  },
);

test(
  'a paused import resumes after the imported part, and a cancelled one can be repeated',
  { timeout: 60_000 },
  async () => {
    const sha256s = await many(200, [100, 5 * 2 ** 20]);
    await ours.looked(await theirs.written(sha256s));
    const job = importOpen(ours);
    await vi.waitFor(() => expect(ours.jobs.get(job).counts.done).toBeGreaterThan(0), { interval: 0, timeout: 20_000 });
    ours.jobs.pause(job);
    const paused = await ours.ended(job);
    expect(paused).toMatchObject({ state: 'paused', failure: null });
    expect(ours.bundles.opening).toMatchObject({ state: 'importing', job });
    ours.jobs.resume(job);
    expect(await ours.ended(job)).toMatchObject({ state: 'done', counts: { done: sha256s.length, 'already-here': 0 } });
    expect(ours.bundles.opening).toMatchObject({ state: 'imported' });
    await expectAllTaken(ours, sha256s);

    const others = await many(200, []);
    await ours.looked(await theirs.written(others));
    const cancelled = importOpen(ours);
    await vi.waitFor(() => expect(ours.jobs.get(cancelled).counts.done).toBeGreaterThan(0), {
      interval: 0,
      timeout: 20_000,
    });
    ours.jobs.cancel(cancelled);
    const { counts } = await ours.ended(cancelled);
    expect(ours.bundles.opening).toMatchObject({ state: 'ready' });
    expect(await ours.ended(importOpen(ours))).toMatchObject({
      counts: { done: others.length - counts.done, 'already-here': counts.done },
    });
  },
);

for (const { tags, cases } of longAfter(1, [true, false]))
  test.each(cases)(
    'an import refuses another bundle in its place, down to the last sample (same size and time: %s)',
    { tags },
    async (isDisguised) => {
      const sha256s = await many(3, [100]);
      const bundle = await theirs.written(sha256s);
      theirs.stores.library.setNote(sha256s[0] ?? '', 'said wry!');
      const other = await theirs.written(sha256s);
      await ours.looked(bundle);
      const { size, mtime, atime } = await stat(bundle);
      await rename(other, bundle);
      if (isDisguised) {
        await utimes(bundle, atime, mtime);
        expect((await stat(bundle)).size).toBe(size);
      }
      const failure = { kind: 'bundle-changed', name: expect.any(String) };
      expect(await ours.ended(importOpen(ours))).toMatchObject({
        state: 'done',
        failure: null,
        notices: [failure],
        counts: { waiting: 0, failed: 4 },
      });
      expect(ours.bundles.opening).toMatchObject({ state: 'refused', failure });
      expect(sha256s.filter((sha256) => ours.stores.library.find(sha256) !== null)).toEqual([]);
    },
  );

test('an import restores from the bundle what was forgotten between inspection and import', async () => {
  const [sha256 = ''] = await many(0, [300_000]);
  await ours.takenIn(await theirs.written([sha256]));
  await ours.looked(await theirs.written([sha256]));
  ours.stores.library.forget([sha256], 'bytes');
  await ours.vault.remove(sha256);
  expect(await ours.ended(importOpen(ours))).toMatchObject({ counts: { done: 1 } });
  expect(await bytesOf(ours.vault.read(sha256))).toHaveLength(300_000);
});

test('an import repairs bytes altered here with those of the bundle', async () => {
  const [sha256 = ''] = await many(0, [300_000]);
  const bundle = await theirs.written([sha256]);
  await ours.takenIn(bundle);
  ours.stores.library.setDamage(sha256, 'altered');
  expect((await ours.looked(bundle)).changes.samples).toMatchObject({ same: 1, newBytes: 300_000 });
  expect(await ours.ended(importOpen(ours))).toMatchObject({ counts: { done: 1 } });
  expect(ours.stores.library.sample(sha256)?.row.vault).toBe('held');
});

test('an import recognizes a bundle of this computer, and makes no path of an invalid file name', async () => {
  const sha256 = await ours.keep(randomBytes(10));
  const bundle = await ours.written([sha256]);
  const { id } = await ours.staging.stageStream(
    '../../..\u202e/etc/passwd',
    (async function* () {
      yield await readFile(bundle);
    })(),
  );
  await ours.bundles.open(id, 'correct horse battery staple');
  await expect.poll(() => ours.bundles.opening?.state, { timeout: 20_000 }).toBe('ready');
  expect(ours.bundles.opening).toMatchObject({
    name: '../../..\u202e/etc/passwd',
    facts: { signer: { standing: 'own', fingerprint: (await ours.bundles.signer()).fingerprint } },
  });
  expect(await ours.ended(importOpen(ours))).toMatchObject({ state: 'done', counts: { 'already-here': 1 } });
});

test('a bundle cut off while it is written is invalid: the next start removes it', async () => {
  const base = temporaryFolder();
  const setup = await createTestBundles(base);
  const job = setup.stores.jobs.create({
    task: { kind: 'bundle', title: 'a title', folder: setup.folder, result: null },
    workspaceId: null,
    created: new Date().toISOString(),
  });
  setup.stores.jobs.count(job, 1);
  setup.stores.jobs.change(job, { state: 'running' });
  const left = await fileOf(setup, Buffer.from('begun'));
  await rename(left, join(dirname(left), unfinishedNameOf(setup.stores.backups.installationId, job)));
  const ofOtherInstallation = unfinishedNameOf('another desk', job);
  await writeFile(join(dirname(left), ofOtherInstallation), '');
  await setup.close();
  const again = await createTestBundles(base);
  expect(await again.ended(job)).toMatchObject({ state: 'done', counts: { failed: 1 } });
  expect(await readdir(again.folder)).toEqual([ofOtherInstallation]);
  await again.close();
});

test(
  'a paused import that is cancelled can be repeated, and none imports into a removed workspace',
  { timeout: 30_000 },
  async () => {
    const sha256s = await many(3, [100]);
    await ours.looked(await theirs.written(sha256s));
    const paused = importOpen(ours);
    ours.jobs.pause(paused);
    await ours.ended(paused);
    onTestFinished(() => void ours.workspaces.add(workspaceId));
    ours.workspaces.delete(workspaceId);
    ours.jobs.resume(paused);
    expect(await ours.ended(paused)).toMatchObject({
      state: 'paused',
      failure: { kind: 'workspace-missing', id: workspaceId },
      counts: { waiting: sha256s.length },
    });
    ours.jobs.cancel(paused);
    await expect.poll(() => ours.bundles.opening?.state).toBe('ready');
    ours.workspaces.add(workspaceId);
    expect(await ours.ended(importOpen(ours))).toMatchObject({ state: 'done', counts: { done: sha256s.length } });
  },
);
