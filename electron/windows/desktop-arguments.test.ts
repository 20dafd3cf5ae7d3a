import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { namedDataDirectory } from './desktop-arguments.ts';

test.each([
  [['electron', '.', '--data', '/srv/desk'], '/srv/desk'],
  [['vitrine', '--data=/srv/desk', '--flag'], '/srv/desk'],
  [['vitrine', '--data', 'desk'], 'desk'],
])('%j names a folder', (args, folder) => {
  expect(namedDataDirectory(args)).toBe(resolve(folder));
});

test.each([[['vitrine']], [['vitrine', '--data']], [['vitrine', '--data=']], [['vitrine', '--data', '--flag']], [['vitrine', '--database', 'x']]])(
  '%j names none',
  (args) => {
    expect(namedDataDirectory(args)).toBeNull();
  },
);
