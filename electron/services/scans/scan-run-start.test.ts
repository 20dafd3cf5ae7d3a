import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { fail, FailureError } from '../../../shared/failure.ts';
import { createTestScans, sha256Of, team, type TestScans } from './scans.fixture.ts';

let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
  await setup.install('rule finds { condition: true }\n');
});
afterEach(() => {
  vi.restoreAllMocks();
  setup.requireSound();
});
afterAll(() => setup.close());

const diskFull = (): never => fail({ kind: 'disk-full', path: '/data' });

test('files whose scan failed to begin can be submitted again, also copied and unread ones', async () => {
  const files = [
    await setup.stage('one', 'handed over'),
    await setup.stage('again', 'handed over'),
    await setup.stage('gone', 'gone'),
  ];
  rmSync(setup.staging.sourceOf(files[2]?.id ?? '')?.path ?? '');
  await expect(setup.start({ files, samples: [sha256Of('not there')] })).rejects.toMatchObject({
    failure: { kind: 'not-in-vault' },
  });
  vi.spyOn(setup.jobs, 'begin').mockImplementationOnce(diskFull);
  await expect(setup.start({ files })).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  expect(setup.jobs.list()).toEqual([]);
  expect(await setup.scan({ files })).toMatchObject({
    items: 1,
    counts: { done: 1 },
    notices: [{ kind: 'file-gone', name: 'gone' }],
  });
});

test('the reason a scan failed to begin is shown, also when its draft cannot be forgotten', async () => {
  const files = [await setup.stage('one', 'kept over two failures')];
  vi.spyOn(setup.jobs, 'begin').mockImplementationOnce(diskFull);
  vi.spyOn(setup.jobs, 'forget').mockImplementationOnce(() =>
    fail({ kind: 'disk-failed', path: '/data', code: 'EIO' }),
  );
  await expect(setup.start({ files })).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  expect(await setup.scan({ files })).toMatchObject({ counts: { done: 1 } });
});

test('files of the watched folder are scanned locally with the data already read, as their job states', async () => {
  const { id } = await setup.stage('came.bin', 'came by itself');
  const read = vi.spyOn(setup.staging, 'sourceOf');
  const hashes = { md5: 'a'.repeat(32), sha1: 'b'.repeat(40), sha256: sha256Of('came by itself') };
  const started = await setup.scans.startWatched(team, [{ stagedId: id, hashes, sizeBytes: 14 }]);
  expect(read).not.toHaveBeenCalled();
  const job = await setup.over(started?.id ?? 0);
  expect(job).toMatchObject({
    state: 'done',
    counts: { done: 1 },
    task: { kind: 'scan', engines: 'local', isWatched: true },
  });
  expect(await setup.files(job.id)).toMatchObject([{ sha256: hashes.sha256, hits: 1 }]);
  expect(await setup.scans.startWatched('without-rules', [{ stagedId: id, hashes, sizeBytes: 14 }])).toBeNull();
});

test('a copy that cannot be deleted prevents no scan', async () => {
  const files = [await setup.stage('one', 'twice'), await setup.stage('again', 'twice')];
  vi.spyOn(setup.staging, 'discard').mockImplementationOnce(() =>
    Promise.reject(new FailureError({ kind: 'disk-failed', path: '/data', code: 'EIO' })),
  );
  expect(await setup.scan({ files })).toMatchObject({ counts: { done: 1 } });
});
