import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it } from 'vitest';
import { errorOf } from './failure-of.fixture.ts';
import { failingReplies } from './failing-replies.fixture.ts';
import { afterBody, partOf } from './post.fixture.ts';
import { createRepositoryApi } from './repository-api.ts';
import { connectionTo, everythingOf, httpReply, onceOnly, type ScriptedServer, startScripted, tokenOfTests } from './scripted-server.fixture.ts';

const md5 = 'a'.repeat(32);
const { timeouts: patient } = connectionTo('');
const timeoutsFor = (kind: string) => (kind === 'timed-out' ? { ...patient, firstByteSeconds: 0.2, idleSeconds: 0.2 } : patient);
let server: ScriptedServer;
afterEach(() => server.close());

const plain = 'PlainToken0123456789abcdef';

/** Every way the token is written in these tests, cut to a part that is long enough to be told. */
function partsOf(token: string): string[] {
  const forms = [token, encodeURIComponent(token), encodeURIComponent(encodeURIComponent(token)), JSON.stringify(token).slice(1, -1), Buffer.from(token).toString('base64').slice(0, -4)];
  return forms.flatMap((form) => [form, form.slice(0, 8)]);
}

function expectClean(error: unknown, token: string): void {
  const everything = everythingOf(error);
  for (const part of partsOf(token)) expect(everything).not.toContain(part);
}

describe.each([['a plain token', plain], ['a token of odd characters', tokenOfTests]])('%s', (_, token) => {
  it.each(failingReplies)('is nowhere in the failure after %s', async (_name, script, kind) => {
    server = await startScripted(script);
    const connection = connectionTo(server.origin, { timeouts: timeoutsFor(kind), token });
    const lookup = await errorOf(() => createRepositoryApi(connection, onceOnly).getFile(md5));
    if (kind !== 'timed-out') expect(server.heads[0]).toContain(encodeURIComponent(token));
    expectClean(lookup, token);
  });

  it.each(failingReplies)('is nowhere in what a download answered with %s throws', async (_name, script, kind) => {
    server = await startScripted(script);
    const api = createRepositoryApi(connectionTo(server.origin, { timeouts: timeoutsFor(kind), token }), onceOnly);
    const error = await (async () => {
      for await (const chunk of (await api.downloadFile(md5)).chunks) expect(chunk.length).toBeGreaterThan(0);
    })().catch((thrown: unknown) => thrown);
    if (error !== undefined) expectClean(error, token);
  });

  it.each(failingReplies)('is nowhere in what a bulk download answered with %s throws', async (_name, script, kind) => {
    server = await startScripted(script);
    const api = createRepositoryApi(connectionTo(server.origin, { timeouts: timeoutsFor(kind), token }), onceOnly);
    expectClean(await errorOf(() => api.bulkDownload([md5, 'b'.repeat(32)])), token);
  });

  it.each(failingReplies)('is nowhere in what an upload and a comment answered with %s throw', async (_name, script, kind) => {
    server = await startScripted(afterBody((socket, head, body, number) => script(socket, head + body.toString('latin1'), number)));
    const api = createRepositoryApi(connectionTo(server.origin, { timeouts: timeoutsFor(kind), token }), onceOnly);
    const upload = { parts: [partOf('content')], comment: '', tokenInForm: true, decodesComments: false };
    expectClean(await errorOf(() => api.uploadFiles(upload)), token);
    expectClean(await api.addComment({ md5, content: 'x', parentId: null }, 'json').catch((thrown: unknown) => thrown), token);
  });

  it('is nowhere in the reply to an upload that repeats it', async () => {
    server = await startScripted(afterBody((socket, head, body) => socket.end(httpReply(200, JSON.stringify({ files: [{ md5: token, error: head }, { error: { message: body.toString() } }, { message: token }] })))));
    const parts = [partOf('content', { name: 'x'.repeat(100) })];
    const reply = await createRepositoryApi(connectionTo(server.origin, { token }), onceOnly).uploadFiles({ parts, comment: '', tokenInForm: true, decodesComments: false });
    for (const part of partsOf(token)) expect(JSON.stringify(reply)).not.toContain(part);
    expect(reply.items[2]).toEqual({ md5: null, error: '[secret]' });
  });

  it('is nowhere in a record that repeats it', async () => {
    server = await startScripted((socket, head) => {
      const encoded = (head.split('token=')[1] ?? '').split(' ')[0] ?? '';
      const file = { md5, filename: token, virustotal_link: `https://x.example/?token=${encoded}`, [token]: [{ [`x${token}`]: token }], pedata: JSON.stringify({ token }) };
      socket.end(httpReply(200, JSON.stringify({ file })));
    });
    const record = await createRepositoryApi(connectionTo(server.origin, { token }), onceOnly).getFile(md5);
    const shown = JSON.stringify(record);
    for (const part of partsOf(token)) expect(shown).not.toContain(part);
    expect(record).toMatchObject({ name: '[secret]', virusTotal: { link: 'https://x.example/?token=[secret]' } });
  });
});

it('is nowhere in a defect of ours', async () => {
  server = await startScripted(() => {});
  const proxyFor = (): Promise<null> => Promise.reject(new TypeError(`no proxy for ?token=${encodeURIComponent(plain)}`));
  const error = await errorOf(() => createRepositoryApi(connectionTo('http://repo.example', { token: plain, proxyFor }), onceOnly).getFile(md5));
  expect(error).toMatchObject({ name: 'TypeError', message: 'no proxy for ?token=[secret]' });
  expectClean(error, plain);
});
