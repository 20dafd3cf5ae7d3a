import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Answer, formType, multipart, post, type WrittenPart } from './hand-made-form.fixture.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { type RepositoryInMemory, startRepositoryInMemory } from './repository-in-memory.fixture.ts';
import { startUploadFaults, type UploadFault, type UploadFaults } from './upload-faults.ts';

const token = 'a-token-that-is-secret';
const [first, second, large] = [Buffer.from('first'), Buffer.from('second'), randomBytes(3_000_000)];
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const filesData = JSON.stringify(
  [first, second].map((_, index) => ({ index, vtsubmit: false, cksubmit: index === 1, tags: `t${index}` })),
);
const two: WrittenPart[] = [
  ['token', token],
  ['comment', 'a + b'],
  ['vtsubmit[]', 'false'],
  ['cksubmit[]', 'false'],
  ['tags[]', 't0'],
  ['vtsubmit[]', 'false'],
  ['cksubmit[]', 'true'],
  ['tags[]', 't1'],
  ['files_data', filesData],
  ['files[]', 'one.bin', first],
  ['files[]', 'two "2".bin'.replaceAll('"', '%22'), second],
];

interface Behind {
  faults: UploadFaults;
  repository: RepositoryInMemory;
  upload(parts?: WrittenPart[]): Promise<Answer>;
  comment(): Promise<Answer>;
}

async function proxied(): Promise<Behind> {
  const repository = await startRepositoryInMemory();
  const faults = await startUploadFaults({ target: repository.baseUrl });
  onTestFinished(async () => {
    await faults.close();
    await repository.close();
  });
  return {
    faults,
    repository,
    upload: (parts = two) => post(`${faults.baseUrl}/api.php?action=uploadfiles&token=${token}`, multipart(...parts)),
    comment: () =>
      post(`${faults.baseUrl}/api.php?action=addcomment&token=${token}`, Buffer.from('hash=00&comment=%7B%7D'), {
        'Content-Type': 'application/x-www-form-urlencoded',
      }),
  };
}

const filesIn = ({ text }: Answer): unknown[] =>
  z.object({ files: z.array(z.unknown()) }).parse(JSON.parse(text)).files;
const stored = ({ files }: RepositoryInMemory): string[] => [...files.values()].map(({ bytes }) => bytes.toString());

test('the upload proxy without a fault forwards an upload whole and records it without its token', async () => {
  const { faults, repository, upload } = await proxied();
  expect(await upload()).toEqual({
    status: 200,
    type: 'application/json',
    text: JSON.stringify({ files: [{ md5: md5Of(first) }, { md5: md5Of(second) }] }),
  });
  expect(stored(repository)).toEqual(['first', 'second']);
  const body = multipart(...two).length;
  expect(faults.requests).toEqual([
    {
      method: 'POST',
      action: 'uploadfiles',
      query: 'action=uploadfiles',
      announced: body,
      bytes: body,
      form: {
        fields: {
          token: ['(token)'],
          comment: ['a + b'],
          'vtsubmit[]': ['false', 'false'],
          'cksubmit[]': ['false', 'true'],
          'tags[]': ['t0', 't1'],
          files_data: [filesData],
        },
        parts: [
          { field: 'files[]', name: 'one.bin', sizeBytes: 5, md5: md5Of(first) },
          { field: 'files[]', name: 'two %222%22.bin', sizeBytes: 6, md5: md5Of(second) },
        ],
      },
    },
  ]);
  expect(faults.counted('uploadfiles')).toEqual({ requests: 1, bytes: body });
  expect(JSON.stringify(faults.requests)).not.toContain(token);
});

test('the upload proxy forwards and counts other actions', async () => {
  const { faults, comment } = await proxied();
  expect(await comment()).toMatchObject({ status: 201, text: '{"id":1}' });
  expect((await fetch(`${faults.baseUrl}/api.php?token=${token}&action=getfile&hash=00`)).status).toBe(200);
  expect(faults.requests).toMatchObject([
    { action: 'addcomment', form: { fields: { hash: ['00'], comment: ['{}'] }, parts: [] } },
    { method: 'GET', action: 'getfile', query: 'action=getfile&hash=00', announced: null, bytes: 0, form: null },
  ]);
  expect(faults.requestsOf('getfile')).toHaveLength(1);
});

test.each<[UploadFault, number, RegExp]>([
  [{ kind: 'too-large', body: 'drained' }, 413, /Too Large/],
  [{ kind: 'too-large', body: 'read' }, 413, /Too Large/],
  [{ kind: 'forbidden' }, 403, /^Not enough rights$/],
  [{ kind: 'token-refused' }, 401, /^$/],
  [{ kind: 'unknown-action' }, 404, /^$/],
  [{ kind: 'nothing', arrives: false }, 200, /^$/],
  [{ kind: 'empty-list', arrives: false }, 200, /^\{"files":\[\]\}$/],
  [{ kind: 'login-page' }, 200, /password/],
  [{ kind: 'busy', retryAfterSeconds: 1 }, 429, /^$/],
  [{ kind: 'unavailable' }, 503, /^$/],
])('%j is answered without reaching the service, and the next upload is forwarded', async (fault, status, text) => {
  const { faults, repository, upload } = await proxied();
  faults.fail(fault);
  expect(faults.waiting()).toEqual([fault]);
  expect(await upload()).toMatchObject({ status, text: expect.stringMatching(text) });
  expect([stored(repository), faults.waiting()]).toEqual([[], []]);
  expect((await upload()).status).toBe(200);
  expect(stored(repository)).toEqual(['first', 'second']);
});

test.each(['nothing', 'empty-list'] as const)('%s can be the answer to an upload that arrived', async (kind) => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind, arrives: true });
  expect((await upload()).status).toBe(200);
  expect(stored(repository)).toEqual(['first', 'second']);
});

test('a swallowed reply lets the whole upload arrive and closes the connection without an answer', async () => {
  const { faults, repository, upload, comment } = await proxied();
  faults.fail({ kind: 'swallowed-reply' });
  faults.failComments({ kind: 'swallowed-reply' });
  await expect(upload()).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(comment()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect([stored(repository), repository.comments.length]).toEqual([['first', 'second'], 1]);
});

test('a connection cut halfway delivers nothing and leaves an incomplete form', async () => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind: 'cut' }, { kind: 'cut', afterBytes: 1 });
  for (const least of [1_500_000, 1]) {
    await expect(upload([['files[]', 'large.bin', large]])).rejects.toThrow(/ECONNRESET|EPIPE|socket hang up/);
    expect(faults.requests.at(-1)?.bytes).toBeGreaterThanOrEqual(least);
    expect(faults.requests.at(-1)?.form).toBeNull();
  }
  expect(faults.requests.at(-1)?.bytes).toBeLessThan(1_500_000);
  expect(stored(repository)).toEqual([]);
});

test('413 before the body was read closes the connection', async () => {
  const { faults, repository } = await proxied();
  faults.fail({ kind: 'too-large', body: 'closed' });
  const asking = ask(`${faults.baseUrl}/api.php?action=uploadfiles`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': formType, 'Content-Length': '50000000' },
  });
  asking.on('error', () => {});
  asking.flushHeaders();
  const [reply]: IncomingMessage[] = await once(asking, 'response');
  expect([reply?.statusCode, reply?.headers.connection]).toEqual([413, 'close']);
  reply?.resume();
  await once(asking, 'close');
  expect([stored(repository), faults.requests[0]?.form]).toEqual([[], null]);
});

test('413 during the body lets the client read it', async () => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind: 'too-large', body: 'drained' });
  expect(await upload([['files[]', 'large.bin', large]])).toMatchObject({
    status: 413,
    text: expect.stringContaining('Too Large'),
  });
  expect(repository.files.size).toBe(0);
});

test('a service’s refusal before the body arrives reaches the client', async () => {
  const service = createServer((request, response) => {
    response.writeHead(403, { 'Content-Length': 7 }).write('Not you');
    request.resume().once('end', () => response.end());
  });
  const faults = await startUploadFaults({ target: await listenOnLoopback(service) });
  onTestFinished(async () => {
    await faults.close();
    service.closeAllConnections();
    service.close();
  });
  const address = `${faults.baseUrl}/api.php?action=uploadfiles`;
  for (const bytes of [first, large])
    expect(await post(address, multipart(['files[]', 'x.bin', bytes]))).toMatchObject({ status: 403, text: 'Not you' });
});

test('rejected files never reach the service, and the others arrive with their own fields', async () => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind: 'rejects', md5s: [md5Of(first)], error: 'File type is not allowed', namesMd5: true });
  const files = filesIn(await upload());
  expect(files).toEqual([
    { md5: md5Of(second) },
    { name: 'one.bin', size: '5', md5: md5Of(first), error: 'File type is not allowed' },
  ]);
  expect(stored(repository)).toEqual(['second']);
  expect(Object.fromEntries(repository.files.get(md5Of(second))?.fields ?? [])).toEqual({
    token,
    comment: 'a + b',
    'vtsubmit[]': 'false',
    'cksubmit[]': 'true',
    'tags[]': 't1',
    files_data: JSON.stringify([{ index: 0, vtsubmit: false, cksubmit: true, tags: 't1' }]),
  });
  expect(faults.requests[0]?.form?.parts).toHaveLength(2);
});

test('a rejection of all files leaves out their MD5s', async () => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind: 'rejects', md5s: 'all', error: 'Disk is full', namesMd5: false });
  expect(filesIn(await upload())).toMatchObject([
    { md5: false, error: 'Disk is full' },
    { md5: false, error: 'Disk is full' },
  ]);
  expect(repository.files.size).toBe(0);
});

test('a held upload arrives and gets its answer when it is released', async () => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind: 'held' });
  const waiting = upload();
  await faults.gate.holding();
  expect(stored(repository)).toEqual(['first', 'second']);
  faults.gate.release();
  expect(await waiting).toMatchObject({ status: 200, text: expect.stringContaining(md5Of(first)) });
});

test('a stalled upload arrives only when it is released', async () => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind: 'stalled', afterBytes: 1_000_000 });
  const waiting = upload([['files[]', 'large.bin', large]]);
  await faults.gate.holding();
  expect([repository.files.size, faults.requests[0]?.form]).toEqual([0, null]);
  expect(faults.requests[0]?.bytes).toBeLessThan(1_100_000);
  faults.gate.release();
  expect(await waiting).toMatchObject({ status: 200 });
  expect([...repository.files.keys()]).toEqual([md5Of(large)]);
});

test('an upload killed while stalled leaves nothing at the service and the next one unaffected', async () => {
  const { faults, repository, upload } = await proxied();
  faults.fail({ kind: 'stalled', afterBytes: 1 });
  const asking = ask(`${faults.baseUrl}/api.php?action=uploadfiles`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': formType },
  });
  asking.on('error', () => {});
  asking.write(multipart(['files[]', 'large.bin', large]).subarray(0, 2_000_000));
  await faults.gate.holding();
  asking.destroy();
  faults.gate.release();
  expect(await upload()).toMatchObject({ status: 200 });
  expect(stored(repository)).toEqual(['first', 'second']);
});

test('a delayed answer is the service’s own', async () => {
  const { faults, upload } = await proxied();
  faults.fail({ kind: 'delayed', ms: 5 });
  expect(await upload()).toMatchObject({ status: 200, text: expect.stringContaining(md5Of(second)) });
});

test('faults apply in order, one per upload, and a request may pass before the next', async () => {
  const { faults, upload } = await proxied();
  faults.fail({ kind: 'none' }, { kind: 'token-refused' }, { kind: 'forbidden' });
  expect([(await upload()).status, (await upload()).status, (await upload()).status, (await upload()).status]).toEqual([
    200, 401, 403, 200,
  ]);
});

test('a token refused after some uploads is refused for everything until it is accepted again', async () => {
  const { faults, upload, comment } = await proxied();
  faults.refuseTokenAfter(1);
  expect([
    (await comment()).status,
    (await upload()).status,
    (await upload()).status,
    (await comment()).status,
  ]).toEqual([201, 200, 401, 401]);
  faults.acceptToken();
  expect((await upload()).status).toBe(200);
});

test('a comment fault can be a missing action, a missing right or a held comment', async () => {
  const { faults, repository, comment, upload } = await proxied();
  faults.failComments({ kind: 'unknown-action' }, { kind: 'no-right' }, { kind: 'held' });
  expect(await comment()).toMatchObject({ status: 404, text: '' });
  expect((await upload()).status).toBe(200);
  expect(await comment()).toMatchObject({ status: 406, text: '' });
  expect(repository.comments).toHaveLength(0);
  const waiting = comment();
  await faults.gate.holding();
  expect(repository.comments).toHaveLength(1);
  faults.gate.release();
  expect(await waiting).toMatchObject({ status: 201 });
});
