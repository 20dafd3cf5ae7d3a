import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepLinkAmong, readDeepLink } from './desktop-arguments.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';

test.each([`vitrine:${md5}`, `vitrine://${md5}`, `vitrine://${md5}/`, `VITRINE:${md5.toUpperCase()}`])(
  '%s is a link',
  (text) => {
    expect(readDeepLink(text)).toBe(md5);
  },
);

test.each([
  md5,
  `vitrine:${md5}0`,
  `vitrine:${md5.slice(1)}`,
  `vitrine:${md5}?send=1`,
  `vitrine:${md5}#a`,
  `vitrine:${md5}//`,
  `vitrine:///${md5}`,
  `vitrine:/${md5}`,
  `vitrine: ${md5}`,
  `vitrine:${md5}\n`,
  `vitrine:g${md5.slice(1)}`,
  `vitrine-page://vitrine/${md5}`,
  `https://vitrine:${md5}`,
  `vitrine://user@${md5}`,
  'vitrine:',
  '',
])('%j is none', (text) => {
  expect(readDeepLink(text)).toBeNull();
});

test('whatever is read is 32 lower-case hexadecimal characters', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^vitrine:\/{0,3}[0-9a-fA-F?#/ ]{28,36}$/), (text) => {
      const read = readDeepLink(text);
      expect(read === null || /^[0-9a-f]{32}$/.test(read)).toBe(true);
    }),
  );
});

test('the link among arguments is found, and its absence too', () => {
  expect(deepLinkAmong(['electron', '.', '--flag', `vitrine:${md5}`])).toBe(md5);
  expect(deepLinkAmong(['electron', '--', `vitrine:${md5}`])).toBe(md5);
  expect(deepLinkAmong(['electron', '.', `--open=vitrine:${md5}`])).toBeNull();
});
