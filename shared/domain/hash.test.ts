import { expect, test } from 'vitest';
import { hashKindOf } from './hash.ts';

test.each([
  ['md5', 32],
  ['sha1', 40],
  ['sha256', 64],
  [null, 31],
  [null, 56],
] as const)('a hash is %s when it has %i digits', (kind, length) => {
  expect(hashKindOf('aB1'.repeat(30).slice(0, length))).toBe(kind);
  expect(hashKindOf('g'.repeat(length))).toBeNull();
});
