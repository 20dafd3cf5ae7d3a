import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestQuery, readLibraryQuery } from './library-query.ts';
import { withTerm, writtenValue } from './query-writing.ts';
import { normalTag, tag } from './tag.ts';

const now = new Date('2026-11-05T10:30:00.000Z');

test.each<[string, string]>([
  ['emotet', 'emotet'],
  ['family:emotet', 'family:emotet'],
  ['a\\b', 'a\\b'],
  ['two words', '"two words"'],
  ['a "b" \\', '"a \\"b\\" \\\\"'],
  ['family:', '"family:"'],
  ['a*', '"a*"'],
  ['', '""'],
])('the value %j is written %s', (value, written) => {
  expect(writtenValue(value)).toBe(written);
});

test.each<[string, string, string]>([
  ['', 'emotet', 'tag:emotet '],
  ['a', 'emotet', 'a tag:emotet '],
  ['a ', 'two words', 'a tag:"two words" '],
  ['TAGS:Emotet b', 'emotet', 'TAGS:Emotet b'],
  ['tag:"emotet" b', 'Emotet', 'tag:"emotet" b'],
  ['b -tag:emotet', 'emotet', 'b tag:emotet'],
  ['tag:emotet*', 'emotet', 'tag:emotet* tag:emotet '],
  ['"a b', 'emotet', '"a b" tag:emotet '],
  ['"a \\', 'emotet', '"a \\\\" tag:emotet '],
  ['"a \\\\', 'emotet', '"a \\\\" tag:emotet '],
  ['tag:tlp:red', 'tlp:red', 'tag:tlp:red'],
  ['tag:a,b', 'a,c', 'tag:a,b tag:a,c '],
])('%j with the tag %j is %j', (text, value, expected) => {
  expect(withTerm(text, 'tag', value)).toBe(expected);
});

test.each([['rule', 'Emotet_*'], ['threat', 'Trojan "X"'], ['type', 'PE32 executable'], ['tlp', 'amber+strict']] as const)('a %s can be added too, once', (field, value) => {
  const once = withTerm('', field, value);
  expect(readLibraryQuery(once, now)).toMatchObject({ kind: 'terms', terms: [{ field }] });
  expect(withTerm(once, field, value)).toBe(once);
});

test('a text too long to be read stays as it is', () => {
  const long = 'a'.repeat(longestQuery + 1);
  expect(withTerm(long, 'tag', 'emotet')).toBe(long);
  expect(withTerm(long.slice(1), 'tag', 'emotet')).toBe(`${long.slice(1)} tag:emotet `);
});

const piece = fc.oneof(fc.constantFrom('"', '\\', '-', ':', '*', ' ', 'tag:', 'a', 'family:', 'size:>1'), fc.string({ maxLength: 3, unit: 'binary' }));
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const anyTag = anyText.map(normalTag).filter((text) => tag.safeParse(text).success);

test('a query that could be read asks for the tag too, and for nothing else', () => {
  fc.assert(fc.property(anyText, anyTag, (text, value) => {
    const before = readLibraryQuery(text, now);
    fc.pre(before.kind === 'terms' && before.terms.length < 32);
    const term = { field: 'tag', negated: false, match: { kind: 'exact', value } };
    const contrary = JSON.stringify({ ...term, negated: true });
    const after = withTerm(text, 'tag', value);
    fc.pre(after.length <= longestQuery);
    const read = readLibraryQuery(after, now);
    const kept = before.terms.filter((one) => JSON.stringify(one) !== contrary);
    expect(read).toMatchObject({ kind: 'terms', terms: expect.arrayContaining([term, ...kept]) });
    expect(withTerm(after, 'tag', value)).toBe(after);
  }), { numRuns: 2000 });
});

test('an open quote is closed, so that the tag is a term of its own', () => {
  fc.assert(fc.property(anyText, anyTag, (inside, value) => {
    const after = withTerm(`"x${inside.replaceAll('"', '')}`, 'tag', value);
    const read = readLibraryQuery(after, now);
    expect(read).toMatchObject({ kind: 'terms', terms: [{ field: 'text' }, { field: 'tag', match: { kind: 'exact', value } }] });
  }), { numRuns: 1000 });
});
