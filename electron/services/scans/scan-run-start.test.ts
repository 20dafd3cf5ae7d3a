import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { fail, FailureError } from '../../../shared/failure.ts';
import { openScanDesk, type ScanDesk, sha256Of, team } from './scans.fixture.ts';

let desk: ScanDesk;
beforeAll(async () => {
  desk = await openScanDesk({ baseUrl: 'http://127.0.0.1:9' });
  await desk.install('rule finds { condition: true }\n');
});
afterEach(() => {
  vi.restoreAllMocks();
  desk.requireSound();
});
afterAll(() => desk.close());

const diskFull = (): never => fail({ kind: 'disk-full', path: '/data' });

test('files whose scan could not be begun can be handed over again, copies and unread ones too', async () => {
  const files = [
    await desk.stage('one', 'handed over'),
    await desk.stage('again', 'handed over'),
    await desk.stage('gone', 'gone'),
  ];
  rmSync(desk.staging.sourceOf(files[2]?.id ?? '')?.path ?? '');
  await expect(desk.start({ files, samples: [sha256Of('not there')] })).rejects.toMatchObject({
    failure: { kind: 'not-in-vault' },
  });
  vi.spyOn(desk.jobs, 'begin').mockImplementationOnce(diskFull);
  await expect(desk.start({ files })).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  expect(desk.jobs.list()).toEqual([]);
  expect(await desk.scan({ files })).toMatchObject({
    items: 1,
    counts: { done: 1 },
    notices: [{ kind: 'file-gone', name: 'gone' }],
  });
});

test('why a scan could not be begun is told, also when its draft cannot be forgotten', async () => {
  const files = [await desk.stage('one', 'kept over two failures')];
  vi.spyOn(desk.jobs, 'begin').mockImplementationOnce(diskFull);
  vi.spyOn(desk.jobs, 'forget').mockImplementationOnce(() => fail({ kind: 'disk-failed', path: '/data', code: 'EIO' }));
  await expect(desk.start({ files })).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  expect(await desk.scan({ files })).toMatchObject({ counts: { done: 1 } });
});

test('files of the watched folder are scanned locally with the data already read, as their job states', async () => {
  const { id } = await desk.stage('came.bin', 'came by itself');
  const read = vi.spyOn(desk.staging, 'sourceOf');
  const hashes = { md5: 'a'.repeat(32), sha1: 'b'.repeat(40), sha256: sha256Of('came by itself') };
  const started = await desk.scans.startWatched(team, [{ stagedId: id, hashes, sizeBytes: 14 }]);
  expect(read).not.toHaveBeenCalled();
  const job = await desk.over(started?.id ?? 0);
  expect(job).toMatchObject({
    state: 'done',
    counts: { done: 1 },
    task: { kind: 'scan', engines: 'local', isWatched: true },
  });
  expect(await desk.files(job.id)).toMatchObject([{ sha256: hashes.sha256, hits: 1 }]);
  expect(await desk.scans.startWatched('without-rules', [{ stagedId: id, hashes, sizeBytes: 14 }])).toBeNull();
});

test('a copy that cannot be thrown away keeps no scan from being begun', async () => {
  const files = [await desk.stage('one', 'twice'), await desk.stage('again', 'twice')];
  vi.spyOn(desk.staging, 'discard').mockImplementationOnce(() =>
    Promise.reject(new FailureError({ kind: 'disk-failed', path: '/data', code: 'EIO' })),
  );
  expect(await desk.scan({ files })).toMatchObject({ counts: { done: 1 } });
});
