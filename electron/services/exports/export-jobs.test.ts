import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ExportAs } from '../../../shared/domain/export.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { canMountDisks, smallDisk } from '../../base/small-disk.fixture.ts';
import { eicar, filesHolding, filesUnder } from '../../vault/eicar.fixture.ts';
import { jobItems } from '../testing/job-items.fixture.ts';
import type { JobItemsFile } from './export-jobs.ts';
import { createTestExports, samples, testedBy7z, type TestExports, unzipped } from './exports.fixture.ts';

const protection = { encryption: 'aes-256', password: 'infected' } as const;
const oneZip: ExportAs = { form: 'one-zip', ...protection };
const zipEach: ExportAs = { form: 'zip-each', ...protection };
const raw: ExportAs = { form: 'raw', confirmed: true };
const forms = [oneZip, zipEach, raw];
/** Holds the test string, and is a sample that no other test has exported. */
const infected = (): Buffer => Buffer.concat([eicar, randomBytes(8)]);
/** One for all tests, because its threads take a moment to start; where the samples go is each test's own. */
let setup: TestExports;
let folder: string;
let large: Buffer;

beforeAll(async () => {
  setup = await createTestExports();
});
afterAll(() => setup.close());
beforeEach(async () => {
  folder = await mkdtemp(join(setup.folder, 'of-a-test-'));
  large = randomBytes(3_000_000);
});

async function exported(sha256s: string[], as: ExportAs, into = folder) {
  const { id } = await setup.exportJobs.start(samples(...sha256s), as, into);
  const job = await setup.ended(id);
  const result = job.task.kind === 'export' ? job.task.result : expect.fail('no export');
  return { job, path: join(into, result ?? 'nothing') };
}

/** Of the sample in the vault, wherever it keeps it: small ones may lie in a pack. */
const lost = async (sha256: string): Promise<void> => setup.vault.remove(sha256);

for (const { tags, cases } of longAfter(1, ['aes-256', 'zipcrypto']))
  test.each(cases)(
    'one ZIP with %s holds the samples under their hashes, and both manifests',
    { tags },
    async (encryption) => {
      const contents = [infected(), Buffer.alloc(0), randomBytes(70_000), large];
      const sha256s: string[] = [];
      for (const bytes of contents) sha256s.push(await setup.keep(bytes));
      const before = sha256s.map((sha256) => setup.journalOf(sha256));
      const { job, path } = await exported(sha256s, { ...oneZip, encryption });
      expect(job).toMatchObject({
        state: 'done',
        failure: null,
        items: 4,
        counts: { done: 4, waiting: 0 },
        active: [],
      });
      expect(job.task).toMatchObject({
        form: 'one-zip',
        folder,
        result: expect.stringMatching(/^\d{8}T\d{6}Z_4\.zip$/),
      });
      expect(await testedBy7z(path)).toContain('Everything is Ok');
      for (const [at, bytes] of contents.entries()) expect(await unzipped(path, sha256s[at] ?? '')).toEqual(bytes);
      expect(JSON.parse((await unzipped(path, 'manifest.json')).toString('utf8'))).toMatchObject(
        sha256s.map((sha256) => ({ sha256, outcome: 'exported' })),
      );
      expect((await unzipped(path, 'manifest.csv')).toString('utf8').split('\r\n')).toHaveLength(6);
      expect(await readdir(folder)).toEqual([job.task.kind === 'export' && job.task.result]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await filesHolding(folder, eicar)).toEqual([]);
      expect(sha256s.map((sha256) => setup.journalOf(sha256))).toEqual(
        before.map((earlier) => [...earlier, 'done one-zip']),
      );
      expect(job.bytes).toBe(3_070_076);
    },
  );

test('one ZIP per sample is written to a folder, with the manifests beside', async () => {
  const bytes = infected();
  const [one, other] = [await setup.keep(bytes), await setup.keep(large)];
  const { job, path } = await exported([one, other], zipEach);
  expect(path).toMatch(/\/\d{8}T\d{6}Z_2$/);
  expect((await readdir(path)).toSorted()).toEqual(
    [`${one}.zip`, `${other}.zip`, 'manifest.csv', 'manifest.json'].toSorted(),
  );
  expect(await unzipped(join(path, `${one}.zip`), one)).toEqual(bytes);
  expect(await unzipped(join(path, `${other}.zip`), other)).toEqual(large);
  expect(await filesHolding(folder, eicar)).toEqual([]);
  expect(await readdir(folder)).toHaveLength(1);
  expect(job.counts.done).toBe(2);
});

test('raw samples have no extension and no execute permission', async () => {
  const bytes = infected();
  const sha256 = await setup.keep(bytes);
  const { path } = await exported([sha256], raw);
  expect((await readdir(path)).toSorted()).toEqual([sha256, 'manifest.csv', 'manifest.json'].toSorted());
  expect(await readFile(join(path, sha256))).toEqual(bytes);
  expect((await stat(join(path, sha256))).mode & 0o777).toBe(0o600);
  expect(setup.journalOf(sha256)).toEqual(['done raw']);
  expect(setup.stores.library.history(sha256)[0]?.detail).toMatchObject({
    to: 'folder',
    form: 'raw',
    encryption: null,
  });
});

describe.each(forms)('when exported as $form', (as) => {
  test('a missing or damaged sample is left out and listed as such, and the others are exported', async () => {
    const [good, missing, damaged] = [
      await setup.keep(randomBytes(500)),
      await setup.keep(randomBytes(600)),
      await setup.keep(large),
    ];
    await lost(missing);
    const container =
      (await filesUnder(join(setup.folder, '..', 'data', 'vault'))).find((path) => path.endsWith(damaged)) ??
      expect.fail('not found');
    await flipAByte(container, 2_500_000);
    const { job, path } = await exported([damaged, good, missing], as);
    expect(job).toMatchObject({ state: 'done', counts: { done: 1, failed: 2 } });
    expect(jobItems(setup.stores, job.id).map(({ failure }) => failure?.kind ?? null)).toEqual([
      'vault-damaged',
      null,
      'not-in-vault',
    ]);
    const listed =
      as.form === 'one-zip' ? await unzipped(path, 'manifest.json') : await readFile(join(path, 'manifest.json'));
    expect(JSON.parse(listed.toString('utf8'))).toMatchObject([
      { sha256: damaged, outcome: 'vault-damaged' },
      { sha256: good, outcome: 'exported' },
      { sha256: missing, outcome: 'not-in-vault' },
    ]);
    if (as.form === 'one-zip') expect(await testedBy7z(path)).toContain('Files: 3');
    else expect(await readdir(path)).toHaveLength(3);
    expect(setup.journalOf(damaged).at(-1)).toBe(`vault-damaged ${as.form}`);
    expect(setup.stores.library.find(damaged)).toMatchObject({ inVault: false });
  });

  test('no export is made when no sample is readable', async () => {
    const sha256 = await setup.keep(large);
    await lost(sha256);
    const { job } = await exported([sha256], as);
    expect(job).toMatchObject({ state: 'done', counts: { failed: 1 }, task: { result: null } });
    expect(await readdir(folder)).toEqual([]);
  });

  test('an existing file is not overwritten', async () => {
    const sha256 = await setup.keep(infected());
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-18T14:29:36Z') });
    try {
      const first = await exported([sha256], as);
      const second = await exported([sha256], as);
      const extension = as.form === 'one-zip' ? '.zip' : '';
      expect([first, second].map(({ job }) => job.task)).toMatchObject([
        { result: `20261118T142936Z_1${extension}` },
        { result: `20261118T142936Z_1 (2)${extension}` },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a clock beyond the year 9999 prevents no export', async () => {
    const sha256 = await setup.keep(infected());
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('+010000-01-01T00:00:00Z') });
    try {
      const { job } = await exported([sha256], as);
      expect(job).toMatchObject({
        state: 'done',
        task: { result: as.form === 'one-zip' ? '99991230T235959Z_1.zip' : '99991230T235959Z_1' },
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test('a cancelled export leaves nothing', async () => {
    const sha256s = [await setup.keep(randomBytes(100)), await setup.keep(randomBytes(20_000_000))];
    const { id } = await setup.exportJobs.start(samples(...sha256s), as, folder);
    await vi.waitFor(
      async () => expect(await readdir(folder)).toEqual([unfinishedNameOf(setup.stores.backups.installationId, id)]),
      { interval: 1 },
    );
    // What leaves raw is journalled before its bytes are there.
    if (as.form === 'raw')
      await vi.waitFor(() => expect(setup.journalOf(sha256s[1] ?? '')).toEqual(['done raw']), { interval: 1 });
    setup.jobs.cancel(id);
    await vi.waitFor(() => expect(setup.jobs.get(id).counts.cancelled).toBe(2));
    await setup.ended(id);
    expect(await readdir(folder)).toEqual([]);
    expect(setup.journalOf(sha256s[1] ?? '')).toEqual(as.form === 'raw' ? ['done raw', 'cancelled raw'] : []);
  });

  test.skipIf(!canMountDisks)(
    'a full disk halts the export, leaves nothing, and keeps the request',
    { tags: as.form === 'one-zip' ? [] : ['long'] },
    async () => {
      const disk = smallDisk('4m');
      await writeFile(join(disk, 'theirs'), randomBytes(2_000_000));
      const sha256s = [await setup.keep(randomBytes(100_000)), await setup.keep(large)];
      const { job } = await exported(sha256s, as, disk);
      expect(job).toMatchObject({
        state: 'paused',
        failure: { kind: 'disk-full', path: disk },
        counts: { waiting: 2 },
      });
      expect(await readdir(disk)).toEqual(['theirs']);
      await rm(join(disk, 'theirs'));
      setup.jobs.resume(job.id);
      expect(await setup.ended(job.id)).toMatchObject({ state: 'done', counts: { done: 2 } });
      expect(await readdir(disk)).toHaveLength(1);
    },
  );
});

test('an export contains a repeated sample once, and of a job’s items those in the vault', async () => {
  const [one, other] = [await setup.keep(randomBytes(10)), await setup.keep(randomBytes(20))];
  const twice = await exported([one, one, other], oneZip);
  expect(twice.job.items).toBe(2);
  setup.stores.library.setDamage(other, 'missing');
  const { id } = await setup.exportJobs.start(
    { kind: 'job', id: twice.job.id, filter: { states: ['done'], find: '' } },
    oneZip,
    folder,
  );
  expect(await setup.ended(id)).toMatchObject({ state: 'done', items: 1, counts: { done: 1 } });
});

test('an export without a selection, a folder or a password is refused before there is a job', async () => {
  const sha256 = await setup.keep(infected());
  const before = setup.jobs.list();
  await expect(setup.exportJobs.start(samples('a'.repeat(64)), oneZip, folder)).rejects.toMatchObject({
    failure: { kind: 'nothing-selected' },
  });
  await expect(setup.exportJobs.start(samples(sha256), oneZip, null)).rejects.toMatchObject({
    failure: { kind: 'no-export-folder' },
  });
  await expect(setup.exportJobs.start(samples(sha256), { ...oneZip, password: '' }, folder)).rejects.toMatchObject({
    failure: { kind: 'password-empty' },
  });
  await expect(
    setup.exportJobs.start({ kind: 'job', id: 99_999, filter: { states: [], find: '' } }, oneZip, folder),
  ).rejects.toMatchObject({ failure: { kind: 'job-missing' } });
  expect(setup.jobs.list()).toEqual(before);
});

test('a missing folder halts the job', async () => {
  const sha256 = await setup.keep(infected());
  for (const as of forms) {
    const { job } = await exported([sha256], as, join(folder, 'gone'));
    expect(job).toMatchObject({ state: 'paused', failure: { kind: 'not-writable', code: 'ENOENT' } });
  }
});

test('an export stores no password', async () => {
  const sha256 = await setup.keep(infected());
  await exported([sha256], { ...oneZip, password: 'nobody-else-knows-this' });
  expect(await filesHolding(join(setup.folder, '..'), Buffer.from('nobody-else-knows-this'))).toEqual([]);
});

test('a job’s item list is exported to a file of its own name without overwriting', async () => {
  const sha256 = await setup.keep(infected());
  const { job } = await exported([sha256], oneZip);
  const file: JobItemsFile = { id: job.id, filter: { states: [], find: '' }, format: 'csv' };
  const written = [
    await setup.exportJobs.itemsFile(file, 'folder', folder),
    await setup.exportJobs.itemsFile(file, 'folder', folder),
  ];
  expect(written).toMatchObject([
    { fileName: `job-${job.id}-outcomes.csv` },
    { fileName: `job-${job.id}-outcomes (2).csv` },
  ]);
  expect(await readFile(join(folder, `job-${job.id}-outcomes.csv`), 'utf8')).toMatch(
    new RegExp(`^\\ufeffsha256,[^]*${sha256}`),
  );
  const offered = await setup.exportJobs.itemsFile({ ...file, format: 'json' }, 'browser', null);
  const prepared = setup.exports.take(offered.kind === 'browser' ? offered.id : '') ?? expect.fail('not offered');
  expect(prepared.fileName).toBe(`job-${job.id}-outcomes.json`);
  expect(JSON.parse((await collected(prepared.open())).toString('utf8'))).toMatchObject([{ sha256, outcome: 'done' }]);
  const { lines } = await setup.stores.journalReader.list({
    filter: { operations: ['export'], workspaceId: null, find: 'outcomes', from: null, before: null },
    offset: 0,
    limit: 9,
  });
  expect(lines.map(({ row }) => row?.detail)).toEqual(
    ['browser', 'folder', 'folder'].map((to, at) => ({
      of: 'outcomes',
      job: job.id,
      to,
      form: at === 0 ? 'json' : 'csv',
    })),
  );
});

test('a browser export is one ZIP that lists the samples the vault has lost', async () => {
  const [one, missing, other] = [
    await setup.keep(infected()),
    await setup.keep(randomBytes(9)),
    await setup.keep(large),
  ];
  await lost(missing);
  const offered = await setup.exportJobs.prepare(samples(one, missing, other), protection);
  const prepared = setup.exports.take(offered.kind === 'browser' ? offered.id : '') ?? expect.fail('not offered');
  const path = join(folder, 'saved.zip');
  await writeFile(path, await collected(prepared.open()));
  expect(prepared.fileName).toMatch(/^\d{8}T\d{6}Z_3\.zip$/);
  expect(await unzipped(path, other)).toEqual(large);
  expect(JSON.parse((await unzipped(path, 'manifest.json')).toString('utf8'))).toMatchObject([
    { outcome: 'exported' },
    { outcome: 'not-in-vault' },
    { outcome: 'exported' },
  ]);
  expect([one, other].map((sha256) => setup.journalOf(sha256))).toEqual([['done one-zip'], ['done one-zip']]);
});

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function flipAByte(path: string, position: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  await truncate(path, 0);
  await writeFile(path, bytes);
}
