import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../shared/failure-kinds.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import type { CallFacts } from '../call.ts';
import { forAny, whenBusy } from '../../base/property.fixture.ts';
import { createRedaction } from '../../base/redaction.ts';
import { tokenOfTests } from '../scripted-server.fixture.ts';
import { failureOfReply } from './failures.ts';

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
const reply = (status: number, body = '', more: { location?: string; retryAfterSeconds?: number } = {}) => ({
  status,
  body: Buffer.from(body),
  location: more.location ?? null,
  retryAfterSeconds: more.retryAfterSeconds ?? null,
});

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
    ['407', reply(407), facts, { kind: 'unreachable', ...at, reason: 'proxy', code: '407' }],
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
    ['429', reply(429, '', { retryAfterSeconds: 7 }), facts, { kind: 'slow-down', ...at, retryAfterSeconds: 7 }],
    [
      '500 with text',
      reply(500, 'Fatal error'),
      facts,
      { kind: 'service-failed', ...at, status: 500, text: 'Fatal error' },
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
            const failure = failureOfReply({ status, body, location, retryAfterSeconds: null }, known);
            expect(readFailure(failure)).toEqual(failure);
          }
        },
      );
    },
    whenBusy,
  );
});
