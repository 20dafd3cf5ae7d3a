import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { constants, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { defaultTimeouts } from '../../../../shared/domain/workspace.ts';
import { longAfter } from '../../../../shared/testing/long-after.ts';
import { type RawEntry, rawZip } from '../../../archive/raw-zip.fixture.ts';
import {
  type Asked,
  createTestBulkDownloads,
  md5Of,
  type Repository,
  repositoryOf,
  samplesNamed,
  zipOf,
} from './bulk-downloads.fixture.ts';

const unknownHash = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => md5Of(Buffer.from(`nobody has ${number}`)));
const [a = '', b = ''] = samplesNamed('a', 'b').keys();
const twoSamples = samplesNamed('a', 'b');
const bytesOf = (md5: string): Buffer => twoSamples.get(md5) ?? Buffer.alloc(0);

/** Whatever is asked for in bulk, the archive is this one. */
const alwaysAnswering = (entries: readonly RawEntry[]): Repository => {
  const zip = rawZip(entries);
  return ({ action, hashes: [md5 = ''] }, response) =>
    void response.end(
      action === 'bulkdownload' ? zip : action === 'getfile' ? JSON.stringify({ file: { md5 } }) : bytesOf(md5),
    );
};

/** Cuts the reply of so many bulk requests in the middle; each is for all samples. */
function cutting(samples: ReadonlyMap<string, Buffer>, times: number): Repository {
  const whole = repositoryOf(samples);
  const zipped = zipOf([...samples]);
  let left = times;
  return async (asked: Asked, response: ServerResponse) => {
    if (asked.action !== 'bulkdownload' || left === 0) return whole(asked, response);
    left -= 1;
    const zip = await zipped;
    response.writeHead(200, { 'Content-Length': zip.length });
    response.write(zip.subarray(0, zip.length / 2), () => response.destroy());
  };
}

/** So many mebibytes of zeros, deflated: the first of them once, and all others are what it became. */
function manyZeros(mebibytes: number): Buffer {
  const one = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: mebibytes }, () => one), deflateRawSync(Buffer.alloc(0))]);
}

for (const { tags, cases } of longAfter(1, [1000, 9 * 2 ** 20]))
  test.each(cases)(
    'a truncated sample of %i bytes is requested again, and alone when it is truncated each time',
    { tags },
    async (size) => {
      const bytes = randomBytes(size);
      const samples = new Map([[md5Of(bytes), bytes]]);
      const once = await createTestBulkDownloads(cutting(samples, 1));
      expect((await once.download([...samples.keys()])).counts.done).toBe(1);

      const always = await createTestBulkDownloads(cutting(samples, Infinity));
      const job = await always.download([...samples.keys()]);
      expect(job).toMatchObject({ state: 'done', counts: { done: 1 } });
      expect(always.requests.map(({ action }) => action)).toEqual([
        'bulkdownload',
        'bulkdownload',
        'getfile',
        'downloadfile',
      ]);
    },
  );

test('a list without any reply is requested in halves, and not again as it is but file by file', async () => {
  const samples = samplesNamed('silent 1', 'silent 2');
  const whole = repositoryOf(samples);
  const timeouts = { ...defaultTimeouts, idleSeconds: 0.1 };
  const setup = await createTestBulkDownloads(
    (asked, response) => (asked.action === 'bulkdownload' ? void response.write('PK') : whole(asked, response)),
    {},
    undefined,
    timeouts,
  );
  expect(await setup.download([...samples.keys()])).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect(setup.requests.filter(({ action }) => action === 'bulkdownload').map(({ hashes }) => hashes.length)).toEqual([
    2, 1, 1,
  ]);
});

test('a service whose database is down halts the job after one request', async () => {
  const setup = await createTestBulkDownloads((_, response) => void response.end('Connection Failed: 2002'));
  expect(await setup.download(unknownHash(3))).toMatchObject({
    state: 'paused',
    failure: { kind: 'service-failed', text: 'Connection Failed: 2002' },
    counts: { waiting: 3 },
  });
  expect(setup.requests).toHaveLength(1);
});

test.each([
  ['no longer answers in bulk', 500],
  ['never knew how', 404],
])('a service that %s, and gives nothing alone either, halts the job with all of it waiting', async (_, inBulk) => {
  const setup = await createTestBulkDownloads(
    ({ action }, response) => void response.writeHead(action === 'bulkdownload' ? inBulk : 500).end(),
  );
  expect(await setup.download(unknownHash(100))).toMatchObject({
    state: 'paused',
    failure: { kind: 'service-failed' },
    counts: { waiting: 100 },
  });
});

test.each([
  ['in bulk', 500],
  ['alone', 404],
])('a sample fails when a service that gives the others %s cannot give it', async (_, inBulk) => {
  const samples = samplesNamed(...Array.from({ length: 9 }, (_value, number) => `sound ${number}`), 'lost');
  const whole = repositoryOf(samples);
  const lost = [...samples.keys()].at(-1) ?? '';
  const setup = await createTestBulkDownloads((asked, response) => {
    const fails = asked.hashes.includes(lost) || (inBulk === 404 && asked.action === 'bulkdownload');
    return fails && asked.action !== 'getfile'
      ? void response.writeHead(asked.action === 'bulkdownload' ? inBulk : 500).end()
      : whole(asked, response);
  });
  const job = await setup.download([...samples.keys()]);
  expect(job).toMatchObject({ state: 'done', counts: { done: 9, failed: 1 } });
  expect((await setup.outcomesOf(job.id))[lost]).toBe('failed');
});

test('a deflate bomb is inflated once and no further than the limits; it costs no other sample', async () => {
  const samples = samplesNamed('before', 'bomb', 'behind');
  const [before = '', bomb = '', behind = ''] = samples.keys();
  const packed = manyZeros(110);
  const sizesFollow = 8;
  const entryOf = (name: string): RawEntry =>
    name === bomb ? { name, packed, flags: sizesFollow } : { name, plain: samples.get(name) ?? packed };
  const setup = await createTestBulkDownloads(
    ({ action, hashes }, response) =>
      void response.end(
        action === 'bulkdownload'
          ? rawZip(hashes.map(entryOf))
          : action === 'getfile'
            ? JSON.stringify({ file: { md5: bomb } })
            : 'other bytes',
      ),
  );
  const job = await setup.download([before, bomb, behind]);
  expect(job).toMatchObject({ state: 'done', counts: { done: 2, mismatch: 1 } });
  expect(setup.requests.filter(({ hashes }) => hashes.includes(bomb)).map(({ action }) => action)).toEqual([
    'bulkdownload',
    'getfile',
    'downloadfile',
  ]);
  expect(setup.requests.at(-1)?.hashes).toEqual([behind]);
});

test.each([
  ['larger than a member may be', 0xffffffff],
  ['smaller in the archive than anything shrinks that far', 2 ** 30],
])('a sample that no archive may hold, %s, is fetched alone', async (_, plainBytes) => {
  const samples = samplesNamed('padded');
  const setup = await createTestBulkDownloads(({ action, hashes: [md5 = ''] }, response) => {
    if (action === 'bulkdownload')
      return void response.end(rawZip([{ name: md5, packed: Buffer.alloc(2 ** 21), plainBytes }]));
    return void response.end(action === 'getfile' ? JSON.stringify({ file: { md5 } }) : samples.get(md5));
  });
  expect((await setup.download([...samples.keys()])).counts.done).toBe(1);
});

test('an archive of 70,000 entries is read up to the limit, and the rest is fetched automatically', async () => {
  const stray = Array.from({ length: 70_000 }, (_, number) => ({ name: `stray ${number}`, method: 0 }));
  const setup = await createTestBulkDownloads(
    alwaysAnswering([{ name: a, plain: bytesOf(a) }, ...stray, { name: b, plain: bytesOf(b) }]),
  );
  const job = await setup.download([a, b]);
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect(job.notices).toHaveLength(20);
  expect(setup.requests.map(({ action, hashes }) => [action, ...hashes])).toEqual([
    ['bulkdownload', a, b],
    ['bulkdownload', b],
    ['getfile', b],
    ['downloadfile', b],
  ]);
});

test('names of entries that were not requested are reported shortened', async () => {
  const stray = Array.from({ length: 20 }, (_, number) => ({ name: `${number} ${'long '.repeat(10_000)}` }));
  const setup = await createTestBulkDownloads(alwaysAnswering([...stray, { name: a, plain: bytesOf(a) }]));
  const job = await setup.download([a]);
  expect(job).toMatchObject({ counts: { done: 1 }, noticeCount: 20 });
  expect(JSON.stringify(job.notices).length).toBeLessThan(20 * 300);
});

test('two entries with swapped names are identified as samples by their bytes', async () => {
  const setup = await createTestBulkDownloads(
    alwaysAnswering([
      { name: a, plain: bytesOf(b) },
      { name: b, plain: bytesOf(a) },
    ]),
  );
  expect(await setup.download([a, b])).toMatchObject({ counts: { mismatch: 0, done: 2 }, noticeCount: 0 });
});

test('an entry with the bytes of another entry’s sample is a mismatch of the sample in its name', async () => {
  const entries = [
    { name: b, plain: bytesOf(b) },
    { name: a, plain: bytesOf(b) },
  ];
  for (const order of [entries, entries.toReversed()]) {
    const setup = await createTestBulkDownloads(alwaysAnswering(order));
    const job = await setup.download([a, b]);
    expect(job.counts).toMatchObject({ mismatch: 1, done: 1 });
    expect((await setup.itemsOf(job.id)).find(({ hash }) => hash === a)?.failure).toEqual({
      kind: 'wrong-bytes',
      md5: a,
      actualMd5: b,
      sizeBytes: bytesOf(b).length,
    });
  }
});

test('a damaged entry costs its sample nothing when another entry of any name is the sample', async () => {
  const setup = await createTestBulkDownloads(
    alwaysAnswering([
      { name: a, plain: bytesOf(a), crc32: 1 },
      { name: 'again.exe', plain: bytesOf(a) },
      { name: b, plain: bytesOf(b) },
    ]),
  );
  expect(await setup.download([a, b])).toMatchObject({ counts: { failed: 0, done: 2 } });
});

test('an entry that cannot be unpacked fails the sample whose MD5 its name holds', async () => {
  const setup = await createTestBulkDownloads(
    alwaysAnswering([
      { name: `files/${a}.bin`, plain: bytesOf(a), method: 14 },
      { name: b, plain: bytesOf(b) },
    ]),
  );
  const job = await setup.download([a, b]);
  expect(job.counts).toMatchObject({ failed: 1, done: 1 });
  expect((await setup.itemsOf(job.id)).find(({ hash }) => hash === a)?.failure).toMatchObject({
    kind: 'archive-unsupported',
  });
});
