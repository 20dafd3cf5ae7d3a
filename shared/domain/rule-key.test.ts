import { expect, test } from 'vitest';
import { keyOf, nameOfKey } from './rule-names.ts';

test('the first rule of a name has that name as key, and another one adds its file', () => {
  expect(keyOf({ name: 'same', file: 'a/b.yar' }, true)).toBe('same');
  expect(keyOf({ name: 'same', file: 'a/b.yar' }, false)).toBe('a/b.yar:same');
});

test.each([
  ['same', 'same'],
  ['a/b.yar:same', 'same'],
  ['C:\\a:b.yar:same', 'same'],
  ['', ''],
  ['a:', ''],
])('the name in %j is %j', (key, name) => {
  expect(nameOfKey(key)).toBe(name);
});

test('a key stays within the maximum length, however long the path is', () => {
  expect(keyOf({ name: 'n'.repeat(200), file: `${'x/'.repeat(5000)}end.yar` }, false)).toMatch(/^….*end\.yar:n+$/);
  expect(keyOf({ name: 'n'.repeat(200), file: 'x'.repeat(10_000) }, false).length).toBeLessThan(1000);
});
