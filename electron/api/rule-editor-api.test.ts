import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../shared/domain/sample.ts';
import { failureOf } from './failure-of.fixture.ts';
import { readVersionReply } from './replies/version-reply.ts';
import { createRuleEditorApi } from './rule-editor-api.ts';
import {
  connectionTo,
  httpReply,
  onceOnly,
  type ScriptedServer,
  startScripted,
  tokenOfTests,
} from './scripted-server.fixture.ts';

let server: ScriptedServer;
afterEach(() => server.close());

async function checked(body: string, status = 200, headers: Record<string, string> = {}): Promise<Json> {
  server = await startScripted((socket) => socket.end(httpReply(status, body, headers)));
  return createRuleEditorApi(connectionTo(server.origin, { service: 'rule-editor' }), onceOnly).checkVersion(
    '1.4 &x',
    true,
  );
}

describe('the version check', () => {
  it('sends the version, whether to include the group Test, and the token last', async () => {
    await checked('{}');
    expect(server.heads[0]).toContain(
      'GET /api.php?action=checkpackageversion&version=1.4%20%26x&beta=true' +
        `&token=${encodeURIComponent(tokenOfTests)} HTTP/1.1\r\n`,
    );
  });

  it.each<[string]>([
    ['{"outdated":"1","last_version":"1.5","id":7}'],
    ['[]'],
    ['null'],
    ['{"error":null,"outdated":false}'],
    ['{"error":{},"outdated":false}'],
    ['"x"'],
  ])('returns %s as received', async (body) => {
    expect(await checked(body, 200, { 'Content-Type': 'text/html' })).toEqual(JSON.parse(body));
  });

  it('can be read when numbers and booleans are strings', async () => {
    expect(readVersionReply(await checked('{"outdated":"1","last_version":"1.5","id":"7"}'), null)).toEqual({
      outdated: true,
      version: '1.5',
      id: '7',
    });
  });

  it.each<[number, string, object]>([
    [200, '{"error":"unknown package"}', { kind: 'request-refused', status: 200, text: 'unknown package' }],
    [200, '{"error":{"code":"no","message":"not for you"}}', { kind: 'request-refused', text: 'not for you' }],
    [200, '{"error":{"code":"no"}}', { kind: 'request-refused', text: 'no' }],
    [200, 'Warning: {"outdated":true}', { kind: 'text-around-json' }],
    [200, 'Notice: x in a.php on line 3\n{"outdated":false}', { kind: 'text-around-json' }],
    [200, '', { kind: 'empty-reply' }],
    [200, '<html>', { kind: 'html-reply' }],
    [200, 'up to date', { kind: 'unreadable-reply' }],
    [403, 'Not enough rights', { kind: 'forbidden', text: 'Not enough rights' }],
    [404, '', { kind: 'action-unknown', action: 'checkpackageversion' }],
    [302, '', { kind: 'redirect-refused', reason: 'no-location' }],
  ])('fails when answered with %i %s', async (status, body, failure) => {
    expect(await failureOf(() => checked(body, status))).toMatchObject({ service: 'rule-editor', ...failure });
  });
});
