import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it } from 'vitest';
import { errorOf } from './failure-of.fixture.ts';
import { failingReplies } from './failing-replies.fixture.ts';
import { afterBody, partOf } from './post.fixture.ts';
import { createLabPublisher } from './lab-publisher-api.ts';
import { createRepositoryApi } from './repository-api.ts';
import { createRuleEditorApi } from './rule-editor-api.ts';
import {
  connectionTo,
  everythingOf,
  httpReply,
  onceOnly,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from './scripted-server.fixture.ts';

const md5 = 'a'.repeat(32);
const { timeouts: patient } = connectionTo('');
const timeoutsFor = (kind: string) =>
  kind === 'timed-out' ? { ...patient, firstByteSeconds: 0.2, idleSeconds: 0.2 } : patient;
let server: ScriptedServer;
afterEach(() => server.close());

const plain = 'PlainToken0123456789abcdef';

/** Every way the token is written in these tests, cut to a part that is long enough to be recognized. */
function partsOf(token: string): string[] {
  const forms = [
    token,
    encodeURIComponent(token),
    encodeURIComponent(encodeURIComponent(token)),
    JSON.stringify(token).slice(1, -1),
    Buffer.from(token).toString('base64').slice(0, -4),
  ];
  return forms.flatMap((form) => [form, form.slice(0, 8)]);
}

function expectNoToken(error: unknown, token: string): void {
  const everything = everythingOf(error);
  for (const part of partsOf(token)) expect(everything).not.toContain(part);
}

describe.each([
  ['a plain token', plain],
  ['a token of odd characters', tokenOfTests],
])('%s', (_, token) => {
  it.each(failingReplies)('is absent from the failure after %s', async (_name, script, kind) => {
    server = await startScripted(script);
    const connection = connectionTo(server.origin, { timeouts: timeoutsFor(kind), token });
    const lookup = await errorOf(() => createRepositoryApi(connection, onceOnly).getFile(md5));
    if (kind !== 'timed-out') expect(server.heads[0]).toContain(encodeURIComponent(token));
    expectNoToken(lookup, token);
  });

  it.each(failingReplies)('is absent from the error of a download answered with %s', async (_name, script, kind) => {
    server = await startScripted(script);
    const api = createRepositoryApi(connectionTo(server.origin, { timeouts: timeoutsFor(kind), token }), onceOnly);
    const error = await (async () => {
      for await (const chunk of (await api.downloadFile(md5)).chunks) expect(chunk.length).toBeGreaterThan(0);
    })().catch((thrown: unknown) => thrown);
    if (error !== undefined) expectNoToken(error, token);
  });

  it.each(failingReplies)(
    'is absent from the error of a bulk download answered with %s',
    async (_name, script, kind) => {
      server = await startScripted(script);
      const api = createRepositoryApi(connectionTo(server.origin, { timeouts: timeoutsFor(kind), token }), onceOnly);
      expectNoToken(await errorOf(() => api.bulkDownload([md5, 'b'.repeat(32)])), token);
    },
  );

  it.each(failingReplies)(
    'is absent from the errors of an upload and a comment answered with %s',
    async (_name, script, kind) => {
      server = await startScripted(
        afterBody((socket, head, body, number) => script(socket, head + body.toString('latin1'), number)),
      );
      const api = createRepositoryApi(connectionTo(server.origin, { timeouts: timeoutsFor(kind), token }), onceOnly);
      const upload = { parts: [partOf('content')], comment: '', tokenInForm: true, decodesComments: false };
      expectNoToken(await errorOf(() => api.uploadFiles(upload)), token);
      expectNoToken(
        await api.addComment({ md5, content: 'x', parentId: null }, 'json').catch((thrown: unknown) => thrown),
        token,
      );
    },
  );

  it.each(failingReplies)(
    'is absent from the errors of rule editor calls answered with %s',
    async (_name, script, kind) => {
      server = await startScripted(script);
      const api = createRuleEditorApi(
        connectionTo(server.origin, { service: 'rule-editor', timeouts: timeoutsFor(kind), token }),
        onceOnly,
      );
      const reply = await api.checkVersion('0', false).catch((thrown: unknown) => thrown);
      expectNoToken(reply instanceof Error ? reply : new Error(JSON.stringify(reply)), token);
      const error = await (async () => {
        for await (const chunk of (await api.downloadPublication('1', { publicLink: false, encrypted: false })).chunks)
          expect(chunk.length).toBeGreaterThan(0);
      })().catch((thrown: unknown) => thrown);
      if (error !== undefined) expectNoToken(error, token);
    },
  );

  it.each(failingReplies)(
    'is absent from the result or error of a scan answered with %s',
    async (_name, script, kind) => {
      server = await startScripted(
        afterBody((socket, head, body, number) => script(socket, head + body.toString('latin1'), number)),
      );
      const api = createRuleEditorApi(
        connectionTo(server.origin, { service: 'rule-editor', timeouts: timeoutsFor(kind), token }),
        onceOnly,
      );
      const reply = await api.scanFile(partOf('content')).catch((thrown: unknown) => thrown);
      expectNoToken(reply instanceof Error ? reply : new Error(JSON.stringify(reply)), token);
    },
  );

  it.each([
    ['small', 1],
    ['large', 2000],
  ])('is absent from a %s scan reply that repeats it, and from its bytes', async (_size, times) => {
    const hex = Buffer.from(token).toString('hex');
    server = await startScripted(
      afterBody((socket, head) => {
        const match = {
          rule: token,
          namespace: head,
          tags: [token],
          meta: { [token]: head },
          strings: [
            [0, token, token],
            [1, '$a', hex],
            [2, '$b', `x${token}`],
          ],
        };
        socket.end(
          httpReply(200, JSON.stringify({ version: token, matches: Array.from({ length: times }, () => match) })),
        );
      }),
    );
    const reply = await createRuleEditorApi(connectionTo(server.origin, { token }), onceOnly).scanFile(
      partOf('content'),
    );
    const shown = JSON.stringify(reply);
    expect(reply.reading).toMatchObject({ kind: 'matches', version: '[secret]', hits: [{ rule: '[secret]' }] });
    for (const part of [...partsOf(token), hex.slice(0, 16)]) expect(shown).not.toContain(part);
  });

  it.each([
    ['as digits', 'hex'],
    ['as digits of upper case', 'HEX'],
    ['as digits of no said form', 'data'],
  ])('is absent from the data of a match that is cut inside it after 64 bytes, %s', async (_form, name) => {
    const bytes = Buffer.from(`${'.'.repeat(64 - Buffer.byteLength(token) + 2)}${token}`).subarray(0, 64);
    const digits = name === 'HEX' ? bytes.toString('hex').toUpperCase() : bytes.toString('hex');
    server = await startScripted(
      afterBody((socket) =>
        socket.end(httpReply(200, JSON.stringify([{ rule: 'A', strings: [{ id: '$a', offset: 0, [name]: digits }] }]))),
      ),
    );
    const reply = await createRuleEditorApi(connectionTo(server.origin, { token }), onceOnly).scanFile(
      partOf('content'),
    );
    expect(reply.reading).toMatchObject({
      kind: 'matches',
      hits: [{ rule: 'A', strings: [{ matches: [{ offset: 0, data: null }] }] }],
    });
    expect(JSON.stringify(reply).toLowerCase()).not.toContain(Buffer.from(token).toString('hex').slice(0, 16));
  });

  it.each(failingReplies)('is absent from the error of publishing answered with %s', async (_name, script, kind) => {
    server = await startScripted(
      afterBody((socket, head, body, number) => script(socket, head + body.toString('latin1'), number)),
    );
    const lab = createLabPublisher(
      connectionTo(server.origin, { service: 'rule-editor', timeouts: timeoutsFor(kind), token }),
      onceOnly,
    );
    expectNoToken(
      await errorOf(() =>
        lab.publish([{ ...partOf('rule x { condition: true }'), path: 'x.yar' }], { version: '1', group: 'Test' }),
      ),
      token,
    );
  });

  it('is absent from a check reply that repeats it', async () => {
    server = await startScripted((socket, head) =>
      socket.end(httpReply(200, JSON.stringify({ outdated: true, last_version: token, [token]: head }))),
    );
    const reply = JSON.stringify(
      await createRuleEditorApi(connectionTo(server.origin, { token }), onceOnly).checkVersion('0', false),
    );
    for (const part of partsOf(token)) expect(reply).not.toContain(part);
  });

  it('is absent from what a redirect target receives or repeats, even when the redirect contains it', async () => {
    server = await startScripted((socket, head, number) => {
      const target = (head.split(' ')[1] ?? '').replace('/api.php', `/${encodeURIComponent(token)}`);
      socket.end(number === 1 ? httpReply(302, '', { Location: target }) : httpReply(403, head));
    });
    const error = await errorOf(() =>
      createRuleEditorApi(connectionTo(server.origin, { token }), onceOnly).downloadPublication('1', {
        publicLink: false,
        encrypted: false,
      }),
    );
    expect(error).toMatchObject({ failure: { kind: 'request-refused', address: `${server.origin}/[secret]` } });
    expectNoToken(error, token);
  });

  it('is absent from an upload reply that repeats it', async () => {
    server = await startScripted(
      afterBody((socket, head, body) =>
        socket.end(
          httpReply(
            200,
            JSON.stringify({
              files: [{ md5: token, error: head }, { error: { message: body.toString() } }, { message: token }],
            }),
          ),
        ),
      ),
    );
    const parts = [partOf('content', { name: 'x'.repeat(100) })];
    const reply = await createRepositoryApi(connectionTo(server.origin, { token }), onceOnly).uploadFiles({
      parts,
      comment: '',
      tokenInForm: true,
      decodesComments: false,
    });
    for (const part of partsOf(token)) expect(JSON.stringify(reply)).not.toContain(part);
    expect(reply.items[2]).toEqual({ md5: null, error: '[secret]' });
  });

  it('is absent from a record that repeats it', async () => {
    server = await startScripted((socket, head) => {
      const encoded = (head.split('token=')[1] ?? '').split(' ')[0] ?? '';
      const file = {
        md5,
        filename: token,
        virustotal_link: `https://x.example/?token=${encoded}`,
        [token]: [{ [`x${token}`]: token }],
        pedata: JSON.stringify({ token }),
      };
      socket.end(httpReply(200, JSON.stringify({ file })));
    });
    const record = await createRepositoryApi(connectionTo(server.origin, { token }), onceOnly).getFile(md5);
    const shown = JSON.stringify(record);
    for (const part of partsOf(token)) expect(shown).not.toContain(part);
    expect(record).toMatchObject({ name: '[secret]', virusTotal: { link: 'https://x.example/?token=[secret]' } });
  });
});

it.each(failingReplies)(
  'the query of a signed link is absent from the error of a target that answered %s',
  async (_name, script, kind) => {
    const signature = 'Zx81/Qw+92kLm=Pq7';
    const query = `X-Expires=2026&X-Signature=${encodeURIComponent(signature)}`;
    server = await startScripted((socket, head, number) =>
      number === 1 ? socket.end(httpReply(302, '', { Location: `/signed?${query}` })) : script(socket, head, number),
    );
    const api = createRuleEditorApi(connectionTo(server.origin, { timeouts: timeoutsFor(kind) }), onceOnly);
    const error = await (async () => {
      for await (const chunk of (await api.downloadPublication('1', { publicLink: false, encrypted: false })).chunks)
        expect(chunk.length).toBeGreaterThan(0);
    })().catch((thrown: unknown) => thrown);
    expect(server.heads[1]).toContain(`GET /signed?${query} HTTP/1.1`);
    const everything = error === undefined ? '' : everythingOf(error);
    for (const part of [signature, encodeURIComponent(signature), 'Zx81%2F', '92kLm%3D', '92kLm='])
      expect(everything).not.toContain(part);
  },
);

it('the token is absent from an internal error', async () => {
  server = await startScripted(() => {});
  const proxyFor = (): Promise<null> =>
    Promise.reject(new TypeError(`no proxy for ?token=${encodeURIComponent(plain)}`));
  const error = await errorOf(() =>
    createRepositoryApi(connectionTo('http://repo.example', { token: plain, proxyFor }), onceOnly).getFile(md5),
  );
  expect(error).toMatchObject({ name: 'TypeError', message: 'no proxy for ?token=[secret]' });
  expectNoToken(error, plain);
});
