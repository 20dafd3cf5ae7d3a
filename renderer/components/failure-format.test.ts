import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Failure } from '../../shared/failure-kinds.ts';
import { longestPassMs, timeToRead } from '../../shared/testing/one-pass.ts';
import { detailsOf } from './failure-format.ts';

const said = (text: string): Failure => ({
  kind: 'service-failed',
  service: 'repository',
  address: 'https://a.example/api.php',
  status: 500,
  text,
});
const withText = z.object({ text: z.string() });
const textIn = (text: string): string => withText.parse(JSON.parse(detailsOf(said(text), '1.0.0'))).text;

test.each([
  ['{"access_token":"S3cret","error":"expired"}', '{"access_token":"[secret]","error":"expired"}'],
  ['{"password":"two \\"S3cret\\" words\\\\","x":1}', '{"password":"[secret]","x":1}'],
  ['{\\"api_key\\":\\"S3c\\\\\\"ret\\",\\"x\\":1}', '{\\"api_key\\":\\"[secret]\\",\\"x\\":1}'],
  ["{'client_secret': 'S3cret'}", "{'client_secret': '[secret]'}"],
  ['{"token": 53, "x": 1', '{"token": [secret]'],
  ['{"session":"S3cret cut off', '{"session":"[secret]'],
  ['x-api-key: S3cret', 'x-api-key: [secret]'],
  ['Authorization: Basic S3cret==', 'Authorization: [secret]'],
  ['Proxy-Authorization: Digest username="jane", response="S3cret"', 'Proxy-Authorization: [secret]'],
  ['Cookie: PHPSESSID=S3cret; b=S3cret\nHost: a', 'Cookie: [secret]\nHost: a'],
  ['PHPSESSID=S3cret; path=/', 'PHPSESSID=[secret]; path=/'],
  ['pwd=S3cret&x=1', 'pwd=[secret]&x=1'],
  ['passwd=S3cret', 'passwd=[secret]'],
  ['passphrase=S3cret words', 'passphrase=[secret]'],
  ['password: two words', 'password: [secret]'],
  ['password = two words', 'password = [secret]'],
  ['token=S3cret is expired', 'token=[secret] is expired'],
  ['sent token%3DS3cret%26x and token%253dS3cret', 'sent token%3D[secret] and token%253d[secret]'],
  ['Bearer S3cret was refused', 'Bearer [secret] was refused'],
  ['Basic amFuZTpTM2NyZXQ= was refused', 'Basic [secret] was refused'],
])('withoutSecrets keeps the secrets of a service out of %j', (text, shown) => {
  expect(textIn(text)).toBe(shown);
});

test.each([
  ['ftp://user:S3cret@h.example/a', 'ftp://h.example/a'],
  ['https://jane@a.example/x?token=S3cret#S3cret and on', 'https://a.example/x and on'],
  ['postgres://jane:S3c@ret@h/db', 'postgres://h/db'],
  ['https://jane:S3cret/S3cret@h/x', 'https://[secret]'],
  ['{"u":"https:\\/\\/jane:S3cret@h\\/x?y=S3cret"}', '{"u":"https:\\/\\/h\\/x"}'],
  ['https://[::1]:8443/x', 'https://[::1]:8443/x'],
  ['https://a.example:8443/@jane', 'https://a.example:8443/@jane'],
])('withoutSecrets removes user and query from the address %j', (text, shown) => {
  expect(textIn(text)).toBe(shown);
});

test.each([
  ['/home/jane/cases/a', '~/cases/a'],
  ['/Users/Jane Doe/cases', '~/cases'],
  ['C:\\Users\\Jane Doe\\cases', '~\\cases'],
  ['"C:\\\\Users\\\\jane"', '"~"'],
  ["open '/home/jane' failed", "open '~' failed"],
  ['/var/home/jane/a, /mnt/c/Users/jane/b, /root/c', '~/a, ~/b, ~/c'],
  ['/srv/home/data', '/srv/home/data'],
])('withoutSecrets hides the account in %j', (path, shown) => {
  expect(JSON.parse(detailsOf({ kind: 'disk-full', path }, '1.0.0'))).toMatchObject({ path: shown });
});

test.each([
  'Basic authentication is required',
  'author: Jane',
  'Unexpected end of JSON at 12',
  'the token was refused',
  'a=b; c: d',
])('withoutSecrets leaves %j unchanged', (text) => {
  expect(textIn(text)).toBe(text);
});

test('withoutSecrets reads nested facts, too', () => {
  const failure: Failure = {
    kind: 'bad-input',
    operation: 'workspaces.add',
    issues: [{ path: 'draft.token', message: 'not "password":"S3cret" of /home/jane' }],
  };
  expect(JSON.parse(detailsOf(failure, '1.0.0'))).toMatchObject({
    operation: 'workspaces.add',
    issues: [{ path: 'draft.token', message: 'not "password":"[secret]" of ~' }],
  });
});

test.each([
  'token',
  'token"',
  'token-',
  'token=',
  'https://',
  'http://a@',
  'https:a',
  '/home/a ',
  '/home/',
  '\\',
  'a ',
  'a:  ',
  '"',
  'password: "',
  'basic  ',
  '%25',
  'token%25',
  'session"\\',
])('withoutSecrets reads a long text of %j in one pass', { tags: ['long'] }, (piece) => {
  expect(timeToRead((text) => detailsOf(said(text), '1.0.0'), piece)).toBeLessThan(longestPassMs);
});
