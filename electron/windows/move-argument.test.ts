import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { moveTarget, restoreSource } from './desktop-arguments.ts';

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

test('the backup that is to be restored is named alike', () => {
  expect(restoreSource(['vitrine', '--restore', '/disk/backup'])).toBe(resolve('/disk/backup'));
  expect(restoreSource(['vitrine', '--restore=', '--move-data-to=/disk/desk'])).toBeNull();
  expect(restoreSource(['vitrine', '--', '--restore=/disk/backup'])).toBeNull();
});
