import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { sweep } from '../../lab/lab.ts';
import { useTeam } from '../testing/team.fixture.ts';
import { HuntLab, useS3 } from './hunt-lab.fixture.ts';
import { leftOf, ManualWorker, nothingLeft, serveScans, soon } from './scan-lab.fixture.ts';

const { postgres, lab: labApart, token: tokenOf } = useTeam();
const s3 = useS3();
const long = { tags: ['long'], timeout: 600_000 };
const needle = 'rule needle : made { meta: author = "ana" strings: $a = "needle" condition: $a }';
/** It does not end for a file that begins so. */
const endless =
  'rule endless { strings: $a = "begin" condition: $a and for all i in (0..9223372036854775806) : (i >= 0) }';
const failure = (code: string, message: unknown) => ({ error: { code, message } });
const begun = (lab: HuntLab) => lab.count('SELECT count(*) FROM scan_request WHERE tries = 1 AND reply IS NULL');

test('a worker answers requests in the words of a lab that scans by itself', { timeout: 100_000 }, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const id = await lab.publish(needle);
  const lines: string[] = [];
  await lab.workHere(1, { fileBytes: 10, fileSeconds: 30 }, lines);
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  const scans = await serveScans(lab, 'workers');
  const publication = { id, version: '1', group: 'Release' };
  const strings = [{ id: '$a', offset: 2, length: 6, data: Buffer.from('needle').toString('hex') }];
  const match = { rule: 'needle', namespace: 'default', tags: ['made'], meta: { author: 'ana' }, strings };
  expect(await scans.scan('a needle')).toMatchObject({
    status: 200,
    text: JSON.stringify({ publication, matches: [match] }),
  });
  const large = await scans.scan('x'.repeat(11));
  expect([large.status, JSON.parse(large.text)]).toEqual([
    413,
    failure('body-too-large', 'The file is over the scan limit.'),
  ]);
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a file that ended its worker twice is given up', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(needle);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const reply = scans.scan('needle');
  const { job } = await worker.begin();
  await lab.stores.database.execute('UPDATE scan_request SET tries = 2');
  await lab.queue.fail(job, 'its worker ended');
  await lab.workHere();
  const { status, text } = await reply;
  expect([status, JSON.parse(text)]).toEqual([500, failure('scan-failed', 'The file ended its worker 2 times.')]);
});

test('a worker that cannot read a file fails its request with 503', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(needle);
  await lab.workHere();
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  const scans = await serveScans(lab, 'workers');
  s3().proxy.fault(/^GET .*blob/, { kind: 'refuse', status: 503, code: 'ServiceUnavailable' }, 100);
  const { status, retryAfter } = await scans.scan('needle');
  s3().proxy.reset();
  expect([status, retryAfter]).toEqual([503, '5']);
});

test('a worker that the store refuses leaves requests to others, and takes them again when it can', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(needle);
  const lines: string[] = [];
  await lab.workHere(2, undefined, lines);
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(2);
  const scans = await serveScans(lab, 'workers');
  s3().proxy.fault(/^GET/, { kind: 'refuse', status: 403, code: 'InvalidAccessKeyId' }, 10_000);
  onTestFinished(() => s3().proxy.reset());
  const { status, retryAfter, text } = await scans.scan('needle');
  expect([status, retryAfter, JSON.parse(text)]).toEqual([
    503,
    '5',
    failure('busy', 'No worker is running that could scan the file. Try again later.'),
  ]);
  expect(lines.filter((line) => line.includes('InvalidAccessKeyId'))).toHaveLength(1);
  const other = await new ManualWorker(lab).live();
  const reply = scans.scan('needle');
  const { job, request } = await other.begin();
  expect(request.tries).toBe(1);
  await other.requests.answer(job, { reply: '{"by":"another"}' });
  expect(await reply).toMatchObject({ status: 200, text: '{"by":"another"}' });
  await lab.hunts.noteGone('manual');
  s3().proxy.reset();
  await expect.poll(async () => (await scans.scan('needle')).status, soon).toBe(200);
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a worker whose hunt the store refuses takes no requests until the hunt continues', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(needle);
  await lab.add([Buffer.from('a needle')]);
  await lab.workHere();
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  const scans = await serveScans(lab, 'workers');
  s3().proxy.fault(/^GET/, { kind: 'refuse', status: 403, code: 'InvalidAccessKeyId' }, 10_000);
  onTestFinished(() => s3().proxy.reset());
  const number = await lab.hunts.begin(publication);
  await expect.poll(() => s3().proxy.count(/^GET .*\/lab$/), soon).toBeGreaterThan(0);
  expect(await scans.scan('needle')).toMatchObject({
    status: 503,
    text: expect.stringContaining('No worker is running'),
  });
  expect(await lab.hunts.hunt(number)).toMatchObject({ state: 'running', failed: 0 });
  s3().proxy.reset();
  await expect.poll(async () => (await lab.hunts.hunt(number))?.state, soon).toBe('done');
  await expect.poll(async () => (await scans.scan('needle')).status, soon).toBe(200);
});

test('a worker hands a request back when it ends, as if it had not begun it', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(needle);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const reply = scans.scan('needle');
  const first = await worker.begin();
  await worker.requests.handBack(first.job);
  const second = await worker.begin();
  expect(second.request).toMatchObject({ id: first.request.id, tries: 1 });
  await worker.requests.answer(first.job, { reply: '{"by":"the first"}' });
  await worker.requests.answer(second.job, { reply: '{"by":"the second"}' });
  expect((await reply).text).toBe('{"by":"the first"}');
});

test('replies and failures of workers are those of a lab that scans by itself', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(`${endless}\n${needle}\nrule many { strings: $a = { 00 } condition: $a }`);
  const limits = { fileBytes: 10_000, fileSeconds: 1 };
  const process = await serveScans(lab, 'process', { limits });
  const workers = await serveScans(lab, 'workers', { limits: { ...limits, fileSeconds: 60 } });
  await lab.workHere(1, limits);
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  const contents = ['a needle and a needle', 'nothing', '', Buffer.alloc(5_000), Buffer.alloc(10_001), 'begin needle'];
  for (const content of contents) {
    const expected = await process.scan(content);
    expect(await workers.scan(content)).toEqual(expected);
    expect(expected.status).toBe(content.length > 10_000 ? 413 : 200);
  }
  expect((await workers.scan('needle')).text).toContain('"left_out":["endless"]');
});

/** A request that a worker in a process of its own has begun. */
async function scannedApart() {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(needle);
  const scans = await serveScans(lab, 'workers');
  const killed = await lab.workApart();
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  const reply = scans.scan('needle');
  await expect.poll(() => begun(lab), soon).toBe(1);
  return { lab, killed, reply };
}

test('a worker killed in the middle of a request leaves it to another', long, async () => {
  const { lab, killed, reply } = await scannedApart();
  const gone = once(killed, 'exit');
  killed.kill('SIGKILL');
  await gone;
  await lab.workHere();
  const { status, text } = await reply;
  expect([status, text.includes('"rule":"needle"')]).toEqual([200, true]);
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a request fails when its only worker is killed in the middle of it', long, async () => {
  const { lab, killed, reply } = await scannedApart();
  killed.kill('SIGKILL');
  const { status, text } = await reply;
  expect([status, JSON.parse(text)]).toEqual([503, failure('busy', expect.stringContaining('No worker is running'))]);
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a worker ends its engine when the client leaves, and takes the next request', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(endless);
  const limits = { fileBytes: 1_000, fileSeconds: 300 };
  const scans = await serveScans(lab, 'workers', { limits });
  await lab.workHere(1, limits);
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  const client = scans.client(undefined, 'begin');
  client.end();
  await expect.poll(() => begun(lab), soon).toBe(1);
  client.destroy();
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
  await lab.publish(needle, '2');
  expect((await scans.scan('begin needle')).text).toContain('"rule":"needle"');
});

test('a worker that is asked to end gets no other request, and answers the one it has begun', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(`${endless}\n${needle}`);
  const scans = await serveScans(lab, 'workers');
  const worker = await lab.workHere(1, { fileBytes: 10_000, fileSeconds: 1 });
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  expect(await scans.scan('needle')).toMatchObject({ status: 200 });
  let isAnswered = false;
  const running = scans.scan('begin needle').finally(() => (isAnswered = true));
  await expect.poll(() => begun(lab), soon).toBe(1);
  const ended = worker.close(soon.timeout);
  const refused = await scans.scan('needle');
  expect([refused.status, refused.text, isAnswered]).toEqual([503, expect.stringContaining('No worker'), false]);
  expect(await running).toMatchObject({ status: 200, text: expect.stringContaining('"left_out":["endless"]') });
  await ended;
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a request is answered in the middle of a hunt', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const slow = 'rule slow { condition: for all i in (1..2500) : (uint8(i % filesize) < 256) }';
  const publication = await lab.publish(slow);
  await lab.add(Array.from({ length: 16 }, (_, at) => Buffer.from(`sample ${at}`)));
  const number = await lab.hunts.begin(publication);
  await lab.workHere();
  await expect.poll(async () => (await lab.hunts.hunt(number))?.done, soon).toBeGreaterThan(0);
  const scans = await serveScans(lab, 'workers');
  expect(await scans.scan('needle')).toMatchObject({ status: 200 });
  expect(await lab.hunts.hunt(number)).toMatchObject({ state: 'running' });
  await expect.poll(async () => (await lab.hunts.hunt(number))?.state, soon).toBe('done');
  expect(await lab.hunts.hunt(number)).toMatchObject({ done: 16, failed: 0 });
});

test('a request fails with 503 when PostgreSQL is restarted, and its worker answers the next', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(needle);
  const scans = await serveScans(lab, 'workers');
  await lab.workHere();
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(1);
  const reply = scans.scan('needle');
  await expect.poll(() => begun(lab), soon).toBe(1);
  await postgres.stop();
  expect(await reply).toMatchObject({ status: 503, retryAfter: '5' });
  await postgres.start();
  await expect.poll(async () => (await scans.scan('needle')).status, soon).toBe(200);
  await lab.stores.database.execute(`UPDATE scan_request SET expires = now() - interval '1 hour'`);
  await expect.poll(() => leftOf(lab), soon).toMatchObject({ places: 0, rows: 0 });
});

test('a sweep removes the file of a request whose lab was killed', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(needle);
  const worker = await new ManualWorker(lab).live();
  const killed = await labApart(lab.addresses, '--scan-by', 'workers');
  const token = await tokenOf(lab.addresses);
  const body = new FormData();
  body.append('files[]', new Blob(['needle']), 'a.exe');
  const reply = killed.askRules(token, 'scanfile', {}, { method: 'POST', body }).catch(() => null);
  const { job } = await worker.begin();
  await killed.kill();
  expect(await reply).toBeNull();
  await worker.requests.answer(job, { reply: '{}' });
  expect(await leftOf(lab)).toEqual({ places: 1, rows: 1, jobs: 0 });
  expect(await sweep(lab.stores, 60_000)).toBe(0);
  // Of any age, by a clock that counts seconds.
  expect(await sweep(lab.stores, -60_000)).toBe(1);
  await lab.stores.database.execute(`UPDATE scan_request SET expires = now() - interval '1 hour'`);
  await worker.requests.removeExpired();
  expect(await leftOf(lab)).toEqual(nothingLeft);
});
