import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { FailureKind } from '../../shared/failure.ts';
import { failingReplies } from './failing-replies.fixture.ts';
import { failureOf } from './failure-of.fixture.ts';
import { afterBody, formIn, mebibyte, sourceOf, tooMuch, zeros } from './post.fixture.ts';
import { createRuleEditorApi, type RuleEditorApi, type ScannedBytes } from './rule-editor-api.ts';
import {
  connectionTo,
  httpReply,
  instantTiming,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from './scripted-server.fixture.ts';

const { timeouts: patient } = connectionTo('');
let server: ScriptedServer;
afterEach(() => server.close());

async function serve(
  script: Script,
  timeouts = patient,
  options: Parameters<typeof createRuleEditorApi>[1] = onceOnly,
): Promise<RuleEditorApi> {
  server = await startScripted(script);
  return createRuleEditorApi(connectionTo(server.origin, { service: 'rule-editor', timeouts }), options);
}
const answered = (body: string, status = 200): Promise<RuleEditorApi> =>
  serve(afterBody((socket) => socket.end(httpReply(status, body, { 'Content-Type': 'text/html' }))));

const fileOf = (content: string, changes: Partial<ScannedBytes> = {}): ScannedBytes => {
  const bytes = Buffer.from(content);
  return { name: 'sample.bin', sizeBytes: bytes.length, open: () => sourceOf(() => [bytes]).open(), ...changes };
};
const matches = (count: number, data = '4d5a90000300000004000000ffff0000'): string =>
  JSON.stringify({
    publication: { version: '1.4' },
    matches: [
      {
        rule: 'Big',
        strings: Array.from({ length: count }, (_, index) => ({ id: '$a', offset: index * 16, length: 16, data })),
      },
      { rule: 'Small', strings: [] },
    ],
  });

describe('a scan request', () => {
  it('is a form with one file, streamed, with the token in the query alone', async () => {
    const size = 9 * mebibyte + 3;
    const received = Promise.withResolvers<{ form: FormData; body: Buffer }>();
    const api = await serve(
      afterBody((socket, head, body) => {
        received.resolve(formIn(head, body).then((form) => ({ form, body })));
        socket.end(httpReply(200, '[]'));
      }),
    );
    let taken = 0;
    await api.scanFile(
      { name: 'größe 100%\r\n.exe', sizeBytes: size, open: () => sourceOf(() => zeros(size)).open() },
      {
        moved: (bytes) => {
          taken += bytes;
        },
      },
    );
    const { form, body } = await received.promise;
    expect(server.heads[0]).toContain(
      `POST /api.php?action=scanfile&token=${encodeURIComponent(tokenOfTests)} HTTP/1.1\r\n`,
    );
    expect([...form.keys()]).toEqual(['files[]']);
    const file = form.get('files[]');
    if (file === null || typeof file === 'string') throw new Error('no file');
    expect(
      createHash('md5')
        .update(Buffer.from(await file.arrayBuffer()))
        .digest('hex'),
    ).toBe(createHash('md5').update(Buffer.alloc(size)).digest('hex'));
    expect(body.subarray(0, 400).toString()).toContain('filename="größe 100%%0D%0A.exe"\r\n');
    expect(body.includes(tokenOfTests.slice(0, 6))).toBe(false);
    expect(taken).toBe(size);
  });

  it('has a file name for a file without one', async () => {
    const form = Promise.withResolvers<FormData>();
    const api = await serve(
      afterBody((socket, head, body) => {
        form.resolve(formIn(head, body));
        socket.end(httpReply(200, '[]'));
      }),
    );
    await api.scanFile(fileOf('x', { name: '' }));
    expect((await form.promise).get('files[]')).toMatchObject({ name: 'sample' });
  });

  it('is aborted when the file has another length than announced', async () => {
    const api = await serve(() => {});
    expect(await failureOf(() => api.scanFile(fileOf('content', { sizeBytes: 8 })))).toEqual({
      kind: 'file-changed',
      name: 'sample.bin',
    });
    expect(await failureOf(() => api.scanFile(fileOf('content', { sizeBytes: 6 })))).toEqual({
      kind: 'file-changed',
      name: 'sample.bin',
    });
  });
});

describe('a scan reply', () => {
  it('is returned as sent, with its interpretation', async () => {
    const said = { publication: { version: '1.4' }, matches: [{ rule: 'A', strings: [['0', '$a', '4D5A']] }] };
    expect(await (await answered(JSON.stringify(said))).scanFile(fileOf('MZ'))).toEqual({
      status: 200,
      reply: said,
      reading: {
        kind: 'matches',
        version: '1.4',
        rules: null,
        isCut: false,
        hits: [
          {
            rule: 'A',
            namespace: null,
            tags: [],
            meta: [],
            strings: [{ id: '$a', matches: [{ offset: 0, length: null, data: '4d5a' }], total: 1, isAtLeast: false }],
          },
        ],
      },
    });
  });

  it.each<[string, string]>([
    ['{"error":"no engine"}', 'failed'],
    ['{"valid":false}', 'failed'],
    ['{"verdict":1}', 'not-understood'],
    ['"x"', 'not-understood'],
    ['null', 'matches'],
  ])('%s is read as: %s', async (body, kind) => {
    expect(await (await answered(body)).scanFile(fileOf('x'))).toMatchObject({
      reply: JSON.parse(body) as unknown,
      reading: { kind },
    });
  });

  const twice = '"matches":[{"rule":"A"}],"matches":[]';
  it.each<[string, string]>([
    ['matches, and none', `{${twice}}`],
    ['more within', `{"data":{${twice}}}`],
    ['a name in another spelling', '{"matches":[{"rule":"A"}],"m\\u0061tches":[]}'],
    ['a verdict', '{"valid":false,"valid":true,"matches":[]}'],
    ['many', `{"n":[${'{"a":"\\":"},'.repeat(1000)}0],${twice}}`],
  ])('with a repeated name (%s) never means no hits and is shown as sent', async (_, body) => {
    const { reply, reading } = await (await answered(body)).scanFile(fileOf('x'));
    expect([reading, reply]).toEqual([{ kind: 'not-understood' }, body]);
  });

  it('with a repeated name and matches counts as incomplete, and a failure stays one', async () => {
    const matched = '{"matches":[{"rule":"A"}],"matches":[{"rule":"B"}]}';
    expect(await (await answered(matched)).scanFile(fileOf('x'))).toMatchObject({
      reading: { kind: 'matches', isCut: true, hits: [{ rule: 'B' }] },
      reply: matched,
    });
    await server.close();
    expect(await (await answered('{"error":"a","error":"b"}')).scanFile(fileOf('x'))).toMatchObject({
      reading: { kind: 'failed', text: 'b' },
    });
  });

  it('with a hundred thousand matches is read completely and shown in part', async () => {
    const { reply, reading } = await (await answered(matches(100_000))).scanFile(fileOf('x'));
    expect(reading).toMatchObject({
      kind: 'matches',
      version: '1.4',
      isCut: true,
      hits: [{ rule: 'Big', strings: [{ total: 100_000, isAtLeast: false }] }, { rule: 'Small' }],
    });
    expect(JSON.stringify(reply)).toContain('[skipped');
    expect(JSON.stringify(reply).length).toBeLessThan(2 * mebibyte);
  });

  it.each<[string, string, FailureKind]>([
    ['is cut off', matches(5000).slice(0, 200_000), 'unreadable-reply'],
    ['has text before it', `<b>Warning</b> ${matches(1000)}`, 'text-around-json'],
    ['has more values than anybody has use for', `[${'[],'.repeat(1_600_000)}[]]`, 'unreadable-reply'],
    ['is larger than any', `"${'x'.repeat(16 * mebibyte)}"`, 'reply-too-large'],
  ])('that is large and %s is a failure', async (_, body, kind) => {
    expect(await failureOf(async () => (await answered(body)).scanFile(fileOf('x')))).toMatchObject({
      kind,
      service: 'rule-editor',
    });
  });

  it.each<[number, string, FailureKind]>([
    [413, '', 'too-large-for-service'],
    [401, '', 'token-refused'],
    [404, '', 'action-unknown'],
    [403, 'Not enough rights', 'forbidden'],
    [406, '', 'method-refused'],
    [400, 'no file', 'request-refused'],
    [404, '{"error":{"code":"no-publication","message":"nothing is published"}}', 'request-refused'],
    [503, '', 'service-failed'],
    [200, '', 'empty-reply'],
    [200, '<html>', 'html-reply'],
    [200, '{"matches":[', 'unreadable-reply'],
    [200, '{"matches":[]}{}', 'text-around-json'],
  ])('%i %s is %s', async (status, body, kind) => {
    expect(await failureOf(async () => (await answered(body, status)).scanFile(fileOf('x')))).toMatchObject({ kind });
    expect(server.connections()).toBe(1);
  });

  /**
   * What a lost answer is for a POST, what is said about a hash for a call that asks about none, and what is an answer
   * to a scan.
   */
  const kindFor: Partial<Record<FailureKind, FailureKind>> = {
    unreachable: 'may-have-arrived',
    'connection-lost': 'may-have-arrived',
    'timed-out': 'may-have-arrived',
    'forbidden-or-unknown': 'forbidden',
    'unknown-hash': 'request-refused',
  };
  const answers = new Set(['JSON that is no record', 'an error with 200', 'another sample’s record']);
  it.each(failingReplies.filter(([name]) => !answers.has(name)))('that is %s is a failure', async (_, script, kind) => {
    const timeouts = kind === 'timed-out' ? { ...patient, firstByteSeconds: 0.2, idleSeconds: 0.2 } : patient;
    const api = await serve(
      afterBody((socket, head, __, number) => script(socket, head, number)),
      timeouts,
    );
    expect(await failureOf(() => api.scanFile(fileOf('x')))).toMatchObject({ kind: kindFor[kind] ?? kind });
    await server.allClosed();
  });
});

describe('a scan reply behind a warning', () => {
  const warning = 'Notice: x in a.php on line 3\n';

  it('counts its matches, which may not be all, and is shown as it came', async () => {
    const api = await answered(`${warning}{"matches":[{"rule":"A"}]}`);
    expect(await api.scanFile(fileOf('x'))).toMatchObject({
      reply: `${warning}{"matches":[{"rule":"A"}]}`,
      reading: { kind: 'matches', hits: [{ rule: 'A' }], isCut: true },
    });
  });

  it('never means no hits', async () => {
    const api = await answered(`${warning}{"matches":[]}`);
    expect(await api.scanFile(fileOf('x'))).toMatchObject({ reading: { kind: 'not-understood' } });
  });
});

describe('a scan that breaks off', () => {
  const endless = (): ScannedBytes => ({
    name: 'x',
    sizeBytes: tooMuch,
    open: () => sourceOf(() => zeros(tooMuch)).open(),
  });

  it('before the whole body was sent is not resent and cannot have arrived', async () => {
    const api = await serve((socket) => socket.destroy(), patient, { timing: instantTiming() });
    expect(await failureOf(() => api.scanFile(endless()))).toMatchObject({ kind: 'unreachable' });
    expect(server.connections()).toBe(1);
  });

  it('after the whole body was sent is not resent and may have arrived', async () => {
    const api = await serve(
      afterBody((socket) => socket.destroy()),
      patient,
      { timing: instantTiming() },
    );
    expect(await failureOf(() => api.scanFile(fileOf('x')))).toEqual({
      kind: 'may-have-arrived',
      service: 'rule-editor',
      address: `${server.origin}/api.php`,
      action: 'scanfile',
    });
    expect(server.connections()).toBe(1);
  });

  it('when cancelled has arrived only after the whole body was sent', async () => {
    const halfway = new AbortController();
    const api = await serve(afterBody(() => waiting.abort()));
    const waiting = new AbortController();
    expect(
      await failureOf(() => api.scanFile(endless(), { signal: halfway.signal, moved: () => halfway.abort() })),
    ).toEqual({ kind: 'cancelled' });
    expect(await failureOf(() => api.scanFile(fileOf('x'), { signal: waiting.signal }))).toMatchObject({
      kind: 'may-have-arrived',
    });
  });

  it('by a refusal before its end reports the reason', async () => {
    const api = await serve((socket) => socket.write(httpReply(413, '')));
    expect(await failureOf(() => api.scanFile(endless()))).toMatchObject({ kind: 'too-large-for-service' });
  });

  it('is resent after the pause that the service requests', async () => {
    const timing = instantTiming();
    const api = await serve(
      (socket, head, number) =>
        number === 1
          ? socket.end(httpReply(429, '', { 'Retry-After': '7' }))
          : afterBody((later) => later.end(httpReply(200, '[]')))(socket, head, number),
      patient,
      { timing },
    );
    const read = await api.scanFile(endless()).then(({ reading }) => reading.kind);
    expect([read, timing.slept, server.connections()]).toEqual(['matches', [7000], 2]);
  });
});
