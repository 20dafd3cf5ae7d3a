import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { defang, refang } from './defang.ts';
import { readLibraryQuery } from './library-query.ts';
import { withTerm } from './query-terms.ts';
import { comparableValue } from './query-values.ts';
import { unspelled, visibleText } from './visible-text.ts';

const piece = fc.oneof(
  fc.constantFrom(
    'http://',
    'HTTPS://',
    'hxxp',
    'ftp://',
    'www.',
    'a.example',
    '/',
    '@',
    '.',
    ':',
    '[',
    ']',
    '[.]',
    '[at]',
  ),
  fc.constantFrom(
    '\\\\',
    '\\',
    'javascript:',
    '1.2.3.4',
    ' ',
    '\n',
    '\r\n',
    '\t',
    'e\u0301',
    '\u0301',
    'K',
    'I',
    '\u0130',
  ),
  fc.constantFrom('\u202e', '\u200b', '\ufeff', '\u200d', '👩', '\ufe0f', '\0', '\\u202e', '"', '*', '?'),
  fc.string({ maxLength: 3, unit: anyUnit }),
);
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const longText = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.integer({ min: 60, max: 400 }))
  .map(([pieces, times]) => Array.from({ length: times }, (_, index) => pieces[index % pieces.length]).join(''));

test('a value is compared the same whether it was stored or shown, and stays as it is compared', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const compared = comparableValue(value);
      expect(comparableValue(defang(visibleText(value)))).toBe(compared);
      expect(comparableValue(compared)).toBe(compared);
      expect(comparableValue(value.normalize('NFD'))).toBe(comparableValue(value.normalize('NFC')));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['HXXPS://a[.]Example/x', 'https://a.example/x'],
  ['anna[at]team[.]example', 'anna@team.example'],
  ['[\\\\]host[.]local\\share', '\\\\host.local\\share'],
  [' Acme \r\n Corp\t', 'acme \\u000d corp'],
  ['fdp\u202eexe', 'fdp\\u202eexe'],
  ['E\u0301 \u0130 I', 'É \u0130 i'],
  [' \n ', ''],
])('%j is compared as %j', (value, compared) => {
  expect(comparableValue(value)).toBe(compared);
});

test('a text that was defanged or spelled out is read back', () => {
  expect(refang('hxxp://a[.]b')).toBe('http://a.b');
  expect(refang('[[.]]')).toBe('.');
  expect(unspelled('a\\u202eb \\u00zz')).toBe('a\u202eb \\u00zz');
});

test('a value that is longer than a query is sought by how what is compared of it begins', () => {
  fc.assert(
    fc.property(longText, (value) => {
      const query = withTerm('', 'url', value);
      const read = readLibraryQuery(query, new Date(0));
      // In a query line breaks are spaces, and a blank value is an error.
      fc.pre(value.trim() !== '' && comparableValue(value) !== '');
      const [term] = read.kind === 'terms' ? read.terms : [];
      const match = term?.field === 'url' && term.match.kind !== 'any' ? term.match : expect.fail(query);
      const compared = comparableValue(value);
      expect(match.kind === 'exact' ? match.value === compared : compared.startsWith(match.value)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
