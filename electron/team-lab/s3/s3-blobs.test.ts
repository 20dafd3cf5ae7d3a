import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  added,
  blobStoreContract,
  expectFailure,
  placesOf,
  readAll,
  sweepAll,
  type TestedBlobStore,
} from '../../lab/stores/blob-store.fixture.ts';
import { type BlobReceiver, type BlobStore, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { type Fault, type S3Fixture, startS3 } from '../testing/s3.fixture.ts';
import { openS3Blobs } from './s3-blobs.ts';
import type { S3Client } from './s3-client.ts';

let s3: S3Fixture;
beforeAll(async () => void (s3 = await startS3()));
beforeEach(() => s3.proxy.reset());
afterAll(() => s3.stop());

let prefixes = 0;
function open(through: boolean): TestedBlobStore {
  const prefix = `blobs-${(prefixes += 1)}`;
  const blobs = openS3Blobs({ client: s3.client({ through, prefix }), report: () => {} });
  return {
    blobs,
    replaceContainer: async (place, change) => {
      const path = join(s3.directory, prefix, `${place}._S3rver_object`);
      await writeFile(path, change(await readFile(path)));
    },
    close: () => blobs.close(),
  };
}

blobStoreContract('blobs in a bucket', async () => open(false));
blobStoreContract('blobs in a bucket behind a proxy', async () => open(true), { tags: ['long'] });

/** Behind the proxy, with what it reports. */
function openReporting(idle = 2_000): { blobs: BlobStore; client: S3Client; reports: unknown[] } {
  const reports: unknown[] = [];
  const client = s3.client({ timeouts: { idle } });
  const blobs = openS3Blobs({ client, report: (error) => reports.push(error) });
  onTestFinished(() => blobs.close());
  return { blobs, client, reports };
}

const small = 10_000;
const mib = 1024 * 1024;
const large = 18 * mib;
const busy = { kind: 'refuse', status: 503, code: 'SlowDown' } as const;
const lost = { kind: 'lose-answer' } as const;
const inError = { kind: 'answer', status: 200, text: '<Error><Code>InternalError</Code></Error>' } as const;
const wrongETag = { kind: 'headers', headers: { etag: `"${'0'.repeat(32)}"` } } as const;

const passing: readonly (readonly [string, number, RegExp, Fault])[] = [
  ['the answer to a PUT is lost', small, /^PUT/, lost],
  ['a PUT is cut midway', small, /^PUT/, { kind: 'cut-request', afterBytes: 1 }],
  ['a PUT is refused as busy', small, /^PUT/, busy],
  ['a PUT answers with another ETag', small, /^PUT/, wrongETag],
  ['the answer to the beginning of parts is lost', large, /^POST .*uploads=/, lost],
  ['a part is cut midway', large, /partNumber=2/, { kind: 'cut-request', afterBytes: 3_000_000 }],
  ['the answer to a part is lost', large, /partNumber=1/, lost],
  ['a part answers with another ETag', large, /partNumber=3/, wrongETag],
  ['a part gets no answer', large, /partNumber=2/, { kind: 'hang', afterBytes: 0 }],
  ['the answer to the completion is lost', large, /^POST .*uploadId=/, lost],
  ['the completion fails after its 200', large, /^POST .*uploadId=/, inError],
];

test.for(passing)('an upload is there once where %s', async ([, sizeBytes, on, fault]) => {
  const { blobs } = openReporting();
  const bytes = randomBytes(sizeBytes);
  s3.proxy.fault(on, fault);
  const blob = await added(blobs, bytes);
  expect((await readAll(blobs, blob)).equals(bytes)).toBe(true);
  expect(await placesOf(blobs)).toEqual([blob.place]);
});

const ending: readonly (readonly [string, number, RegExp, Fault])[] = [
  ['every answer to a PUT is lost', small, /^PUT/, lost],
  ['the store stays busy', small, /^PUT/, busy],
  ['the store stays busy with parts', large, /partNumber=2/, busy],
  ['every answer to the completion is lost, and so is the object', large, /^(POST .*uploadId=|HEAD)/, busy],
];

test.for(ending)('an upload ends as unavailable and leaves nothing where %s', async ([, sizeBytes, on, fault]) => {
  const { blobs } = openReporting();
  s3.proxy.fault(on, fault, 99);
  const receiver = blobs.receive();
  const sealing = receiver.write(randomBytes(sizeBytes)).then(() => receiver.seal());
  await expect(sealing).rejects.toThrow(StoreUnavailable);
  await receiver.abort();
  expect(await placesOf(blobs)).toEqual([]);
});

test('an upload into a full store is a failure that leaves nothing', async () => {
  const { blobs } = openReporting();
  s3.proxy.fault(/partNumber=2/, { kind: 'refuse', status: 507, code: 'XMinioStorageFull' });
  const receiver = blobs.receive();
  await expectFailure(receiver.write(randomBytes(large)), 'disk-full');
  await receiver.abort();
  expect(await placesOf(blobs)).toEqual([]);
});

test.for([
  ['is shorter than it was', small, { kind: 'truncate', toBytes: small }],
  ['has a changed bit', small, { kind: 'flip', atByte: 5_000 }],
] as const)('a reply that %s is damage, and throws before the last chunk', async ([, sizeBytes, fault]) => {
  const { blobs } = openReporting();
  const bytes = randomBytes(sizeBytes);
  const blob = await added(blobs, bytes);
  s3.proxy.fault(/^GET/, fault);
  await expectFailure(readAll(blobs, blob), 'vault-damaged');
  expect((await readAll(blobs, blob)).equals(bytes)).toBe(true);
});

test('reading containers of a wrong length leaves no connection open', async () => {
  const { blobs, replaceContainer, close } = open(true);
  onTestFinished(close);
  const blob = await added(blobs, randomBytes(large));
  await replaceContainer(blob.place, (container) => container.subarray(1));
  const before = await s3.proxy.connections();
  for (let times = 0; times < 4; times += 1) await expectFailure(readAll(blobs, blob), 'vault-damaged');
  await expect.poll(() => s3.proxy.connections()).toBeLessThanOrEqual(before);
});

test('a download that is cut twice is whole, also by range', async () => {
  const { blobs } = openReporting();
  const bytes = randomBytes(large);
  const blob = await added(blobs, bytes);
  s3.proxy.fault(/^GET/, { kind: 'cut-reply', afterBytes: 9_000_001 });
  s3.proxy.fault(/^GET/, { kind: 'hang', afterBytes: 1_000_003 });
  expect((await readAll(blobs, blob)).equals(bytes)).toBe(true);
  s3.proxy.fault(/^GET/, { kind: 'cut-reply', afterBytes: 30 });
  s3.proxy.fault(/^GET/, { kind: 'cut-reply', afterBytes: 34 });
  s3.proxy.fault(/^GET/, { kind: 'cut-reply', afterBytes: 500_001 });
  expect((await readAll(blobs, blob, { first: 7, last: 999_999 })).equals(bytes.subarray(7, 1_000_000))).toBe(true);
});

test('a store that is away is no damage', async () => {
  const { blobs } = openReporting();
  const blob = await added(blobs, randomBytes(small));
  s3.proxy.fault(/^GET/, busy, 99);
  await expect(readAll(blobs, blob)).rejects.toThrow(StoreUnavailable);
});

test('a place of another form is not asked for', async () => {
  const { blobs } = openReporting();
  const blob = await added(blobs, randomBytes(small));
  s3.proxy.reset();
  for (const place of ['../../other/object', `${blob.place}/..`, blob.sha256])
    await expectFailure(readAll(blobs, { ...blob, place }), 'not-in-vault');
  expect(s3.proxy.seen).toEqual([]);
});

/** Writes so many bytes, 64 KiB at a time. `written` grows as the writes settle. */
function writesOf(receiver: BlobReceiver, bytes: number): { written: () => number; done: Promise<void> } {
  const chunk = randomBytes(64 * 1024);
  let written = 0;
  const write = async (): Promise<void> => {
    for (; written < bytes; written += chunk.length) await receiver.write(chunk);
  };
  return { written: () => written, done: write() };
}

test('a part is filled while the one before it is sent, and then a write waits', async () => {
  const { blobs } = openReporting(60_000);
  const taken = Promise.withResolvers<void>();
  s3.proxy.fault(/partNumber=1/, { kind: 'wait', until: taken.promise });
  const receiver = blobs.receive();
  const { written, done } = writesOf(receiver, large);
  await vi.waitFor(() => expect(s3.proxy.count(/partNumber=1/)).toBe(1));
  await vi.waitFor(() => expect(written()).toBeGreaterThan(9 * mib));
  expect(s3.proxy.count(/partNumber=2/)).toBe(0);
  expect(written()).toBeLessThanOrEqual(10 * mib);
  taken.resolve();
  await done;
  expect(written()).toBe(large);
  await receiver.abort();
});

test('many uploads hold one part each: a write waits until the store has taken it', { tags: ['long'] }, async () => {
  const { blobs } = openReporting(60_000);
  const taken = Promise.withResolvers<void>();
  s3.proxy.fault(/partNumber=1/, { kind: 'wait', until: taken.promise }, 16);
  const receivers = Array.from({ length: 16 }, () => blobs.receive());
  const writes = receivers.map((receiver) => writesOf(receiver, 12 * mib));
  await vi.waitFor(() => expect(s3.proxy.count(/partNumber=1/)).toBe(16), 20_000);
  expect(Math.max(...writes.map(({ written }) => written()))).toBeLessThanOrEqual(5 * mib);
  taken.resolve();
  await Promise.all(writes.map(({ done }) => done));
  await Promise.all(receivers.map((receiver) => receiver.abort()));
});

test('an upload has a second part again once the many others are over', async () => {
  const { blobs } = openReporting(60_000);
  const others = Array.from({ length: 16 }, () => blobs.receive());
  await Promise.all(others.map((receiver) => receiver.write(randomBytes(small))));
  await Promise.all(others.slice(8).map((receiver) => receiver.seal()));
  await Promise.all(others.map((receiver) => receiver.abort()));
  const taken = Promise.withResolvers<void>();
  s3.proxy.fault(/partNumber=1/, { kind: 'wait', until: taken.promise });
  const receiver = blobs.receive();
  const { written, done } = writesOf(receiver, large);
  await vi.waitFor(() => expect(written()).toBeGreaterThan(9 * mib));
  taken.resolve();
  await done;
  await receiver.abort();
});

test('a part that fails while the next is filled ends the upload, and nothing of it is left', async () => {
  const { blobs } = openReporting();
  s3.proxy.fault(/partNumber=1/, busy, 3);
  const receiver = blobs.receive();
  await receiver.write(randomBytes(6 * mib));
  await expect(receiver.write(randomBytes(5 * mib))).rejects.toThrow(StoreUnavailable);
  await receiver.abort();
  expect(s3.proxy.count(/^DELETE .*uploadId/)).toBe(1);
  expect(await placesOf(blobs)).toEqual([]);
});

test('the last part is not sent where the one before it fails', async () => {
  const { blobs } = openReporting();
  s3.proxy.fault(/partNumber=1/, busy, 3);
  const receiver = blobs.receive();
  await receiver.write(randomBytes(6 * mib));
  await expect(receiver.seal()).rejects.toThrow(StoreUnavailable);
  expect(s3.proxy.count(/partNumber=2/)).toBe(0);
  await receiver.abort();
  expect(await placesOf(blobs)).toEqual([]);
});

test.for([
  ['a computer that runs', performance],
  // The monotonic clock does not count meanwhile.
  ['a computer that was suspended', Date],
] as const)('bytes that a sweep elsewhere could have removed are not committed on %s', async ([, clock]) => {
  const { blobs } = openReporting();
  const receiver = blobs.receive();
  await receiver.write(randomBytes(small));
  await receiver.seal();
  const later = vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 12 * 60 * 60 * 1000 + 1);
  onTestFinished(() => later.mockRestore());
  const write = vi.fn(async () => ['added']);
  await expect(blobs.commit([receiver], write)).rejects.toThrow(StoreUnavailable);
  expect(write).not.toHaveBeenCalled();
  later.mockRestore();
  expect(await placesOf(blobs)).toEqual([]);
});

test('bytes that were aborted while they were sealed are not committed', async () => {
  const { blobs } = openReporting();
  const receiver = blobs.receive();
  await receiver.write(randomBytes(small));
  const [sealing] = await Promise.allSettled([receiver.seal(), receiver.abort()]);
  expect(sealing.status).toBe('rejected');
  await expect(blobs.commit([receiver], async () => ['added'])).rejects.toThrow('not sealed');
  expect(await placesOf(blobs)).toEqual([]);
});

test('a removal that fails after a commit or an abort is reported, and left to a sweep', async () => {
  const { blobs, reports } = openReporting();
  s3.proxy.fault(/^DELETE/, busy, 6);
  const [loser, aborted] = [blobs.receive(), blobs.receive()];
  for (const receiver of [loser, aborted]) {
    await receiver.write(randomBytes(small));
    await receiver.seal();
  }
  expect(await blobs.commit([loser], async () => ['already-here'])).toEqual(['already-here']);
  await aborted.abort();
  expect(reports).toHaveLength(2);
  expect(await placesOf(blobs)).toHaveLength(2);
  expect(await sweepAll(blobs)).toBe(2);
  expect(await placesOf(blobs)).toEqual([]);
});

test('a sweep leaves objects that are none of the lab’s', async () => {
  const { blobs, client } = openReporting();
  const blob = await added(blobs, randomBytes(small));
  const body = Buffer.from('notes');
  const md5 = Buffer.from('4358b5009c67d0e31d7fbf1663fcd3bf', 'hex');
  await client.put('blob/notes.txt', body, { md5 });
  await client.put('other/notes.txt', body, { md5 });
  expect(await sweepAll(blobs)).toBe(1);
  expect((await client.list('', null)).entries.map(({ key }) => key)).toEqual(['blob/notes.txt', 'other/notes.txt']);
  expect(blob.place).toMatch(/^blob\//);
});

test('ages are those of the store’s clock', async () => {
  const { blobs } = openReporting();
  await added(blobs, randomBytes(small));
  const all = { unknownAmong: async (places: readonly string[]) => places };
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  expect(await blobs.sweep({ ...all, olderThanMs: 1_800_000 })).toBe(0);
  s3.proxy.fault(/^GET .*list-type=2/, { kind: 'headers', headers: { date: inAnHour } });
  expect(await blobs.sweep({ ...all, olderThanMs: 1_800_000 })).toBe(1);
});

test('a sweep aborts old unfinished uploads, and leaves young ones and those of this process', async () => {
  const { blobs, client } = openReporting();
  const receiver = blobs.receive();
  await receiver.write(randomBytes(6 * 1024 * 1024));
  const [, own] = /^POST \/[^/]+\/[^/]+\/(.*)\?uploads=/.exec(s3.proxy.seen[0] ?? '') ?? [];
  const place = (digit: string): string => `blob/2026-11-30/${digit.repeat(32)}`;
  const upload = (key: string | undefined, started: string): string =>
    `<Upload><Key>${client.prefix}${key}</Key><UploadId>${key}</UploadId><Initiated>${started}</Initiated></Upload>`;
  const now = new Date().toISOString();
  const old = '2020-01-01T00:00:00.000Z';
  const uploads = [upload(place('a'), old), upload(place('b'), now), upload(own, old), upload('other', old)];
  const text = `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`;
  s3.proxy.fault(/^GET .*uploads=/, { kind: 'answer', status: 200, text });
  s3.proxy.fault(/^DELETE/, { kind: 'answer', status: 200, text: '' });
  const sweep = { olderThanMs: 60_000, unknownAmong: async () => [] };
  expect(await blobs.sweep({ ...sweep, isDryRun: true })).toBe(0);
  expect(await blobs.sweep(sweep)).toBe(1);
  expect(s3.proxy.seen.filter((line) => line.startsWith('DELETE'))).toEqual([
    expect.stringContaining(encodeURIComponent(place('a'))),
  ]);
  await receiver.abort();
});

test('a store that cannot list unfinished uploads is reported, and swept all the same', async () => {
  const { blobs, reports } = openReporting();
  await added(blobs, randomBytes(small));
  expect(await sweepAll(blobs)).toBe(1);
  expect(reports).toEqual([expect.objectContaining({ name: 'S3Refused', code: 'NotImplemented' })]);
});

test('a sweep that is aborted asks for no other page', async () => {
  const client = s3.client({ pageSize: 2 });
  const blobs = openS3Blobs({ client, report: () => {} });
  onTestFinished(() => blobs.close());
  for (let count = 0; count < 6; count += 1) await added(blobs, randomBytes(10));
  const abort = new AbortController();
  const unknownAmong = async (places: readonly string[]) => {
    abort.abort();
    return places;
  };
  expect(await blobs.sweep({ olderThanMs: -60_000, unknownAmong, signal: abort.signal })).toBe(2);
  expect(await placesOf(blobs)).toHaveLength(4);
});

test('more objects than a page holds are listed and swept', { tags: ['long'] }, async () => {
  const client = s3.client({ through: false, pageSize: 7 });
  const blobs = openS3Blobs({ client, report: () => {} });
  onTestFinished(() => blobs.close());
  const known = await added(blobs, randomBytes(10));
  for (let count = 0; count < 25; count += 1) await added(blobs, randomBytes(10));
  const pages: (readonly string[])[] = [];
  const unknownAmong = async (places: readonly string[]) => {
    pages.push(places);
    return places.filter((place) => place !== known.place);
  };
  expect(await blobs.sweep({ olderThanMs: -60_000, unknownAmong })).toBe(25);
  expect(pages.map((page) => page.length)).toEqual([7, 7, 7, 5]);
  expect(await placesOf(blobs)).toEqual([known.place]);
});

test('two stores over one bucket read and sweep what the other has stored', async () => {
  const [one, other] = ['shared', 'shared'].map((prefix) =>
    openS3Blobs({ client: s3.client({ prefix }), report: () => {} }),
  );
  if (one === undefined || other === undefined) throw new Error('no stores');
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  const blob = await added(one, randomBytes(small));
  expect(await readAll(other, blob)).toHaveLength(small);
  const waiting = one.receive();
  await waiting.write(randomBytes(small));
  await waiting.seal();
  expect(await other.sweep({ olderThanMs: 60_000, unknownAmong: async (places) => places })).toBe(0);
  expect(await sweepAll(other)).toBe(2);
  await expectFailure(readAll(one, blob), 'not-in-vault');
  await waiting.abort();
});
