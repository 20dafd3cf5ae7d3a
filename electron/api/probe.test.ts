import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, makeCertificates } from '../base/certificates.fixture.ts';
import { failureOf } from './failure-of.fixture.ts';
import { probeConnection, testConnection } from './probe.ts';
import { connectionTo, httpReply, type Script, type ScriptedServer, startScripted } from './scripted-server.fixture.ts';

let made: Certificates;
let server: ScriptedServer;
beforeAll(() => void (made = makeCertificates()));
afterEach(() => server.close());

const answering =
  (status: number, body: string): Script =>
  (socket) =>
    socket.end(httpReply(status, body));
const well = { reachable: true, trusted: null, tokenAccepted: true, failure: null };

describe('the test of a repository', () => {
  it.each<[string, Script]>([
    ['nothing for that hash', answering(200, '{"file":null}')],
    ['an error about the hash', answering(404, '{"error":{"code":"unknown-hash","message":"x"}}')],
    ['a record', answering(200, `{"file":{"md5":"${'0'.repeat(32)}"}}`)],
  ])('that answers %s succeeds', async (_, script) => {
    server = await startScripted(script);
    expect(await probeConnection(connectionTo(server.origin))).toEqual(well);
    expect(server.heads[0]).toContain(`action=getfile&hash=${'0'.repeat(32)}`);
  });

  it.each<[string, Script, boolean | null, string]>([
    ['401', answering(401, ''), false, 'token-refused'],
    ['403', answering(403, 'Not enough rights'), true, 'forbidden-or-unknown'],
    ['403 in JSON', answering(403, '{"error":{"code":"forbidden","message":"x"}}'), true, 'forbidden'],
    ['a page', answering(200, '<!DOCTYPE html>'), null, 'html-reply'],
    ['nothing', answering(200, ''), null, 'empty-reply'],
    ['404', answering(404, ''), null, 'action-unknown'],
    ['500', answering(500, ''), null, 'service-failed'],
    ['a redirect', (socket) => socket.end(httpReply(302, '', { Location: '/install' })), null, 'redirected'],
    ['half a reply', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'), null, 'connection-lost'],
  ])('that answers %s reports it as reached, with the other findings', async (_, script, tokenAccepted, kind) => {
    server = await startScripted(script);
    expect(await probeConnection(connectionTo(server.origin))).toMatchObject({
      reachable: true,
      trusted: null,
      tokenAccepted,
      failure: { kind },
    });
    expect(server.heads).toHaveLength(1);
  });

  it('that is missing reports it as not reached after a single request', async () => {
    server = await startScripted((socket) => socket.destroy());
    expect(await probeConnection(connectionTo(server.origin))).toMatchObject({
      reachable: false,
      trusted: null,
      tokenAccepted: null,
      failure: { kind: 'unreachable' },
    });
    expect(server.heads).toHaveLength(1);
  });

  it('reports whether its certificate is valid', async () => {
    server = await startScripted(answering(200, '{"file":null}'), made.good);
    const known = connectionTo(server.origin, { trust: { kind: 'authority', pem: made.authority.cert } });
    expect(await probeConnection(known)).toEqual({ ...well, trusted: true });
    expect(await probeConnection(connectionTo(server.origin))).toMatchObject({
      reachable: true,
      trusted: false,
      tokenAccepted: null,
      failure: { kind: 'not-trusted', fingerprint: made.good.fingerprint },
    });
  });

  it('without a token reports that one is required', async () => {
    server = await startScripted(answering(401, ''));
    expect(await probeConnection(connectionTo(server.origin, { token: null }))).toEqual({
      ...well,
      tokenAccepted: false,
      failure: { kind: 'token-missing', service: 'repository' },
    });
  });

  it('can be cancelled', async () => {
    server = await startScripted(() => {});
    expect(
      await failureOf(() => probeConnection(connectionTo(server.origin), { signal: AbortSignal.abort() })),
    ).toEqual({ kind: 'cancelled' });
  });
});

describe('the test of a rule editor', () => {
  it('requests whether version 0 is outdated', async () => {
    server = await startScripted(answering(200, '{"outdated":true,"id":3}'));
    expect(await probeConnection(connectionTo(server.origin, { service: 'rule-editor' }))).toEqual(well);
    expect(server.heads[0]).toContain('?action=checkpackageversion&version=0&beta=false&token=');
  });

  it('does not read an error as success', async () => {
    server = await startScripted(answering(403, 'Not enough rights'));
    expect(await probeConnection(connectionTo(server.origin, { service: 'rule-editor' }))).toMatchObject({
      tokenAccepted: true,
      failure: { kind: 'forbidden', service: 'rule-editor' },
    });
  });
});

describe('the test of the public release 0.8 of a rule editor, which lacks the action of the probe', () => {
  /** It looks at the token only for what it has, and lists its files without one. */
  const release08 =
    (token: string): Script =>
    (socket, head) => {
      const action = /action=(\w+)/.exec(head)?.[1];
      const refusal = head.includes(`token=${token}`) ? httpReply(400, 'missing id parameter') : httpReply(401, '');
      const others = action === 'getfiles' ? httpReply(200, '[]') : httpReply(404, '');
      socket.end(action === 'exportfile' ? refusal : others);
    };
  const test = (withOptional: boolean, token: string | null) =>
    testConnection(connectionTo(server.origin, { service: 'rule-editor', token }), { withOptional });

  it('accepts a good token', async () => {
    server = await startScripted(release08('good-token'));
    expect(await test(true, 'good-token')).toMatchObject({ tokenAccepted: true, failure: null });
  });

  it.each([
    ['other-token', 'token-refused'],
    [null, 'token-missing'],
  ])('reports what is wrong with the token %j', async (token, kind) => {
    server = await startScripted(release08('good-token'));
    expect(await test(true, token)).toMatchObject({ tokenAccepted: false, failure: { kind }, actions: [] });
  });

  it('shows nothing where no other action may be used', async () => {
    server = await startScripted(release08('good-token'));
    expect(await test(false, 'other-token')).toMatchObject({
      tokenAccepted: null,
      failure: { kind: 'action-unknown', action: 'checkpackageversion' },
    });
  });
});
