import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { HuntLab, useS3 } from './hunt-lab.fixture.ts';
import { QueueScanner } from './queue-scanner.ts';
import { leftOf, ManualWorker, nothingLeft, serveScans, soon, statusOf } from './scan-lab.fixture.ts';

const postgres = usePostgres();
const s3 = useS3();
const rules = 'rule needle { strings: $a = "needle" condition: $a }';
const refusal = (code: string, message: unknown) => ({ error: { code, message } });

test('the file of a request is in the store without a record until it is answered', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const reply = scans.scan('a needle', 'näme.exe');
  const { job, request } = await worker.begin();
  expect(request).toMatchObject({ publication, name: 'näme.exe', tries: 1, blob: { sizeBytes: 8 } });
  const chunks: Uint8Array[] = [];
  for await (const chunk of lab.stores.blobs.read(request.blob)) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('a needle');
  for await (const chunk of (await lab.stores.bucket.get(request.blob.place)).bytes)
    expect(Buffer.from(chunk).includes('needle')).toBe(false);
  expect(await leftOf(lab)).toEqual({ places: 1, rows: 1, jobs: 1 });
  expect(await lab.count('SELECT count(*) FROM sample')).toBe(0);
  expect(await lab.stores.metadata.unknownAmong([request.blob.place])).toEqual([request.blob.place]);
  expect(await scans.metrics()).toContain('vitrine_lab_scan_queue 1\n');
  await worker.requests.answer(job, { reply: '{"matches":[]}' });
  expect(await reply).toEqual({ status: 200, retryAfter: null, text: '{"matches":[]}' });
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a failure of a worker is the reply of the lab, and what it cannot read is 503', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const failed = scans.scan('needle');
  const first = await worker.begin();
  await worker.requests.answer(first.job, { code: 'scan-failed', message: 'The rules crashed the engine.' });
  expect(await failed).toMatchObject({
    status: 500,
    text: JSON.stringify(refusal('scan-failed', 'The rules crashed the engine.')),
  });
  const unavailable = scans.scan('needle');
  const second = await worker.begin();
  await worker.requests.answer(second.job, { code: 'unavailable', message: 'The store is away.' });
  expect(await unavailable).toMatchObject({ status: 503, retryAfter: '5' });
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a file is refused before it is read when no worker lives, or too many files wait', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  const scans = await serveScans(lab, 'workers');
  const none = await scans.scan('needle');
  expect([none.status, none.retryAfter, JSON.parse(none.text)]).toEqual([
    503,
    '5',
    refusal('busy', 'No worker is running that could scan the file. Try again later.'),
  ]);
  expect(await statusOf(scans.client(100))).toBe(503);
  // One of the release before.
  await lab.stores.database.execute(`INSERT INTO scan_worker VALUES ('old', 4, now())`);
  expect(await scans.scan('needle')).toEqual(none);
  await new ManualWorker(lab).live(2);
  await lab.stores.database.execute(`
    INSERT INTO scan_request (id, publication, name, sha256, size, place, expires)
      SELECT gen_random_uuid(), 'p', '', '', 1, 'nowhere', now() + interval '1 minute' FROM generate_series(1, 40)`);
  const full = await scans.scan('needle');
  expect([full.status, full.retryAfter, JSON.parse(full.text)]).toEqual([
    503,
    '5',
    refusal('busy', '40 files wait to be scanned. Try again later.'),
  ]);
  expect(await statusOf(scans.client(100))).toBe(503);
  expect(await leftOf(lab)).toEqual({ places: 0, rows: 40, jobs: 0 });
  await expect.poll(() => scans.metrics(), soon).toContain('vitrine_lab_scans_total{outcome="busy"} 5\n');
});

test('labs that add at the same moment add no more than may wait', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const [one, other] = [await new ManualWorker(lab).live(), new ManualWorker(lab)];
  const blob = { sha256: '0'.repeat(64), sizeBytes: 1, place: 'nowhere' };
  const adding = Array.from({ length: 30 }, (_, at) =>
    (at % 2 === 0 ? one : other).requests.add({ id: randomUUID(), publication: 'p', name: 'a', blob }, 60),
  );
  const outcomes = await Promise.allSettled(adding);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(await leftOf(lab)).toMatchObject({ rows: 20, jobs: 20 });
});

test('a lab receives 16 files at a time, and the next when their clients have left', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const clients = Array.from({ length: 17 }, () => scans.client(100));
  expect(await Promise.race(clients.map(statusOf))).toBe(503);
  for (const client of clients) client.destroy();
  await expect.poll(() => scans.metrics(), soon).toContain('vitrine_lab_scans_total{outcome="left"} 16\n');
  const one = scans.client();
  one.end();
  await expect.poll(() => leftOf(lab), soon).toEqual({ places: 1, rows: 1, jobs: 1 });
  one.destroy();
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a client that leaves takes its request out of the queue and its file out of the store', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const waiting = scans.client();
  waiting.end();
  await expect.poll(() => worker.requests.waiting(), soon).toBe(1);
  waiting.destroy();
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
  const begun = scans.client();
  begun.end();
  const { job } = await worker.begin();
  expect(await lab.queue.isStillOurs(job)).toBe(true);
  begun.destroy();
  await expect.poll(() => lab.queue.isStillOurs(job), soon).toBe(false);
  await worker.requests.answer(job, { reply: '{}' });
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
  await expect.poll(() => scans.metrics(), soon).toContain('vitrine_lab_scans_total{outcome="left"} 2\n');
});

test('requests are answered when the connection for notifications is lost, and when it never comes', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const listening = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vitrine-lab-listener'
                     AND datname = current_database()`;
  await expect.poll(() => lab.count(listening), soon).toBe(1);
  const reply = scans.scan('needle');
  const { job } = await worker.begin();
  await lab.stores.database.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'vitrine-lab-listener' AND datname = current_database()`);
  await worker.requests.answer(job, { reply: '{}' });
  expect(await reply).toMatchObject({ status: 200, text: '{}' });
  await expect.poll(() => lab.count(listening), soon).toBe(1);

  const deaf = new QueueScanner({
    blobs: lab.stores.blobs,
    requests: worker.requests,
    address: readDatabaseAddress('postgres://nobody@127.0.0.1:1/lab'),
    limits: { fileBytes: 100, fileSeconds: 1 },
    report: (error) => expect.fail(String(error)),
  });
  const publication = await lab.stores.metadata.currentPublication();
  if (publication === null) throw new TypeError('it was published');
  let polled: string | null = null;
  const lent = deaf.lend(async ({ write, scan }) => {
    await write(Buffer.from('needle'));
    polled = await scan(publication, 'a', new AbortController().signal);
  });
  const next = await worker.begin();
  await worker.requests.answer(next.job, { reply: '{"by":"poll"}' });
  await lent;
  expect(polled).toBe('{"by":"poll"}');
  await deaf.close();
});

test('a request fails with 503 when its last worker is gone, and when its row is lost', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const left = scans.scan('needle');
  await worker.begin();
  await lab.hunts.noteGone('manual');
  expect(JSON.parse((await left).text)).toEqual(refusal('busy', expect.stringContaining('No worker is running')));
  await worker.live();
  const lost = scans.scan('needle');
  await worker.begin();
  await lab.stores.database.execute('DELETE FROM scan_request');
  expect(JSON.parse((await lost).text)).toEqual(refusal('unavailable', expect.anything()));
  await expect.poll(() => leftOf(lab), soon).toEqual(nothingLeft);
});

test('a lab that ends gives up its requests and leaves nothing', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const cut = scans.scan('needle').catch(() => 'cut off');
  await worker.begin();
  await scans.close();
  expect(await cut).toBe('cut off');
  expect(await leftOf(lab)).toEqual(nothingLeft);
});

test('what a killed lab left of its requests is removed with time', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const { requests } = await new ManualWorker(lab).live();
  const receiver = lab.stores.blobs.receive();
  await receiver.write(Buffer.from('needle'));
  const { hashes, ...sealed } = await receiver.seal();
  await requests.add({ id: randomUUID(), publication: 'p', name: 'a', blob: { ...sealed, sha256: hashes.sha256 } }, 60);
  await requests.removeExpired();
  expect(await leftOf(lab)).toEqual({ places: 1, rows: 1, jobs: 1 });
  await lab.stores.database.execute(`UPDATE scan_request SET expires = now() - interval '2 minutes'`);
  const job = await lab.queue.takeRequest();
  if (job === null) throw new TypeError('there is no job');
  expect(await requests.begin(job)).toBeNull();
  await requests.complete(job);
  await requests.removeExpired();
  expect(await leftOf(lab)).toEqual({ places: 1, rows: 0, jobs: 0 });
  await receiver.abort();
});

test('PostgreSQL, ended in the middle of a request, fails it with 503, and the next is answered', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules);
  const worker = await new ManualWorker(lab).live();
  const scans = await serveScans(lab, 'workers');
  const reply = scans.scan('needle');
  await worker.begin();
  await postgres.kill();
  expect(await reply).toMatchObject({ status: 503, retryAfter: '5' });
  await postgres.start();
  await expect
    .poll(
      () =>
        worker.live().then(
          () => true,
          () => false,
        ),
      soon,
    )
    .toBe(true);
  expect(await leftOf(lab)).toMatchObject({ places: 0, rows: 0 });
  const again = scans.scan('needle');
  const { job } = await worker.begin();
  await worker.requests.answer(job, { reply: '{}' });
  expect(await again).toMatchObject({ status: 200 });
});
