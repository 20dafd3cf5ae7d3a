import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sampleRecord } from '../../../../shared/domain/sample.ts';
import { temporaryFolder } from '../../../base/temporary-folder.fixture.ts';
import {
  createTestBulkDownloads,
  md5Of,
  type Repository,
  repositoryOf,
  samplesNamed,
  sha256Of,
  type TestBulkDownloads,
  zipOf,
} from './bulk-downloads.fixture.ts';

const unknownName = (number: number): string => md5Of(Buffer.from(`nobody has ${number}`));
const bulkRequests = ({ requests }: TestBulkDownloads) => requests.filter(({ action }) => action === 'bulkdownload');
const askedInBulk = (setup: TestBulkDownloads): string[] => bulkRequests(setup).flatMap(({ hashes }) => hashes);
const keptIn = async (setup: TestBulkDownloads, bytes: Uint8Array): Promise<boolean> =>
  setup.vault.has(sha256Of(bytes));

test('every hash has its outcome: available samples come in one request, bad ones are found alone', async () => {
  const samples = samplesNamed(...Array.from({ length: 20 }, (_, index) => `sample ${index}`));
  const known = [...samples.keys()];
  const forbidden = known[7] ?? '';
  const unknown = [unknownName(1), unknownName(2)];
  const setup = await createTestBulkDownloads(repositoryOf(samples, new Set([forbidden])));

  const job = await setup.download([...known.slice(0, 5), ...unknown, ...known.slice(5)]);

  expect(job).toMatchObject({
    state: 'done',
    failure: null,
    counts: { done: 19, unknown: 2, forbidden: 1, waiting: 0 },
  });
  const outcomes = await setup.outcomesOf(job.id);
  expect(unknown.map((hash) => outcomes[hash])).toEqual(['unknown', 'unknown']);
  expect(outcomes[forbidden]).toBe('forbidden');
  for (const [md5, bytes] of samples) expect(await keptIn(setup, bytes)).toBe(md5 !== forbidden);
});

test('a bulk download requests no sample of the vault, and two hashes of one sample once', async () => {
  const samples = samplesNamed('one', 'two', 'three');
  const [one = '', two = '', three = ''] = samples.keys();
  const setup = await createTestBulkDownloads(repositoryOf(samples));
  await setup.download([one]);
  setup.requests.length = 0;

  const sha256OfOne = sha256Of(samples.get(one) ?? Buffer.alloc(0));
  const job = await setup.download([sha256OfOne, one, two, three]);

  expect(job.counts).toMatchObject({ 'already-here': 2, done: 2 });
  expect(askedInBulk(setup).toSorted()).toEqual([two, three].toSorted());
});

test('an unknown SHA-256 needs an MD5, and is requested when a retry can resolve it', async () => {
  const samples = samplesNamed('late');
  const [[md5 = '', bytes = Buffer.alloc(0)] = []] = samples;
  const setup = await createTestBulkDownloads(repositoryOf(samples));
  const job = await setup.download([sha256Of(bytes)]);
  expect(job.counts['needs-md5']).toBe(1);
  await setup.download([md5]);

  setup.jobs.retry(job.id, ['needs-md5']);
  expect((await setup.settled(job.id)).counts).toMatchObject({ 'needs-md5': 0, 'already-here': 1 });
});

test('a bulk download continues with the missing samples after an interrupted connection', async () => {
  const samples = samplesNamed(...Array.from({ length: 10 }, (_, index) => `cut ${index}`));
  const whole = repositoryOf(samples);
  let cuts = 1;
  const setup = await createTestBulkDownloads(async (asked, response) => {
    if (asked.action !== 'bulkdownload' || cuts === 0) return whole(asked, response);
    cuts -= 1;
    const zip = await zipOf(asked.hashes.map((hash) => [hash, samples.get(hash) ?? Buffer.alloc(0)]));
    response.writeHead(200, { 'Content-Length': zip.length });
    response.write(zip.subarray(0, Math.floor(zip.length * 0.4)), () => response.destroy());
  });

  const job = await setup.download([...samples.keys()]);

  expect(job.counts.done).toBe(10);
  const [first, second] = bulkRequests(setup);
  expect(first?.hashes).toHaveLength(10);
  expect(second?.hashes.length).toBeGreaterThan(0);
  expect(second?.hashes.length).toBeLessThan(10);
});

test.each<[string, (response: ServerResponse, archive: Buffer, due: number) => void]>([
  ['breaks off', (response, archive, due) => response.write(archive.subarray(0, due), () => response.destroy())],
  ['ends in the middle', (response, archive, due) => response.end(archive.subarray(0, due))],
  [
    'is cut off within gzip',
    (response, archive, due) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(archive).subarray(0, due)),
  ],
])('a sample whose archive %s each time is fetched alone', async (_, send) => {
  const samples = new Map([randomBytes(1000), randomBytes(1000)].map((bytes) => [md5Of(bytes), bytes]));
  const [wholeMd5 = '', halfMd5 = ''] = samples.keys();
  const whole = repositoryOf(samples);
  const setup = await createTestBulkDownloads(async (asked, response) => {
    if (asked.action !== 'bulkdownload') return whole(asked, response);
    const archive = await zipOf(asked.hashes.map((hash) => [hash, samples.get(hash) ?? Buffer.alloc(0)]));
    send(response, archive, asked.hashes.includes(wholeMd5) ? 1500 : 500);
  });
  const job = await setup.download([wholeMd5, halfMd5]);
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 } });
  for (const bytes of samples.values()) expect(await keptIn(setup, bytes)).toBe(true);
  expect(setup.requests.filter(({ action }) => action === 'downloadfile')).toEqual([
    { action: 'downloadfile', hashes: [halfMd5] },
  ]);
});

test('a sample that the server cannot put into an archive is fetched alone', async () => {
  const samples = samplesNamed('small', 'large');
  const [, large = ''] = samples.keys();
  const whole = repositoryOf(samples);
  const setup = await createTestBulkDownloads((asked, response) =>
    asked.action === 'bulkdownload' && asked.hashes.includes(large)
      ? void response.writeHead(500).end()
      : whole(asked, response),
  );
  const job = await setup.download([...samples.keys()]);
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect(setup.requests.map(({ action }) => action)).toEqual([
    'bulkdownload',
    'bulkdownload',
    'bulkdownload',
    'getfile',
    'downloadfile',
  ]);
});

test('lists stay under the length limit of an address', async () => {
  const samples = samplesNamed(...Array.from({ length: 40 }, (_, index) => `many ${index}`));
  const setup = await createTestBulkDownloads(repositoryOf(samples), { bulkUrlBytes: 600 });
  const job = await setup.download([...samples.keys()]);
  expect(job.counts.done).toBe(40);
  for (const { hashes } of bulkRequests(setup)) expect(hashes.length).toBeLessThanOrEqual(13);
  expect(askedInBulk(setup)).toHaveLength(40);
});

test('a service without bulkdownload gets one request per sample', async () => {
  const samples = samplesNamed('a', 'b', 'c');
  const whole = repositoryOf(samples);
  const setup = await createTestBulkDownloads((asked, response) =>
    asked.action === 'bulkdownload' ? void response.writeHead(404).end() : whole(asked, response),
  );
  const job = await setup.download([...samples.keys(), unknownName(1)]);
  expect(job.counts).toMatchObject({ done: 3, unknown: 1 });
  for (const bytes of samples.values()) expect(await keptIn(setup, bytes)).toBe(true);
});

test('an entry that differs from its name is a mismatch, and its bytes are not kept', async () => {
  const samples = samplesNamed('good', 'bad');
  const [good = '', bad = ''] = samples.keys();
  const other = Buffer.from('other bytes');
  const setup = await createTestBulkDownloads(
    async (_, response) =>
      void response.end(
        await zipOf([
          [good, samples.get(good) ?? other],
          [bad, other],
        ]),
      ),
  );
  const job = await setup.download([good, bad]);
  expect(job.counts).toMatchObject({ done: 1, mismatch: 1 });
  expect(await keptIn(setup, other)).toBe(false);
  expect((await setup.itemsOf(job.id)).find(({ hash }) => hash === bad)?.failure).toMatchObject({
    kind: 'wrong-bytes',
    md5: bad,
    actualMd5: md5Of(other),
  });
});

test('an entry that was not requested is dropped and reported, one that is left out has its own reason', async () => {
  const samples = samplesNamed('asked', 'left out');
  const [asked = '', leftOut = ''] = samples.keys();
  const stray = Buffer.from('nobody asked');
  const setup = await createTestBulkDownloads(async ({ action, hashes }, response) => {
    if (action === 'getfile')
      return void response.end(JSON.stringify({ file: hashes[0] === leftOut ? { md5: leftOut } : null }));
    return void response.end(
      await zipOf([
        [asked, samples.get(asked) ?? stray],
        [md5Of(stray), stray],
        ['../../evil', stray],
      ]),
    );
  });
  const job = await setup.download([asked, leftOut, unknownName(3)]);
  expect(job.counts).toMatchObject({ done: 1, failed: 1, unknown: 1 });
  expect(job.notices.map(({ kind }) => kind).toSorted()).toEqual(['archive-entry-unasked', 'archive-entry-unasked']);
  expect(await keptIn(setup, stray)).toBe(false);
});

const named: Record<string, (md5: string, number: number) => string> = {
  'files/<md5>': (md5) => `files/${md5}`,
  '<md5>.bin': (md5) => `${md5}.bin`,
  'upper case': (md5) => md5.toUpperCase(),
  'names of their own': (_, number) => `malware ${number}.exe`,
  'one name': () => 'malware.exe',
  'paths out of the archive': (_, number) => `..\\..\\${number}`,
  'the MD5s of others': (_, number) => unknownName(number),
};

test.each(Object.entries(named))('entries called %s are identified as samples by their bytes', async (_, nameOf) => {
  const large = randomBytes(9 * 1024 * 1024);
  const samples = new Map([...samplesNamed('one', 'two'), [md5Of(large), large], ...samplesNamed('three')]);
  const setup = await createTestBulkDownloads(
    async (__, response) =>
      void response.end(await zipOf([...samples].map(([md5, bytes], number) => [nameOf(md5, number), bytes]))),
  );
  const job = await setup.download([...samples.keys()]);
  expect(job).toMatchObject({ state: 'done', counts: { done: 4 }, noticeCount: 0 });
  for (const bytes of samples.values()) expect(await keptIn(setup, bytes)).toBe(true);
  expect(setup.requests).toHaveLength(1);
});

test('entries with equal bytes are one sample, and the others are reported', async () => {
  const samples = samplesNamed('equal', 'other');
  const [[equal = '', bytes = Buffer.alloc(0)] = [], [other = '', others = bytes] = []] = samples;
  const large = randomBytes(9 * 1024 * 1024);
  const entries = [
    [equal, bytes],
    ['copy.exe', bytes],
    ['l', large],
    ['large copy', large],
    [other, others],
  ] as const;
  const setup = await createTestBulkDownloads(async (_, response) => void response.end(await zipOf(entries)));
  const job = await setup.download([equal, other, md5Of(large)]);
  expect(job).toMatchObject({ state: 'done', counts: { done: 3 } });
  expect(job.notices.map(({ kind }) => kind)).toEqual(['archive-duplicate', 'archive-duplicate']);
});

test('stray bytes after the archive are no failure', async () => {
  const samples = samplesNamed('stray');
  const setup = await createTestBulkDownloads(
    async ({ hashes }, response) =>
      void response.end(
        Buffer.concat([
          await zipOf(hashes.map((hash) => [hash, samples.get(hash) ?? Buffer.alloc(0)])),
          Buffer.from('{}'),
        ]),
      ),
  );
  expect((await setup.download([...samples.keys()])).counts.done).toBe(1);
});

test.each(['AES256', 'ZipCrypto'])('an archive encrypted with %s is opened with the usual password', async (method) => {
  const folder = temporaryFolder();
  const samples = samplesNamed('sealed one', 'sealed two');
  for (const [md5, bytes] of samples) writeFileSync(join(folder, md5), bytes);
  execFileSync('7z', ['a', '-tzip', '-pinfected', `-mem=${method}`, join(folder, 'sealed.zip'), ...samples.keys()], {
    cwd: folder,
  });
  const zip = execFileSync('cat', [join(folder, 'sealed.zip')]);
  const setup = await createTestBulkDownloads((_, response) => void response.end(zip));
  expect((await setup.download([...samples.keys()])).counts.done).toBe(2);
  expect(readdirSync(folder)).toContain('sealed.zip');
});

test('a large sample is streamed, not held whole, and the archive continues after it', async () => {
  const large = randomBytes(9 * 1024 * 1024);
  const samples = new Map([[md5Of(large), large], ...samplesNamed('after it')]);
  const setup = await createTestBulkDownloads(repositoryOf(samples));
  const job = await setup.download([...samples.keys()]);
  expect(job.counts.done).toBe(2);
  expect(await keptIn(setup, large)).toBe(true);
});

test('an outdated record does not make good bytes a mismatch', async () => {
  const samples = samplesNamed('renewed');
  const [[md5 = '', bytes = Buffer.alloc(0)] = []] = samples;
  const setup = await createTestBulkDownloads(
    async ({ action }, response) =>
      void response.end(
        action === 'getfile'
          ? JSON.stringify({ file: { md5, sha256: sha256Of(bytes) } })
          : action === 'downloadfile'
            ? bytes
            : await zipOf([[md5, bytes]]),
      ),
  );
  const { library } = setup.stores;
  const old = sampleRecord.parse({ ...emptyRecord, md5, sha256: '0'.repeat(64) });
  library.recordLookup({ workspaceId: 'team', md5, record: old, outcome: 'found' });
  expect((await setup.download([md5])).counts).toMatchObject({ done: 1, mismatch: 0 });
});

test('a service that answers with text halts the job with a report, and leaves the rest waiting', async () => {
  const setup = await createTestBulkDownloads(
    (_, response) => void response.end('Out of order. Come back on Monday, please, with something to read.'),
  );
  const job = await setup.download(Array.from({ length: 100 }, (_, index) => unknownName(index)));
  expect(job.state).toBe('paused');
  expect(job.failure?.kind).toMatch(/not-an-archive|unreadable-reply|request-refused/);
  expect(setup.requests.length).toBeLessThan(80);
});

test('a refused token halts the job at once; once accepted, the job resumes where it was', async () => {
  const samples = samplesNamed('a', 'b');
  const whole = repositoryOf(samples);
  let accepts = false;
  const setup = await createTestBulkDownloads((asked, response) =>
    accepts ? whole(asked, response) : void response.writeHead(401).end(),
  );
  const halted = await setup.download([...samples.keys()]);
  expect(halted).toMatchObject({ state: 'paused', failure: { kind: 'token-refused' }, counts: { waiting: 2 } });
  expect(setup.requests).toHaveLength(1);

  accepts = true;
  setup.jobs.resume(halted.id);
  expect(await setup.settled(halted.id)).toMatchObject({ state: 'done', failure: null, counts: { done: 2 } });
});

test('a download continues after a restart and requests nothing that was already stored', async () => {
  const samples = samplesNamed(...Array.from({ length: 12 }, (_, index) => `resumed ${index}`));
  const whole = repositoryOf(samples);
  const stall: { release: () => void } = { release: () => {} };
  const repository: Repository = async (asked, response) => {
    if (asked.action !== 'bulkdownload' || asked.hashes.length < 12) return whole(asked, response);
    const zip = await zipOf(asked.hashes.map((hash) => [hash, samples.get(hash) ?? Buffer.alloc(0)]));
    response.writeHead(200, { 'Content-Length': zip.length });
    response.write(zip.subarray(0, Math.floor(zip.length * 0.5)));
    await new Promise<void>((resolve) => (stall.release = resolve));
    response.destroy();
  };
  const setup = await createTestBulkDownloads(repository);
  const id = setup.jobs.create({ kind: 'bulk-download' }, 'team');
  await setup.bulk.addTo(setup.jobs, id, [...samples.keys()]);
  setup.jobs.begin(id);
  await expect.poll(() => setup.jobs.get(id).counts.done, { timeout: 20_000 }).toBeGreaterThan(2);
  const committed = setup.jobs.get(id).counts.done;

  const again = await setup.reopened();
  stall.release();
  expect((await again.settled(id)).counts.done).toBe(12);
  expect(askedInBulk(again).length).toBeLessThanOrEqual(12 - committed);
});

const emptyRecord = {
  sha1: null,
  name: null,
  sizeBytes: null,
  date: null,
  uploader: null,
  threat: null,
  criticity: null,
  mime: null,
  favorite: null,
  locked: null,
  tags: [],
  urls: [],
  comments: [],
  virusTotal: { state: null, score: null, link: null },
  sandbox: { state: null, link: null },
  ssdeep: null,
  imphash: null,
  pdbPath: null,
  signer: null,
  unknown: {},
};

test('a service with few requests between two pauses gets shorter lists, and each hash an outcome', async () => {
  const samples = samplesNamed('one', 'two');
  const whole = repositoryOf(samples);
  let allowed = 0;
  const setup = await createTestBulkDownloads(
    (asked, response) => {
      allowed -= 1;
      if (allowed < 0) response.writeHead(429, { 'Retry-After': '3600' }).end();
      else return whole(asked, response);
    },
    { bulkConnections: 1 },
  );
  const hashes = [...Array.from({ length: 62 }, (_, index) => unknownName(index)), ...samples.keys()];
  allowed = 4;
  let job = await setup.download(hashes);
  for (let runs = 1; job.state !== 'done'; runs += 1) {
    expect(job).toMatchObject({ state: 'waiting', failure: { kind: 'slow-down' } });
    expect(runs).toBeLessThan(100);
    allowed = 4;
    setup.jobs.resume(job.id);
    job = await setup.settled(job.id);
  }
  expect(job.counts).toMatchObject({ unknown: 62, done: 2 });
});

test.each([
  ['asks for a pause', 429, { 'Retry-After': '3600' }, 1],
  // 24 lists that bring nothing, each requested three times.
  ['is unavailable', 503, {}, 72],
])('a list for which the service %s does not end the transfer of another', async (_case, status, headers, refusals) => {
  const samples = samplesNamed(...Array.from({ length: 40 }, (_, index) => `paused ${index}`));
  const [first = ''] = samples.keys();
  const refused = Promise.withResolvers<void>();
  let left = refusals;
  const setup = await createTestBulkDownloads(
    async ({ hashes }, response) => {
      if (!hashes.includes(first)) {
        left -= 1;
        response.writeHead(status, headers).end(() => left === 0 && refused.resolve());
        return;
      }
      const zip = await zipOf(hashes.map((hash) => [hash, samples.get(hash) ?? Buffer.alloc(0)]));
      response.writeHead(200, { 'Content-Length': zip.length }).write(zip.subarray(0, 100));
      await refused.promise;
      // What the last refusal would end has ended by then.
      for (let turns = 0; turns < 100; turns += 1) await nextTurn();
      response.end(zip.subarray(100));
    },
    { bulkConnections: 2, bulkUrlBytes: 600 },
  );
  const job = await setup.download([...samples.keys()]);
  const done = bulkRequests(setup).find(({ hashes }) => hashes.includes(first))?.hashes.length;
  expect(job).toMatchObject({
    state: 'waiting',
    resumesAt: expect.any(String),
    counts: { done, waiting: 40 - (done ?? 0) },
  });
  expect(setup.requests).toHaveLength(1 + refusals);
});
