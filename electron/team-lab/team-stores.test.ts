import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { OperatorError } from '../lab/errors.ts';
import { sweep } from '../lab/lab.ts';
import { file, formHeaders, multipart } from '../lab/multipart-body.fixture.ts';
import { takeIn } from '../lab/stores/blob-store.ts';
import { placesOf } from '../lab/stores/blob-store.fixture.ts';
import { newSample } from '../lab/stores/new-sample.fixture.ts';
import { openTeamStores, type TeamStores } from './team-stores.ts';
import { testKeys } from './testing/s3.fixture.ts';
import { runTeam, type TeamPlace, useTeam } from './testing/team.fixture.ts';

const team = useTeam();
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', testKeys.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', testKeys.secretAccessKey);
});
afterEach(() => vi.unstubAllEnvs());

async function open(place: TeamPlace): Promise<TeamStores> {
  const stores = await openTeamStores(place, () => {});
  onTestFinished(() => stores.close());
  return stores;
}

async function addTo(stores: TeamStores): Promise<void> {
  const { hashes: _hashes, place: _place, sizeBytes: _sizeBytes, ...facts } = newSample('a').sample;
  await takeIn(stores, [randomBytes(100)], facts, []);
}

const anyAge = -60_000;
const eicar = '44d88612fea8a8f36de82e1278abb02f';

test('a lab over another database leaves the samples of a shared bucket, and does not start there again', async () => {
  const place = await team.place();
  const otherPlace = { ...(await team.place()), blobs: place.blobs };
  const [own, other] = [await open(place), await open(otherPlace)];
  await addTo(own);
  expect(await sweep(own, anyAge)).toBe(0);
  await addTo(other);
  await expect(sweep(other, anyAge)).rejects.toThrow(OperatorError);
  expect(await placesOf(own.blobs)).toHaveLength(2);
  expect(await sweep(own, anyAge)).toBe(1);
  await expect(open(otherPlace)).rejects.toThrow(/holds samples of another database/);
  await open(place);
});

test('labs over two new databases that begin to sweep one bucket at once leave what they do not know', async () => {
  const place = await team.place();
  const [own, other] = [await open(place), await open({ ...(await team.place()), blobs: place.blobs })];
  await addTo(own);
  await addTo(other);
  const { proxy } = team.s3();
  proxy.reset();
  const swept = Promise.withResolvers<void>();
  // It has seen that the bucket is of no database yet, and writes its own number after the whole sweep of the first.
  proxy.fault(/^GET .*\/lab$/, { kind: 'wait', until: swept.promise });
  const later = sweep(other, anyAge);
  await expect.poll(() => proxy.count(/^GET .*\/lab$/)).toBe(1);
  expect(await sweep(own, anyAge)).toBe(0);
  swept.resolve();
  expect(await later).toBe(0);
  expect(await placesOf(own.blobs)).toHaveLength(2);
  await expect(sweep(own, anyAge)).rejects.toThrow(OperatorError);
});

test('labs over one database sweep one bucket in any order', async () => {
  const place = await team.place();
  const [one, other] = [await open(place), await open(place)];
  await addTo(one);
  expect(await Promise.all([sweep(one, anyAge), sweep(other, anyAge)])).toEqual([0, 0]);
  expect(await sweep(other, anyAge)).toBe(0);
});

/** Removed after the test. */
async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-team-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test.each([
  ['serve', '--listen', '127.0.0.1:0'],
  ['work'],
  ['sweep'],
  ['verify'],
  ['add', import.meta.filename],
  ['publish', '--version', '1', '--group', 'Release', 'own:rules.yar'],
  ['move', '--to', 'own:new'],
  ['migrate', '--stock'],
])('%s ends with one sentence when there is no such bucket', async (...args) => {
  const place = await team.place();
  const blobs = place.blobs.replace('/samples/', '/nowhere/');
  const own = await folder();
  await writeFile(join(own, 'rules.yar'), 'rule any { condition: true }');
  const { code, remarks } = await team.command(
    { ...place, blobs },
    ...args.map((argument) => argument.replace('own:', `${own}/`)),
  );
  const words = remarks.split('\n').find((line) => line.includes('bucket')) ?? '';
  expect([code, remarks.split(words).length]).toEqual([1, 2]);
  expect(words.startsWith(`The bucket ${blobs} refused: 404 NoSuchBucket`)).toBe(true);
  expect(words.endsWith('Create the bucket first.')).toBe(true);
  expect(remarks).not.toMatch(/^ +at /m);
});

test('a lab whose key is unknown to the store, or wrong, ends with one sentence that does not show it', async () => {
  const place = await team.place();
  const keyFile = join(await folder(), 'keys');
  await writeFile(keyFile, 'canary-id\ncanary-secret\n');
  const serve = ['serve', '--listen', '127.0.0.1:0'];
  const unknown = await runTeam(place, serve, { VITRINE_LAB_S3_KEY_FILE: keyFile });
  team.s3().proxy.fault(/^GET .*\/lab$/, { kind: 'refuse', status: 403, code: 'SignatureDoesNotMatch' });
  const wrong = await runTeam(place, serve, { VITRINE_LAB_S3_KEY_FILE: keyFile });
  for (const [{ code, results, remarks }, reason] of [
    [unknown, '403 InvalidAccessKeyId'],
    [wrong, '403 SignatureDoesNotMatch'],
  ] as const) {
    expect([code, results, remarks.trim().split('\n')]).toEqual([
      1,
      '',
      [expect.stringMatching(`^The bucket .* refused: ${reason} .*Check VITRINE_LAB_S3_KEY_FILE`)],
    ]);
    expect(remarks).not.toContain('canary');
  }
});

test('a lab whose keys are revoked while it serves answers 503, and logs the reason', async () => {
  const place = await team.place();
  await team.command(place, 'migrate', '--stock');
  const token = await team.token(place);
  const lab = await team.lab(place);
  const { proxy } = team.s3();
  proxy.fault(/\/blob\//, { kind: 'refuse', status: 403, code: 'AccessDenied' }, 9);
  const body = multipart(file('a', randomBytes(100)));
  for (const reply of [
    await lab.ask(token, 'downloadfile', { file: eicar }),
    await lab.ask(token, 'uploadfiles', {}, { method: 'POST', headers: formHeaders, body }),
  ]) {
    expect([reply.status, reply.headers.get('retry-after'), await reply.text()]).toEqual([
      503,
      '5',
      expect.stringMatching(/unavailable.*its log has the reason/i),
    ]);
  }
  expect(lab.printed().match(/403 AccessDenied/g)).toHaveLength(2);
  proxy.reset();
  expect((await lab.ask(token, 'downloadfile', { file: eicar })).status).toBe(200);
  await lab.stop();
});

test('a lab whose bucket does not answer starts, and logs that', { tags: ['long'] }, async () => {
  const place = await team.place();
  await team.command(place, 'migrate');
  team.s3().proxy.fault(/^GET .*\/lab$/, { kind: 'hang', afterBytes: 0 });
  const lab = await team.lab(place);
  expect((await fetch(`${lab.origin}/readyz`)).status).toBe(200);
  expect(lab.printed()).toContain('did not answer within 2 s');
  await lab.stop();
  team.s3().proxy.fault(/^GET .*\/lab$/, { kind: 'refuse', status: 503, code: 'SlowDown' }, 9);
  const busy = await team.lab(place);
  expect(busy.printed()).toContain('SlowDown');
  await busy.stop();
  team.s3().proxy.reset();
});
