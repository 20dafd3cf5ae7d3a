import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { readLibraryQuery } from './library-query.ts';
import { writtenValue } from './query-completion.ts';
import { normalTag, tag } from './tag.ts';

test.each<[string, string]>([
  ['emotet', 'emotet'],
  ['family:emotet', 'family:emotet'],
  ['a\\b', 'a\\b'],
  ['two words', '"two words"'],
  ['a "b" \\', '"a \\"b\\" \\\\"'],
  ['family:', '"family:"'],
  ['a*', '"a*"'],
  ['*a', '"*a"'],
  ['a?', '"a?"'],
  ['(a)', '"(a)"'],
  ['', '""'],
])('the value %j is written %s', (value, written) => {
  expect(writtenValue(value)).toBe(written);
});

const piece = fc.oneof(
  fc.constantFrom('"', '\\', '-', ':', '*', ' ', 'tag:', 'a', 'family:', 'size:>1'),
  fc.string({ maxLength: 3, unit: anyUnit }),
);
const anyTag = fc
  .array(piece, { maxLength: 12 })
  .map((pieces) => normalTag(pieces.join('')))
  .filter((text) => tag.safeParse(text).success);

test('a written tag is read back unchanged', () => {
  fc.assert(
    fc.property(anyTag, (value) => {
      const read = readLibraryQuery(`tag:${writtenValue(value)}`, new Date('2026-11-05T10:30:00.000Z'));
      expect(read).toMatchObject({
        kind: 'terms',
        terms: [{ field: 'tag', negated: false, match: { kind: 'exact', value } }],
      });
    }),
    { numRuns: 1000 },
  );
});
