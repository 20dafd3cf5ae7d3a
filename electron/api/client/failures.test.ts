import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../shared/failure-kinds.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { forAny, whenBusy } from '../../base/property.fixture.ts';
import { createRedaction } from '../../base/redaction.ts';
import type { CallFacts } from '../call.ts';
import { tokenOfTests } from '../scripted-server.fixture.ts';
import { failureOfNetworkError, failureOfReply, failureOfTarget } from './failures.ts';

const md5 = 'a'.repeat(32);
const address = 'https://repo.example/base/api.php';
const at = { service: 'repository', address } as const;
const facts: CallFacts = {
  ...at,
  action: 'getfile',
  hashes: [md5],
  hasToken: true,
  redaction: createRedaction([tokenOfTests]),
};
const download: CallFacts = { ...facts, action: 'downloadfile' };
const check: CallFacts = { ...facts, action: 'checkpackageversion', hashes: [] };
const page = '<!DOCTYPE html>\n<html><head><title>Not Found</title>';
interface More {
  location?: string;
  retryAfterSeconds?: number;
  challenge?: string;
  loginSent?: boolean;
}
const reply = (status: number, body = '', more: More = {}) => ({
  status,
  body: Buffer.from(body),
  location: more.location ?? null,
  retryAfterSeconds: more.retryAfterSeconds ?? null,
  challenge: more.challenge ?? '',
  loginSent: more.loginSent ?? false,
});
const nginxPage = (words: string): string =>
  `<html>\r\n<head><title>400 ${words}</title></head>\r\n<body><center>${words}</center></body></html>`;

describe('the failure for an error reply', () => {
  it.each([
    ['401', reply(401), facts, { kind: 'token-refused', ...at, status: 401 }],
    [
      '401 without a token',
      reply(401),
      { ...facts, hasToken: false },
      { kind: 'token-missing', service: 'repository' },
    ],
    ['401 with a page', reply(401, page), facts, { kind: 'token-refused', ...at, status: 401 }],
    [
      '403 with text',
      reply(403, 'Not enough rights'),
      facts,
      { kind: 'forbidden-or-unknown', ...at, status: 403, hash: md5 },
    ],
    ['403 without text', reply(403), download, { kind: 'forbidden-or-unknown', ...at, status: 403, hash: md5 }],
    [
      '403 in JSON',
      reply(403, '{"error":{"code":"forbidden","message":"no right to read"}}'),
      facts,
      { kind: 'forbidden', ...at, status: 403, text: 'no right to read' },
    ],
    [
      '403 in JSON for a download',
      reply(403, '{"error":{"code":"forbidden","message":"x"}}'),
      download,
      { kind: 'forbidden-or-unknown', ...at, status: 403, hash: md5 },
    ],
    ['403 to a call about no hash', reply(403, 'no'), check, { kind: 'forbidden', ...at, status: 403, text: 'no' }],
    ['404 empty', reply(404), facts, { kind: 'action-unknown', ...at, action: 'getfile' }],
    [
      '404 with nothing but a PHP notice',
      reply(404, '<br />\n<b>Notice</b>:  x in <b>/srv/www/a.php</b> on line <b>25</b><br />\n'),
      facts,
      { kind: 'action-unknown', ...at, action: 'getfile' },
    ],
    [
      '404 with a text after a PHP notice',
      reply(404, '<br />\n<b>Notice</b>:  x in <b>a.php</b> on line <b>25</b><br />\ngone'),
      facts,
      {
        kind: 'request-refused',
        ...at,
        status: 404,
        text: '<br /> <b>Notice</b>: x in <b>a.php</b> on line <b>25</b><br /> gone',
      },
    ],
    ['404 blank', reply(404, ' \n'), facts, { kind: 'action-unknown', ...at, action: 'getfile' }],
    [
      '404 in JSON',
      reply(404, '{"error":{"code":"unknown-hash","message":"no such sample"}}'),
      facts,
      { kind: 'unknown-hash', service: 'repository', hash: md5 },
    ],
    [
      '404 in JSON about the action',
      reply(404, '{"error":{"code":"unknown-action","message":"x"}}'),
      facts,
      { kind: 'action-unknown', ...at, action: 'getfile' },
    ],
    [
      '404 in JSON about the address',
      reply(404, '{"error":{"code":"unknown-address","message":"only /api.php"}}'),
      facts,
      { kind: 'request-refused', ...at, status: 404, text: 'only /api.php' },
    ],
    [
      '404 in JSON to a call about no hash',
      reply(404, '{"error":"none"}'),
      check,
      { kind: 'request-refused', ...at, status: 404, text: 'none' },
    ],
    [
      '404 with a page',
      reply(404, page),
      facts,
      { kind: 'html-reply', ...at, status: 404, text: '<!DOCTYPE html> <html><head><title>Not Found</title>' },
    ],
    ['404 with text', reply(404, 'nope'), facts, { kind: 'request-refused', ...at, status: 404, text: 'nope' }],
    ['405', reply(405, 'x'), facts, { kind: 'method-refused', ...at, action: 'getfile' }],
    ['406', reply(406), facts, { kind: 'method-refused', ...at, action: 'getfile' }],
    [
      '406 to a comment',
      reply(406, 'x'),
      { ...facts, action: 'addcomment' },
      { kind: 'forbidden', ...at, status: 406, text: '' },
    ],
    ['407', reply(407), facts, { kind: 'unreachable', ...at, reason: 'proxy-login-missing', code: '407' }],
    [
      '400 with text',
      reply(400, 'missing hash\r\n'),
      facts,
      { kind: 'request-refused', ...at, status: 400, text: 'missing hash' },
    ],
    [
      '400 with an error text in JSON',
      reply(400, '{"error":"missing hash"}'),
      facts,
      { kind: 'request-refused', ...at, status: 400, text: 'missing hash' },
    ],
    [
      '400 with a code only',
      reply(400, '{"error":{"code":"bad"}}'),
      facts,
      { kind: 'request-refused', ...at, status: 400, text: 'bad' },
    ],
    ['400 empty', reply(400), facts, { kind: 'request-refused', ...at, status: 400, text: '' }],
    ['413', reply(413), { ...facts, action: 'uploadfiles' }, { kind: 'too-large-for-service', ...at, status: 413 }],
    [
      '413 to a call that sent nothing',
      reply(413, page),
      facts,
      { kind: 'request-refused', ...at, status: 413, text: '<!DOCTYPE html> <html><head><title>Not Found</title>' },
    ],
    [
      '429',
      reply(429, '', { retryAfterSeconds: 7 }),
      facts,
      { kind: 'slow-down', ...at, status: 429, retryAfterSeconds: 7 },
    ],
    [
      '500 with text',
      reply(500, 'Fatal error'),
      facts,
      { kind: 'service-failed', ...at, status: 500, text: 'Fatal error' },
    ],
    [
      '503 with a pause',
      reply(503, '<h1>Maintenance</h1>', { retryAfterSeconds: 3600 }),
      facts,
      { kind: 'slow-down', ...at, status: 503, retryAfterSeconds: 3600 },
    ],
    ['503 empty', reply(503), facts, { kind: 'service-failed', ...at, status: 503, text: '' }],
    [
      '302 to an installer',
      reply(302, '', { location: '/install/?step=1&token=x#top' }),
      facts,
      { kind: 'redirected', ...at, status: 302, target: 'https://repo.example/install/' },
    ],
    [
      '302 with a user name',
      reply(302, '', { location: 'https://me:pw@login.example/x' }),
      facts,
      { kind: 'redirected', ...at, status: 302, target: 'https://login.example/x' },
    ],
    [
      '302 to no web address',
      reply(302, '', { location: 'javascript:alert(1)' }),
      facts,
      { kind: 'redirected', ...at, status: 302, target: 'javascript:' },
    ],
    [
      '302 to nothing readable',
      reply(302, '', { location: 'https://:x' }),
      facts,
      { kind: 'redirected', ...at, status: 302, target: '(unreadable)' },
    ],
    [
      '302 without a target',
      reply(302),
      facts,
      { kind: 'redirect-refused', service: 'repository', target: address, reason: 'no-location' },
    ],
    ['204', reply(204), download, { kind: 'empty-reply', ...at, status: 204 }],
    ['201 with bytes', reply(201, 'x'), download, { kind: 'unreadable-reply', ...at, status: 201, text: 'x' }],
    [
      'a status that does not exist',
      reply(799, 'x'),
      facts,
      { kind: 'unreadable-reply', ...at, status: 799, text: 'x' },
    ],
  ])('%s', (_, answered, known, failure) => {
    expect(failureOfReply(answered, known)).toEqual(failure);
  });

  it('shows no token that a service repeats, not even in a redirect’s path', () => {
    const encoded = encodeURIComponent(tokenOfTests);
    expect(failureOfReply(reply(400, `bad token ${tokenOfTests}`), facts)).toMatchObject({
      text: 'bad token [secret]',
    });
    expect(failureOfReply(reply(302, '', { location: `/login/${encoded}` }), facts)).toMatchObject({
      target: 'https://repo.example/login/[secret]',
    });
    expect(
      failureOfReply(reply(500, JSON.stringify({ error: { message: `no ${tokenOfTests}` } })), facts),
    ).toMatchObject({ text: 'no [secret]' });
  });

  it(
    'is in the catalogue for any status, bytes and target',
    () => {
      forAny(
        [fc.nat({ max: 1000 }), fc.uint8Array(), fc.option(fc.string({ unit: anyUnit }))],
        (status, body, location) => {
          for (const known of [facts, download, check]) {
            const answered = { status, body, location, retryAfterSeconds: null, challenge: location ?? '' };
            const failure = failureOfReply({ ...answered, loginSent: false }, known);
            expect(readFailure(failure)).toEqual(failure);
          }
        },
      );
    },
    whenBusy,
  );
});

describe('a login in front of a service', () => {
  it.each<[string, string, boolean, object]>([
    ['Basic, and none was sent', 'Basic realm="files"', false, { scheme: 'basic', sent: false }],
    ['Basic, and one was sent', 'basic', true, { scheme: 'basic', sent: true }],
    ['Basic or another', 'Negotiate, NTLM, Basic realm="a, b"', false, { scheme: 'basic', sent: false }],
    ['Negotiate', 'Negotiate', false, { scheme: 'negotiate', sent: false }],
    ['NTLM', 'NTLM', true, { scheme: 'ntlm', sent: true }],
    ['Digest', 'Digest realm="x", nonce="basic", qop="auth"', false, { scheme: 'digest', sent: false }],
  ])('is distinguished from a refused token by its challenge: %s', (_, challenge, loginSent, due) => {
    const failure = failureOfReply(reply(401, page, { challenge, loginSent }), facts);
    expect(failure).toEqual({ kind: 'front-login', ...at, ...due });
  });

  it.each(['', 'Bearer', 'Token realm="basic digest"', 'Newauth a="\\", basic"'])(
    'is not what a 401 with the challenge %j is about',
    (challenge) => {
      expect(failureOfReply(reply(401, '', { challenge, loginSent: true }), facts).kind).toBe('token-refused');
    },
  );

  it('is not what a 401 of a redirect’s target is about', () => {
    expect(failureOfTarget(reply(401, 'no', { challenge: 'Basic' }), facts).kind).toBe('request-refused');
  });
});

describe('a proxy’s 407', () => {
  it.each<[string, boolean, object]>([
    ['Basic realm="proxy"', false, { reason: 'proxy-login-missing', code: '407' }],
    ['', true, { reason: 'proxy-login-refused', code: '407' }],
    ['NTLM', false, { reason: 'proxy-login-unsupported', code: '407 ntlm' }],
    ['Negotiate, Basic', true, { reason: 'proxy-login-refused', code: '407' }],
  ])('with the challenge %j, login sent: %s', (challenge, loginSent, due) => {
    const failure = { kind: 'unreachable', ...at, ...due };
    expect(failureOfReply(reply(407, '', { challenge, loginSent }), facts)).toEqual(failure);
    expect(failureOfTarget(reply(407, '', { challenge, loginSent }), facts)).toEqual(failure);
  });
});

describe('a client certificate', () => {
  it.each<[string, ReturnType<typeof reply>, boolean]>([
    ['missing, as nginx says it', reply(400, nginxPage('No required SSL certificate was sent')), false],
    ['refused, as nginx says it', reply(400, nginxPage('The SSL certificate error')), true],
    ['missing, by nginx’s own status', reply(496), false],
    ['refused, by nginx’s own status', reply(495), true],
  ])('is named when it is %s', (_, answered, sent) => {
    expect(failureOfReply(answered, facts)).toMatchObject({ kind: 'client-certificate', ...at, sent });
  });

  it.each([
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_TLSV1_CERTIFICATE_REQUIRED',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_TLS_ALERT_UNKNOWN_CA',
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  ])('is named by the alert %s', (code) => {
    const error = Object.assign(new Error('alert'), { code });
    expect(failureOfNetworkError(error, facts, true)).toEqual({ kind: 'client-certificate', ...at, sent: true, code });
    const plain = { ...facts, address: 'http://repo.example/api.php' };
    expect(failureOfNetworkError(error, plain, true)).toMatchObject({ kind: 'unreachable', reason: 'protocol' });
  });

  it.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'])(
    'is not what the error %s is about',
    (code) => {
      const error = Object.assign(new Error('alert'), { code });
      expect(failureOfNetworkError(error, facts, true)).toMatchObject({ kind: 'unreachable', reason: 'protocol' });
    },
  );
});

describe('a reply that is no HTTP/1.1', () => {
  const parseError = (bytes: number[]): Error =>
    Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CONSTANT', rawPacket: Buffer.from(bytes) });

  it.each([
    ['the settings of HTTP/2', [0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3], 'http2'],
    ['an end of HTTP/2', [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0], 'http2'],
    ['a frame of one stream', [0, 0, 8, 4, 0, 0, 0, 0, 1, 0, 0], 'protocol'],
    ['too short for a frame', [0, 0, 8, 4, 0, 0, 0, 0], 'protocol'],
    ['text', [...Buffer.from('SSH-2.0-x\r\n')], 'protocol'],
  ])('is judged by its first bytes: %s', (_, bytes, reason) => {
    expect(failureOfNetworkError(parseError(bytes), facts)).toMatchObject({ kind: 'unreachable', reason });
  });
});
