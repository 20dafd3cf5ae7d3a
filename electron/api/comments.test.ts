import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { FailureKind } from '../../shared/failure.ts';
import { anyText, forAny, whenBusy } from '../base/property.fixture.ts';
import { commentFields, type CommentForm, isBracketsOnly } from './comments.ts';
import { failingReplies } from './failing-replies.fixture.ts';
import { failureOf } from './failure-of.fixture.ts';
import { afterBody } from './post.fixture.ts';
import { createRepositoryApi, type RepositoryApi } from './repository-api.ts';
import { urlEncodedBody } from './request-body.ts';
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

const md5 = 'a'.repeat(32);
const { timeouts: patient } = connectionTo('');
const comment = { md5, content: 'seen', parentId: null };
let server: ScriptedServer;

async function serve(script: Script, timeouts = patient): Promise<RepositoryApi> {
  server = await startScripted(script);
  return createRepositoryApi(connectionTo(server.origin, { timeouts }), onceOnly);
}
afterEach(() => server.close());

describe('a comment request', () => {
  it.each<[CommentForm, string | null, [string, string][]]>([
    [
      'json',
      null,
      [
        ['hash', md5],
        ['comment', '{"content":"1+1 & 100% \\"ü\\"","parent":""}'],
      ],
    ],
    [
      'json',
      '7',
      [
        ['hash', md5],
        ['comment', '{"content":"1+1 & 100% \\"ü\\"","parent":"7"}'],
      ],
    ],
    [
      'brackets',
      null,
      [
        ['hash', md5],
        ['comment[content]', '1+1 & 100% "ü"'],
        ['comment[parent]', ''],
      ],
    ],
    [
      'brackets',
      '7',
      [
        ['hash', md5],
        ['comment[content]', '1+1 & 100% "ü"'],
        ['comment[parent]', '7'],
      ],
    ],
  ])('has the right fields in the form %s, below %j', async (form, parentId, fields) => {
    const bodies: string[] = [];
    const api = await serve(
      afterBody((socket, _, body) => {
        bodies.push(body.toString());
        socket.end(httpReply(201, '{"id":1}'));
      }),
    );
    await api.addComment({ md5: md5.toUpperCase(), content: '1+1 & 100% "ü"', parentId }, form);
    const [head = ''] = server.heads;
    expect(head).toContain(`POST /api.php?action=addcomment&token=${encodeURIComponent(tokenOfTests)} HTTP/1.1\r\n`);
    expect(head).toContain('Content-Type: application/x-www-form-urlencoded\r\n');
    expect([...new URLSearchParams(bodies[0]).entries()]).toEqual(fields);
    await server.allClosed();
  });

  it(
    'keeps any text exactly',
    () => {
      server = { close: async () => {} } as ScriptedServer;
      forAny([anyText, fc.constantFrom<CommentForm>('json', 'brackets')], (content, form) => {
        const body = urlEncodedBody(commentFields({ md5, content, parentId: null }, form));
        const sent = new URLSearchParams(Buffer.from(body.end).toString());
        expect(body.sizeBytes).toBe(body.end.length);
        expect(
          sent.get('comment[content]') ?? (JSON.parse(sent.get('comment') ?? '') as { content: string }).content,
        ).toBe(content.toWellFormed());
      });
    },
    whenBusy,
  );
});

describe('a comment reply', () => {
  it.each<[number, string, string | null]>([
    [201, '{"id": 1}', '1'],
    [201, '{"id":"c-7"}', 'c-7'],
    [201, '{"id": 9007199254740993}', '9007199254740993'],
    [200, '{"id":3}', '3'],
    [200, '{"ok":true}', null],
    [201, '', null],
    [201, 'created', null],
    [201, '<br />\n<b>Warning</b> {"id":1}', null],
    [201, '\nNotice: Undefined index: x in /w/a.php on line 3\n{"id":1}', '1'],
    [201, '{"id":{}}', null],
    [201, '[1]', null],
    [201, `{"id":"${'x'.repeat(300)}"}`, null],
    [201, JSON.stringify({ id: tokenOfTests }), '[secret]'],
  ])('%i %s names the comment %j', async (status, body, id) => {
    const api = await serve(afterBody((socket) => socket.end(httpReply(status, body))));
    expect(await api.addComment(comment, 'json')).toEqual({ id });
  });

  it.each<[number, string, object]>([
    [406, '', { kind: 'forbidden', status: 406, text: '' }],
    [405, '', { kind: 'method-refused' }],
    [403, 'Not enough rights', { kind: 'forbidden-or-unknown', hash: md5 }],
    [404, '{"error":{"code":"unknown-file","message":"x"}}', { kind: 'unknown-hash', hash: md5 }],
    [404, '', { kind: 'action-unknown', action: 'addcomment' }],
    [200, '', { kind: 'empty-reply' }],
    [200, '<html>Login</html>', { kind: 'html-reply' }],
    [201, '<html>Login</html>', { kind: 'html-reply', status: 201 }],
    [200, 'Warning {"id":1}', { kind: 'text-around-json' }],
    [200, 'Notice: Undefined index: x in /w/a.php on line 3\n{"id":1}', { kind: 'text-around-json' }],
    [200, '{"error":"no"}', { kind: 'request-refused', status: 200, text: 'no' }],
    [201, '{"error":{"code":"x","message":"no"}}', { kind: 'request-refused', status: 201, text: 'no' }],
  ])('%i %s is a failure', async (status, body, failure) => {
    const api = await serve(afterBody((socket) => socket.end(httpReply(status, body))));
    const reported = await failureOf(() => api.addComment(comment, 'json'));
    expect(reported).toMatchObject(failure);
    expect(isBracketsOnly(reported)).toBe(false);
  });

  const kindFor: Partial<Record<FailureKind, FailureKind>> = {
    unreachable: 'may-have-arrived',
    'connection-lost': 'may-have-arrived',
    'timed-out': 'may-have-arrived',
  };
  // Under 200 these are JSON without an id, which is no failure of a comment.
  const isFailure = ([name]: readonly [string, ...unknown[]]): boolean =>
    !['JSON that is no record', 'another sample’s record'].includes(name);
  it.each(failingReplies.filter(isFailure).filter(([name]) => name !== '406'))(
    'with %s is a failure',
    async (_, script, kind) => {
      const timeouts = kind === 'timed-out' ? { ...patient, firstByteSeconds: 0.2, idleSeconds: 0.2 } : patient;
      const api = await serve(
        afterBody((socket, head, __, number) => script(socket, head, number)),
        timeouts,
      );
      expect(await failureOf(() => api.addComment(comment, 'json'))).toMatchObject({ kind: kindFor[kind] ?? kind });
      await server.allClosed();
    },
  );

  it('never causes a resend when it is lost', async () => {
    server = await startScripted(afterBody((socket) => socket.destroy()));
    const timing = instantTiming();
    const api = createRepositoryApi(connectionTo(server.origin), { timing });
    expect(await failureOf(() => api.addComment(comment, 'json'))).toEqual({
      kind: 'may-have-arrived',
      service: 'repository',
      address: api.address,
      action: 'addcomment',
    });
    expect({ requests: server.heads.length, slept: timing.slept }).toEqual({ requests: 1, slept: [] });
  });
});

describe('a server that only reads bracket fields', () => {
  it.each<[number, string, boolean]>([
    [400, 'missing content parameter', true],
    [400, ' missing content parameter\r\n', true],
    [400, '{"error":"missing content parameter"}', true],
    [400, '{"error":{"code":400,"message":"missing content parameter"}}', true],
    [400, 'Missing content parameter', false],
    [400, 'missing content parameter!', false],
    [400, 'missing parent parameter', false],
    [400, '', false],
    [422, 'missing content parameter', false],
    [500, 'missing content parameter', false],
  ])('is detected by %i %j: %s', async (status, body, isKnown) => {
    const api = await serve(afterBody((socket) => socket.end(httpReply(status, body))));
    expect(isBracketsOnly(await failureOf(() => api.addComment(comment, 'json')))).toBe(isKnown);
  });
});
