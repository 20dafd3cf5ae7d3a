import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestPassMs, timeToRead } from '../testing/one-pass.ts';
import { defang } from './defang.ts';

test.each([
  ['https://cdn.example.org/sync', 'hxxps://cdn[.]example[.]org/sync'],
  ['HTTP://Evil.Example/a?b=c', 'Hxxp://Evil[.]Example/a?b=c'],
  ['see http://10.0.0.1:8080/x.', 'see hxxp://10[.]0[.]0[.]1:8080/x.'],
  ['files.example.net/u/7', 'files[.]example[.]net/u/7'],
  ['www.example.com', 'www[.]example.com'],
  ['mail bad.guy@example.org now', 'mail bad.guy[at]example[.]org now'],
  ['javascript:alert(1)', 'javascript[:]alert(1)'],
  ['ftp://host.example/a', 'ftp[:]//host[.]example/a'],
  ['_http://host.example/a_www.host.example', '_hxxp://host[.]example/a_www[.]host.example'],
  ['\\\\evil.example\\share\\x', '[\\\\]evil[.]example\\share\\x'],
  ['open \\\\server\\c$ and \\\\evil.example@SSL\\x', 'open [\\\\]server\\c$ and [\\\\]evil[.]example@SSL\\x'],
  ['<//evil.example/x>', '<//evil[.]example/x>'],
  ['search-ms:query=x&crumb=location:\\\\1.2.3.4\\s', 'search-ms[:]query=x&crumb=location:[\\\\]1[.]2[.]3[.]4\\s'],
  [
    'ms-msdt:/id ldap://h.example/a smb://server/c mailto:x',
    'ms-msdt[:]/id ldap[:]//h[.]example/a smb[:]//server/c mailto[:]x',
  ],
  ['1.ftp://server/a 2.smb://server/c, -ldap://h', '1.ftp[:]//server/a 2.smb[:]//server/c, -ldap[:]//h'],
  ['example.xn--p1ai/x', 'example[.]xn--p1ai/x'],
  ['пример.рф/x 例え.jp:80', 'пример[.]рф/x 例え[.]jp:80'],
  ['from 1.2.3.4, 10.0.0.255 and 203.0.113.9.', 'from 1[.]2[.]3[.]4, 10[.]0[.]0[.]255 and 203[.]0[.]113[.]9.'],
  ['1.2.3[.]4', '1.2.3[.]4'],
  ['hxxps://already[.]example[.]org/', 'hxxps://already[.]example[.]org/'],
])('%s becomes %s', (address, harmless) => {
  expect(defang(address)).toBe(harmless);
});

test.each([
  'update_helper.dll',
  'Config sits after .rdata, key 0x5c',
  'version 1.2.3',
  'e.g. this',
  'single byte key 0x5c, twelve entries.',
  'build 10.0.19041.1',
  '1.2.3.4.5',
  'x1.2.3.4',
  'C:\\\\Users\\\\a',
  'a\\\\b',
  '\\\\',
  'note: this',
  'hit at 12:30',
])('%s stays unchanged', (prose) => {
  expect(defang(prose)).toBe(prose);
});

test('defanged text never has an address that a program would follow', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.string(), (url, around) => {
      expect(defang(`${around} ${url} ${around}`)).not.toMatch(/https?:\/\//i);
    }),
  );
});

test('a hostile text of 200,000 characters is read in one pass', () => {
  expect(defang('a.'.repeat(100_000)).length).toBeGreaterThan(0);
  expect(defang(`http://${'a'.repeat(200_000)}`).startsWith('hxxp://')).toBe(true);
});

test.each([
  'a.',
  'a@',
  '1.',
  '255.',
  '\\\\',
  '\\\\a',
  '//a',
  'a-',
  'ms-',
  'a:/',
  'é.',
  'xn--',
  'http://',
  'www.',
  '[.]',
  'a+',
])('a long text of %j is read in one pass', { tags: ['long'] }, (piece) => {
  expect(timeToRead(defang, piece)).toBeLessThan(longestPassMs);
});
