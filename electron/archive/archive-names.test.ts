import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../../shared/testing/any-unit.ts';
import { memberPlace, NamesSeen, nameTraitOf, shownName } from './archive-names.ts';

test.each([
  ['/etc/passwd', 'absolute'],
  ['\\windows\\x', 'absolute'],
  ['\\\\server\\share', 'absolute'],
  ['C:\\x', 'absolute'],
  ['c:x', 'absolute'],
  ['../x', 'dotted'],
  ['a/../../x', 'dotted'],
  ['..\\x', 'dotted'],
  ['a/..', 'dotted'],
  ['...', 'dotted'],
  ['.. /x', 'dotted'],
  ['a/. ./x', 'dotted'],
  ['CON', 'reserved'],
  ['aux.txt', 'reserved'],
  ['a/COM1', 'reserved'],
  ['lpt9 .tar.gz', 'reserved'],
  ['nul:', 'reserved'],
  ['b\\prn', 'reserved'],
  ['a\0.exe', 'control'],
  ['a\nb', 'control'],
  ['invoice\u202exslx.exe', 'control'],
  ['a\u2066b', 'control'],
  ['\u0085', 'control'],
  ['\u200f', 'control'],
])('%j is a suspicious name: %s', (name, reason) => {
  expect(nameTraitOf(name)).toBe(reason);
});

test.each([
  'a',
  'a/b.c',
  './a',
  '.hidden',
  'a..b',
  '.',
  ' . ',
  'console',
  'com10',
  'comment',
  'auxiliary.txt',
  'Größe 漢字 🦠',
  'd41d8cd98f00b204e9800998ecf8427e',
])('%j is an ordinary name', (name) => {
  expect(nameTraitOf(name)).toBeNull();
});

test('a displayed name has at most 200 characters and no hidden ones', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyUnit, maxLength: 400 }), (name) => {
      const shown = shownName(name);
      expect(shown.length).toBeLessThanOrEqual(200);
      expect(nameTraitOf(shown.replaceAll(/[/\\:.]/g, ' x '))).not.toBe('control');
    }),
    { numRuns: 50 },
  );
  expect(shownName('a\u202eb')).toBe('a\\u202eb');
});

test('a name of the maximum length is classified at once', () => {
  for (const part of ['.', '. ', ' ', '/', 'com1 ', 'x'])
    expect(nameTraitOf(`${part.repeat(65_535 / part.length)}x`)).toBe(part === '/' ? 'absolute' : null);
});

test('a repeated name is recognised, even a long one', () => {
  const seen = new NamesSeen();
  const long = 'x'.repeat(65_535);
  expect([
    seen.add('a'),
    seen.add('b'),
    seen.add('a'),
    seen.add(long),
    seen.add(`${long.slice(1)}y`),
    seen.add(long),
  ]).toEqual([true, true, false, true, true, false]);
});

test('the sent name is the last path part, after either kind of slash', () => {
  expect(memberPlace('..\\..\\x.exe')).toEqual({ name: 'x.exe', path: '../..' });
  expect([memberPlace('a/b/'), memberPlace('/'), memberPlace('')]).toEqual([
    { name: 'b', path: 'a' },
    { name: '/', path: '' },
    { name: '', path: '' },
  ]);
});
