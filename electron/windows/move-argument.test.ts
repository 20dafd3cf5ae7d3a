import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { moveTarget } from './move-argument.ts';

test.each([
  [['electron', '.', '--move-data-to', '/disk/desk']],
  [['vitrine', '--flag', '--move-data-to=/disk/desk', '--other=x', 'vitrine:x']],
])('%j names a folder', (args) => {
  expect(moveTarget(args)).toBe(resolve('/disk/desk'));
});

test.each([
  [['vitrine']],
  [['vitrine', '--move-data-to']],
  [['vitrine', '--move-data-to=']],
  [['vitrine', '--move-data-to', '--flag']],
  [['vitrine', '--move-data', 'x']],
  [['vitrine', '--', '--move-data-to=/disk/desk']],
  [['vitrine', '--move-data-to', '--', '/disk/desk']],
])('%j names none', (args) => {
  expect(moveTarget(args)).toBeNull();
});
