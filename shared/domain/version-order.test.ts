import { expect, test } from 'vitest';
import { compareVersions } from './package-manifest.ts';

test.each([
  ['1.4', '1.3', 1],
  ['1.3', '1.4', -1],
  ['1.10', '1.9', 1],
  ['2026.11.17', '2026.11.10', 1],
  ['1.4', '1.4', 0],
  ['1.4.0', '1.4', 0],
  ['v1.4', '1.4', 0],
  ['01.4', '1.4', 0],
  ['1.4-2', '1.4-1', 1],
  ['99999999999999999999', '99999999999999999998', 1],
])('the version %s compared with %s gives %i', (first, second, order) => {
  expect(compareVersions(first, second)).toBe(order);
});

test.each([
  ['1.4-beta', '1.4-alpha'],
  ['spring', 'summer'],
  ['1.4-beta', '1.4'],
  ['', '1.0'],
])('the versions “%s” and “%s” have no order', (first, second) => {
  expect(compareVersions(first, second)).toBeNull();
});
