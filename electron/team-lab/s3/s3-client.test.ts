import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { type S3Fixture, startS3, testKeys } from '../testing/s3.fixture.ts';
import { readS3Address } from './s3-address.ts';
import { checkS3 } from './s3-check.ts';
import { S3Client, S3Refused } from './s3-client.ts';

let s3: S3Fixture;
beforeAll(async () => void (s3 = await startS3()));
beforeEach(() => s3.proxy.reset());
afterAll(() => s3.stop());

function open(options: Parameters<S3Fixture['client']>[0] = {}): S3Client {
  const client = s3.client(options);
  onTestFinished(() => client.close());
  return client;
}

const key = 'blob/2026-11-30/0123456789abcdef0123456789abcdef';
const md5Of = (bytes: Uint8Array): Buffer => hash('md5', bytes, 'buffer');
const put = (client: S3Client, bytes: Uint8Array): Promise<void> => client.put(key, bytes, { md5: md5Of(bytes) });

async function get(client: S3Client, range?: { first: number; last: number }): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const { bytes } = await client.get(key, range);
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function upload(client: S3Client, parts: readonly Uint8Array[]): Promise<void> {
  const id = await client.createUpload(key);
  const etags: string[] = [];
  for (const part of parts) etags.push(await client.putPart(key, id, etags.length + 1, part, { md5: md5Of(part) }));
  await client.completeUpload(key, id, etags);
}

async function thrownBy(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
}

const faultsThatPass = [
  ['busy', { kind: 'refuse', status: 503, code: 'SlowDown' }],
  ['failing', { kind: 'refuse', status: 500, code: 'InternalError' }],
  ['throttling', { kind: 'refuse', status: 429, code: 'TooManyRequests' }],
  ['tired of waiting', { kind: 'refuse', status: 400, code: 'RequestTimeout' }],
  ['behind a proxy that has lost it', { kind: 'answer', status: 502, text: '<html>Bad gateway</html>' }],
  ['losing its answer', { kind: 'lose-answer' }],
] as const;

test.for(faultsThatPass)('calls are repeated while the store is %s', async ([, fault]) => {
  const client = open();
  const bytes = randomBytes(70_000);
  s3.proxy.fault(/^PUT/, fault, 2);
  await put(client, bytes);
  expect(s3.proxy.count(/^PUT/)).toBe(3);
  s3.proxy.fault(/^GET/, fault, 2);
  expect((await get(client)).equals(bytes)).toBe(true);
  s3.proxy.fault(/^GET/, fault, 2);
  expect((await client.list('blob/', null)).entries.map((entry) => entry.key)).toEqual([key]);
  s3.proxy.fault(/^DELETE/, fault, 2);
  await client.delete(key);
  expect((await client.list('blob/', null)).entries).toEqual([]);
});

test('a store that stays busy is unavailable after three attempts', async () => {
  s3.proxy.fault(/./, { kind: 'refuse', status: 503, code: 'SlowDown' }, 99);
  const error = await thrownBy(put(open(), randomBytes(10)));
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect(error.message).toContain('503 SlowDown');
  expect(s3.proxy.seen).toHaveLength(3);
});

test('a request that is cut midway is sent again whole', async () => {
  const client = open();
  const bytes = randomBytes(3_000_000);
  s3.proxy.fault(/^PUT/, { kind: 'cut-request', afterBytes: 1_000_000 });
  await put(client, bytes);
  expect((await get(client)).equals(bytes)).toBe(true);
});

test('a store that refuses in the middle of a body is heard', async () => {
  s3.proxy.fault(/^PUT/, { kind: 'refuse', status: 507, code: 'InsufficientStorage' });
  expect(await thrownBy(put(open(), randomBytes(8_000_000)))).toBeInstanceOf(FailureError);
});

test.for([
  [507, 'InsufficientStorage'],
  [403, 'QuotaExceeded'],
  [500, 'XMinioStorageFull'],
] as const)('a full store (%i %s) is a failure that is not repeated', async ([status, code]) => {
  s3.proxy.fault(/^PUT/, { kind: 'refuse', status, code }, 9);
  const client = open();
  expect(await thrownBy(put(client, randomBytes(10)))).toHaveProperty('failure', {
    kind: 'disk-full',
    path: client.shown,
  });
  expect(s3.proxy.seen).toHaveLength(1);
});

test('an ETag that is not the MD5 of what was sent is refused', async () => {
  const client = open();
  const fault = { kind: 'headers', headers: { etag: `"${'0'.repeat(32)}"` } } as const;
  s3.proxy.fault(/^PUT/, fault);
  await put(client, randomBytes(10));
  s3.proxy.fault(/^PUT/, fault, 3);
  expect(await thrownBy(put(client, randomBytes(10)))).toMatchObject({ code: 'WrongETag' });
  expect(s3.proxy.count(/^PUT/)).toBe(5);
});

test.for([
  ['of a store that encrypts', { etag: `"${'0'.repeat(32)}"`, 'x-amz-server-side-encryption': 'aws:kms' }],
  ['of another form', { etag: 'W/"not-an-md5"' }],
] as const)('an ETag %s need not be an MD5', async ([, headers]) => {
  const client = open();
  s3.proxy.fault(/^PUT/, { kind: 'headers', headers });
  await put(client, Buffer.from('abc'));
  expect(String(await get(client))).toBe('abc');
});

test.for([
  ['RequestTimeTooSkewed', 403, /clock of this computer/],
  ['AccessDenied', 403, /do not allow/],
  ['AuthorizationHeaderMalformed', 400, /region/],
] as const)('%s is refused with advice, once', async ([code, status, advice]) => {
  s3.proxy.fault(/./, { kind: 'refuse', status, code }, 9);
  const error = await thrownBy(put(open(), randomBytes(10)));
  expect(error).toBeInstanceOf(S3Refused);
  expect(error).toMatchObject({ code });
  expect(error.message).toMatch(advice);
  expect(s3.proxy.seen).toHaveLength(1);
});

test.for([
  ['key ID', 'samples', { ...testKeys, accessKeyId: 'wrong-id' }, 'InvalidAccessKeyId'],
  ['bucket', 'missing', testKeys, 'NoSuchBucket'],
] as const)('a wrong %s is refused by a message without keys', async ([, bucket, keys, code]) => {
  const client = new S3Client(readS3Address(s3.address.replace(/samples$/, bucket)), keys);
  onTestFinished(() => client.close());
  const error = await thrownBy(put(client, randomBytes(10)));
  expect(error).toMatchObject({ name: 'S3Refused', code });
  expect(error.message).not.toMatch(/wrong-|S3RVER|Signature=/);
  expect(s3.proxy.seen).toHaveLength(1);
});

test('a message has nothing of what a store repeats of the signature and the keys', async () => {
  const { accessKeyId } = testKeys;
  const text = `<Error><Code>SignatureDoesNotMatch</Code><Message>Not of ${accessKeyId}</Message>
    <AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId><StringToSign>AWS4-HMAC-SHA256</StringToSign></Error>`;
  s3.proxy.fault(/./, { kind: 'answer', status: 403, text });
  const error = await thrownBy(put(open(), randomBytes(10)));
  expect(error.message).toMatch(/403 SignatureDoesNotMatch Not of …\. The secret key is wrong/);
  expect(error.message).not.toMatch(/S3RVER|HMAC/);
});

test('an answer that is no S3 store’s is refused', async () => {
  s3.proxy.fault(/^GET/, { kind: 'answer', status: 200, text: '<html>Welcome</html>' });
  expect(await thrownBy(open().list('', null))).toMatchObject({ code: 'NotUnderstood' });
  s3.proxy.fault(/^GET/, { kind: 'answer', status: 404, text: 'Not found' });
  expect(await thrownBy(get(open()))).toMatchObject({ code: '404' });
});

test('a missing object is NoSuchKey, and its deletion succeeds', async () => {
  const client = open();
  expect(await thrownBy(get(client))).toMatchObject({ name: 'S3Refused', code: 'NoSuchKey' });
  await expect(client.delete(key)).resolves.toBeUndefined();
});

test.for([
  ['cut off', { kind: 'cut-reply', afterBytes: 1_000_000 }],
  ['left hanging', { kind: 'hang', afterBytes: 1_000_000 }],
] as const)('a download that is %s is continued from there', async ([, fault]) => {
  const client = open({ timeouts: { idle: 2_000 } });
  const bytes = randomBytes(3_500_000);
  await put(client, bytes);
  s3.proxy.fault(/^GET/, fault, 2);
  expect((await get(client)).equals(bytes)).toBe(true);
  expect(s3.proxy.count(/^GET/)).toBe(3);
  s3.proxy.fault(/^GET/, fault);
  const piece = await get(client, { first: 5, last: 2_000_000 });
  expect(piece.equals(bytes.subarray(5, 2_000_001))).toBe(true);
});

test('a download that does not advance ends as unavailable', async () => {
  const client = open();
  await put(client, randomBytes(100_000));
  s3.proxy.fault(/^GET/, { kind: 'cut-reply', afterBytes: 1 }, 99);
  expect(await thrownBy(get(client))).toBeInstanceOf(StoreUnavailable);
  expect(s3.proxy.count(/^GET/)).toBe(3);
});

test('a slow reader is waited for longer than a silent store', { tags: ['long'] }, async () => {
  const idle = 2_000;
  const bytes = randomBytes(5_000_000);
  await put(open({ prefix: 'slow' }), bytes);
  const client = open({ prefix: 'slow', timeouts: { idle } });
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await client.get(key)).bytes) {
    if (chunks.length === 0) await wait(1.5 * idle);
    chunks.push(chunk);
  }
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(s3.proxy.count(/^GET/)).toBe(1);
});

test.for([
  ['its answer is lost', { kind: 'lose-answer' }],
  ['the store is busy', { kind: 'refuse', status: 503, code: 'SlowDown' }],
  ['a reply of 200 is an error', { kind: 'answer', status: 200, text: '<Error><Code>InternalError</Code></Error>' }],
] as const)('a multipart upload is completed once where %s', async ([, fault]) => {
  const client = open();
  const parts = [randomBytes(5 * 1024 * 1024), randomBytes(7)];
  s3.proxy.fault(/^POST .*uploadId=/, fault);
  await upload(client, parts);
  expect((await get(client)).equals(Buffer.concat(parts))).toBe(true);
  expect((await client.list('blob/', null)).entries).toHaveLength(1);
});

test('a completion that was done after it was given up is found', async () => {
  const client = open();
  const parts = [randomBytes(5 * 1024 * 1024), randomBytes(7)];
  s3.proxy.fault(/^POST .*uploadId=/, { kind: 'lose-answer' });
  s3.proxy.fault(/^HEAD/, { kind: 'answer', status: 404, text: '' });
  s3.proxy.fault(/^POST .*uploadId=/, { kind: 'refuse', status: 404, code: 'NoSuchUpload' });
  await upload(client, parts);
  expect(s3.proxy.count(/^HEAD/)).toBe(2);
});

test('a part is sent again where the store was busy', async () => {
  const client = open();
  const parts = [randomBytes(5 * 1024 * 1024), randomBytes(7)];
  s3.proxy.fault(/^PUT .*partNumber=1/, { kind: 'cut-request', afterBytes: 2_000_000 });
  s3.proxy.fault(/^PUT .*partNumber=2/, { kind: 'lose-answer' });
  await upload(client, parts);
  expect((await get(client)).equals(Buffer.concat(parts))).toBe(true);
});

test('an unfinished upload that the store no longer has is aborted', async () => {
  s3.proxy.fault(/^DELETE/, { kind: 'refuse', status: 404, code: 'NoSuchUpload' });
  await expect(open().abortUpload(key, 'any')).resolves.toBeUndefined();
});

test('unfinished uploads are listed in pages', async () => {
  const client = open({ pageSize: 1 });
  const page = (name: string, more: string): string => `<?xml version="1.0" encoding="UTF-8"?>
    <ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${more}
      <Upload><Key>${client.prefix}blob/${name}</Key><UploadId>id&amp;${name}</UploadId>
        <Owner><ID>1</ID></Owner><Initiated>2026-11-30T10:00:00.000Z</Initiated></Upload>
    </ListMultipartUploadsResult>`;
  const more = `<IsTruncated>true</IsTruncated>
    <NextKeyMarker>blob/a</NextKeyMarker><NextUploadIdMarker>id&amp;a</NextUploadIdMarker>`;
  s3.proxy.fault(/^GET .*uploads=/, { kind: 'answer', status: 200, text: page('a', more) });
  s3.proxy.fault(/^GET .*key-marker=blob%2Fa&upload-id-marker=id%26a/, {
    kind: 'answer',
    status: 200,
    text: page('b', '<IsTruncated>false</IsTruncated>'),
  });
  const first = await client.listUnfinished('blob/', null);
  const startedMs = Date.parse('2026-11-30T10:00:00Z');
  expect(first.entries).toEqual([{ key: 'blob/a', uploadId: 'id&a', startedMs }]);
  const second = await client.listUnfinished('blob/', first.next);
  expect(second).toMatchObject({ entries: [{ key: 'blob/b', uploadId: 'id&b', startedMs }], next: null });
});

test('a list comes in pages with the time of the store', async () => {
  const client = open({ pageSize: 2 });
  const keys = ['a', 'b', 'c', 'd', 'e'].map((letter) => `blob/${letter}`);
  for (const each of keys) await client.put(each, Buffer.from(each), { md5: md5Of(Buffer.from(each)) });
  const found: string[] = [];
  let next: string | null = null;
  do {
    const page: Awaited<ReturnType<S3Client['list']>> = await client.list('blob/', next);
    for (const { key: each, sizeBytes, modifiedMs } of page.entries) {
      found.push(each);
      expect(sizeBytes).toBe(6);
      expect(page.nowMs - modifiedMs).toBeGreaterThan(-2_000);
    }
    next = page.next;
  } while (next !== null);
  expect(found).toEqual(keys);
  expect(s3.proxy.count(/^GET/)).toBe(3);
});

test('a server that cannot be reached is unavailable', async () => {
  const client = new S3Client(readS3Address('s3+http://127.0.0.1:1/samples'), testKeys);
  const error = await thrownBy(put(client, randomBytes(10)));
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect(error.message).toContain('s3+http://127.0.0.1:1/samples cannot be reached (ECONNREFUSED)');
});

test.for([
  ['idle', { idle: 50, call: 60_000 }],
  ['call', { idle: 60_000, call: 50 }],
] as const)('a server that never answers is unavailable after the time of %s', async ([, timeouts]) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new S3Client(readS3Address(`s3+http://127.0.0.1:${port}/samples`), testKeys, { timeouts });
  expect(await thrownBy(client.list('', null))).toBeInstanceOf(StoreUnavailable);
  expect(sockets).toHaveLength(3);
});

test('a check names what the store does and what it answers where it does not', async () => {
  const client = open();
  const results = await checkS3(client);
  expect(results.filter(({ isRequired }) => isRequired)).toEqual(
    ['put', 'read', 'range', 'list', 'delete', 'multipart upload'].map((step) => ({
      step,
      worked: true,
      isRequired: true,
      words: '',
    })),
  );
  expect(results.filter(({ worked }) => !worked).map(({ step }) => step)).toEqual([
    'list of multipart uploads',
    'abort of a multipart upload',
  ]);
  expect(results.find(({ worked }) => !worked)?.words).toContain('501 NotImplemented');
  expect((await client.list('', null)).entries).toEqual([]);
});

test('a check of a bucket that is away fails in each step', async () => {
  s3.proxy.fault(/./, { kind: 'refuse', status: 403, code: 'AccessDenied' }, 999);
  for (const { worked, words } of await checkS3(open())) {
    expect(worked).toBe(false);
    expect(words).toContain('AccessDenied');
  }
});
