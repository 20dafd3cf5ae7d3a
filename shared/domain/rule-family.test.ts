import { expect, test } from 'vitest';
import { familyOf } from './rule-names.ts';

const meta = (...entries: [string, string][]) => entries.map(([key, value]) => ({ key, value }));

test.each([
  ['its meta, whatever the case', meta(['author', 'x'], ['Malware_Family', ' Zeus ']), ['t'], 'Zeus'],
  ['the best key first', meta(['malware', 'c'], ['malware_family', 'b'], ['family', 'a']), [], 'a'],
  ['another one where the first is empty', meta(['family', ' '], ['malware', 'c']), [], 'c'],
  ['its first tag', meta(['familyname', 'x']), ['t', 'u'], 't'],
  ['its first tag that is not empty', [], [' ', 'u'], 'u'],
  ['a key written apart', meta(['Malware-Family', 'Zeus']), ['t'], 'Zeus'],
  ['nothing', [], [], null],
])('a family is named by %s', (_what, entries, tags, family) => {
  expect(familyOf({ meta: entries, tags })).toBe(family);
});

test('a long name is truncated', () => {
  expect(familyOf({ meta: meta(['family', 'x'.repeat(300)]), tags: [] })).toHaveLength(200);
});
