import { Buffer } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { FailureKind } from '../../shared/failure.ts';
import { makeCertificates } from '../base/certificates.fixture.ts';
import { failingReplies } from './failing-replies.fixture.ts';
import { failureOf } from './failure-of.fixture.ts';
import { afterBody, formIn, mebibyte, partOf, sourceOf, zeros } from './post.fixture.ts';
import { createRepositoryApi, type RepositoryApi } from './repository-api.ts';
import {
  connectionTo,
  httpReply,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from './scripted-server.fixture.ts';
import type { UploadRequest } from './uploads.ts';

const md5 = 'a'.repeat(32);
const { timeouts: patient } = connectionTo('');
let server: ScriptedServer;

async function serve(script: Script, timeouts = patient): Promise<RepositoryApi> {
  server = await startScripted(script);
  return createRepositoryApi(connectionTo(server.origin, { timeouts }), onceOnly);
}
const uploadOf = (changes: Partial<UploadRequest> = {}): UploadRequest => ({
  parts: [partOf('content')],
  comment: '',
  tokenInForm: false,
  decodesComments: false,
  ...changes,
});
afterEach(() => server.close());

/** The form a request was received as. */
async function sentForm(request: UploadRequest): Promise<FormData> {
  const received = Promise.withResolvers<FormData>();
  const api = await serve(
    afterBody((socket, head, body) => {
      received.resolve(formIn(head, body));
      socket.end(httpReply(200, '{"files":[]}'));
    }),
  );
  await api.uploadFiles(request);
  return received.promise;
}
const fieldsOf = (form: FormData): [string, string | File][] =>
  [...form.entries()].filter(([, value]) => typeof value === 'string');

describe('an upload request', () => {
  it('is a POST with a length over a separate connection, with the token in the query alone', async () => {
    const bodies: string[] = [];
    const api = await serve(
      afterBody((socket, _, body) => {
        bodies.push(body.toString('latin1'));
        socket.write(httpReply(200, '{"files":[]}'));
      }),
    );
    await api.uploadFiles(uploadOf());
    await api.uploadFiles(uploadOf());
    const [line, ...headers] = server.heads[0]?.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    expect(line).toBe(`POST /api.php?action=uploadfiles&token=${encodeURIComponent(tokenOfTests)} HTTP/1.1`);
    expect(headers.map((header) => header.replace(/(boundary=vitrine-)\w{32}$/, '$1…')).toSorted()).toEqual([
      'Accept-Encoding: identity',
      'Accept: */*',
      'Connection: close',
      `Content-Length: ${bodies[0]?.length}`,
      'Content-Type: multipart/form-data; boundary=vitrine-…',
      `Host: 127.0.0.1:${server.port}`,
      'User-Agent: Vitrine',
    ]);
    expect(bodies.join('')).not.toContain(tokenOfTests.slice(0, 6));
    expect(server.connections()).toBe(2);
    await server.allClosed();
  });

  it('holds the flags and tags of each file in both forms', async () => {
    const parts = [
      partOf('one', { virusTotal: true, tags: ['a', 'b c'] }),
      partOf('two', { sandbox: true }),
      partOf('three', { tags: ['ü'] }),
    ];
    expect(fieldsOf(await sentForm(uploadOf({ parts, comment: 'seen' })))).toEqual([
      ['vtsubmit[]', 'true'],
      ['cksubmit[]', 'false'],
      ['tags[]', 'a,b c'],
      ['vtsubmit[]', 'false'],
      ['cksubmit[]', 'true'],
      ['tags[]', ''],
      ['vtsubmit[]', 'false'],
      ['cksubmit[]', 'false'],
      ['tags[]', 'ü'],
      ['comment', 'seen'],
      [
        'files_data',
        JSON.stringify([
          { index: 0, vtsubmit: true, cksubmit: false, tags: 'a,b c' },
          { index: 1, vtsubmit: false, cksubmit: true, tags: '' },
          { index: 2, vtsubmit: false, cksubmit: false, tags: 'ü' },
        ]),
      ],
    ]);
  });

  it('holds the files in order, each whole and under its name', async () => {
    const contents = [randomBytes(3_000_000), Buffer.from('\r\n--vitrine-\r\n--'), Buffer.alloc(1)];
    const names = ['größe 100%.exe', 'two', ''];
    const form = await sentForm(
      uploadOf({ parts: contents.map((content, index) => partOf(content, { name: names[index] ?? '' })) }),
    );
    const files = form.getAll('files[]').filter((value) => typeof value !== 'string');
    expect(files.map(({ name }) => name)).toEqual(['größe 100%.exe', 'two', md5]);
    const received = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())));
    expect(received.every((bytes, index) => bytes.equals(contents[index] ?? Buffer.alloc(0)))).toBe(true);
  });

  it('names the hash only when there is a single file', async () => {
    expect((await sentForm(uploadOf({ parts: [partOf('x', { md5: md5.toUpperCase() })] }))).getAll('hash')).toEqual([
      md5,
    ]);
    await server.close();
    expect((await sentForm(uploadOf({ parts: [partOf('x'), partOf('y')] }))).has('hash')).toBe(false);
  });

  it('repeats the token in the form only when configured', async () => {
    expect((await sentForm(uploadOf({ tokenInForm: true }))).getAll('token')).toEqual([tokenOfTests]);
    await server.close();
    expect((await sentForm(uploadOf())).has('token')).toBe(false);
  });

  it.each([
    [false, '1+1 is 100% "a\\b"\r\n<ü> 📎 %2B'],
    [true, '1%2B1 is 100%25 "a\\b"\r\n<ü> 📎 %252B'],
  ])(
    'encodes the comment so that it arrives intact, for a server that decodes it again: %s',
    async (decodesComments, sent) => {
      expect(
        (await sentForm(uploadOf({ comment: '1+1 is 100% "a\\b"\r\n<ü> 📎 %2B', decodesComments }))).get('comment'),
      ).toBe(sent);
    },
  );

  it('streams a file larger than its memory limit and reports the bytes taken', async () => {
    const size = 12 * mebibyte + 3;
    const digest = createHash('md5').update(Buffer.alloc(size)).digest('hex');
    const form = Promise.withResolvers<FormData>();
    const api = await serve(
      afterBody((socket, head, body) => {
        form.resolve(formIn(head, body));
        socket.end(httpReply(200, '[]'));
      }),
    );
    let taken = 0;
    await api.uploadFiles(
      uploadOf({ parts: [partOf('', { sizeBytes: size, open: () => sourceOf(() => zeros(size)).open() })] }),
      {
        moved: (index, bytes) => {
          taken += index + bytes;
        },
      },
    );
    const file = (await form.promise).get('files[]');
    if (file === null || typeof file === 'string') throw new Error('no file');
    expect(
      createHash('md5')
        .update(Buffer.from(await file.arrayBuffer()))
        .digest('hex'),
    ).toBe(digest);
    expect(taken).toBe(size);
  });
});

it('an upload over TLS arrives unchanged', async () => {
  const { selfSigned } = makeCertificates();
  const form = Promise.withResolvers<FormData>();
  server = await startScripted(
    afterBody((socket, head, body) => {
      form.resolve(formIn(head, body));
      socket.end(httpReply(200, '[]'));
    }),
    selfSigned,
  );
  const api = createRepositoryApi(
    connectionTo(server.origin, { trust: { kind: 'pin', fingerprint: selfSigned.fingerprint } }),
    onceOnly,
  );
  const content = randomBytes(3 * mebibyte + 5);
  await api.uploadFiles(uploadOf({ parts: [partOf(content)] }));
  const file = (await form.promise).get('files[]');
  if (file === null || typeof file === 'string') throw new Error('no file');
  expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
});

describe('the answer to an upload', () => {
  it('names the service’s result for each file', async () => {
    const api = await serve(
      afterBody((socket) =>
        socket.end(
          httpReply(
            200,
            JSON.stringify({ files: [{ md5 }, { md5: false, error: `File is already uploaded ${tokenOfTests}` }] }),
            { 'Content-Type': 'text/html' },
          ),
        ),
      ),
    );
    expect(await api.uploadFiles(uploadOf())).toEqual({
      items: [
        { md5, error: null },
        { md5: null, error: 'File is already uploaded [secret]' },
      ],
    });
  });

  /** What a lost answer is for a POST, and what is said about a hash for a call that asks about none. */
  const kindFor: Partial<Record<FailureKind, FailureKind>> = {
    unreachable: 'may-have-arrived',
    'connection-lost': 'may-have-arrived',
    'timed-out': 'may-have-arrived',
    'forbidden-or-unknown': 'forbidden',
    'unknown-hash': 'request-refused',
    'wrong-record': 'unreadable-reply',
  };
  it.each(failingReplies)('with %s after the whole body was sent is a failure', async (_, script, kind) => {
    const timeouts = kind === 'timed-out' ? { ...patient, firstByteSeconds: 0.2, idleSeconds: 0.2 } : patient;
    const api = await serve(
      afterBody((socket, head, __, number) => script(socket, head, number)),
      timeouts,
    );
    const failure = await failureOf(() => api.uploadFiles(uploadOf()));
    expect(failure.kind).toBe(kindFor[kind] ?? kind);
    if (failure.kind === 'may-have-arrived')
      expect(failure).toEqual({
        kind: 'may-have-arrived',
        service: 'repository',
        address: api.address,
        action: 'uploadfiles',
      });
    await server.allClosed();
  });

  it.each([
    [404, '', 'action-unknown'],
    [404, '{"error":{"code":"unknown-action","message":"x"}}', 'action-unknown'],
    [406, '', 'method-refused'],
    [403, 'Not enough rights', 'forbidden'],
    [400, 'missing files', 'request-refused'],
  ])('%i %s is %s', async (status, body, kind) => {
    const api = await serve(afterBody((socket) => socket.end(httpReply(status, body))));
    expect(await failureOf(() => api.uploadFiles(uploadOf()))).toMatchObject({ kind });
  });
});
