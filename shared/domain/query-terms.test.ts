import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { readLibraryQuery } from './library-query.ts';
import { queryParts, withoutTerm, withTerm } from './query-terms.ts';
import { comparableValue } from './query-values.ts';

const now = new Date('2026-11-05T10:30:00.000Z');

test.each<[string, string]>([
  ['', 'tag:"packed"'],
  ['  ', 'tag:"packed"'],
  ['type:pe ', 'type:pe tag:"packed"'],
  ['a OR b', '(a OR b) tag:"packed"'],
  ['a AND b', 'a AND b tag:"packed"'],
  ['(a OR b) c', '(a OR b) c tag:"packed"'],
  ['a "OR" b', 'a "OR" b tag:"packed"'],
  ['tag:"packed" a', 'tag:"packed" a'],
  ['a -tag:"packed" b', 'a b tag:"packed"'],
  ['NOT -tag:"packed"', 'NOT -tag:"packed" tag:"packed"'],
  ['a "b', 'tag:"packed"'],
  ['(a', 'tag:"packed"'],
])('a value added to %j gives %s', (query, expected) => {
  expect(withTerm(query, 'tag', 'packed')).toBe(expected);
});

test.each<[string, string]>([
  ['', '-tag:"packed"'],
  ['a OR b', '(a OR b) -tag:"packed"'],
  ['tag:"packed" a', 'a -tag:"packed"'],
  ['-tag:"packed"', '-tag:"packed"'],
])('a value excluded from %j gives %s', (query, expected) => {
  expect(withoutTerm(query, 'tag', 'packed')).toBe(expected);
});

test.each<[string, string[]]>([
  ['', []],
  ['a tag:"b c" -d', ['a', 'tag:"b c"', '-d']],
  ['a NOT b -(c OR d) NOT (e f)', ['a', 'NOT b', '-(c OR d)', 'NOT (e f)']],
  ['a OR b', []],
  ['a AND b', []],
  ['(a OR (b)) c', ['(a OR (b))', 'c']],
])('the parts of %j are %j', (query, parts) => {
  expect(queryParts(query).map(({ at, end }) => query.slice(at, end))).toEqual(parts);
});

const anyValue = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '*', '?', '(', ')', ' ', ' OR ', ':'),
      fc.string({ maxLength: 3, unit: anyUnit }),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => `x${pieces.join('')}`);
const query = fc.constantFrom('', 'a', 'a OR b', '(a OR b) -c', 'NOT (a b)', '-signer:*', 'a AND b OR c');

test('any value is taken literally, beside all that the query asked for', () => {
  fc.assert(
    fc.property(query, anyValue, fc.boolean(), (before, value, isExcluded) => {
      const [read, kept] = [
        readLibraryQuery(withTerm(before, 'signer', value, isExcluded), now),
        readLibraryQuery(before, now),
      ];
      const exact = { kind: 'exact', value: comparableValue(value) };
      expect(read).toEqual({
        kind: 'terms',
        terms: [...(kept.kind === 'terms' ? kept.terms : []), { field: 'signer', negated: isExcluded, match: exact }],
      });
    }),
  );
});

test.each([
  ['tag', 'ab '.repeat(600)],
  ['name', `${'(("'.repeat(200)}${'ab '.repeat(600)}`],
  ['threat', '"'.repeat(3000)],
  ['signer', `${'\u202e'.repeat(300)} x`],
  ['rule', '😀'.repeat(2000)],
] as const)('a %s that is longer than a query may be is meant by how it begins', (field, value) => {
  const written = withoutTerm('', field, value);
  expect(written.length).toBeLessThanOrEqual(1000);
  expect(written.isWellFormed()).toBe(true);
  expect(readLibraryQuery(written, now)).toMatchObject({ kind: 'terms', terms: [{ field, negated: true }] });
});

test('a value of several lines is one line in a query, where it is compared so', () => {
  expect(withTerm('', 'name', 'a\nb')).toBe('name:"a b"');
  expect(withTerm('', 'tag', 'a\nb')).toBe('tag:"a\nb"');
});
