import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { namedDataDirectory, roomAmong } from './desktop-arguments.ts';

test.each([
  [['electron', '.', '--data', '/srv/desk'], '/srv/desk'],
  [['vitrine', '--data=/srv/desk', '--flag'], '/srv/desk'],
  [['vitrine', '--data', 'desk'], 'desk'],
])('%j names a folder', (args, folder) => {
  expect(namedDataDirectory(args)).toBe(resolve(folder));
});

test.each([
  [['vitrine']],
  [['vitrine', '--data']],
  [['vitrine', '--data=']],
  [['vitrine', '--data', '--flag']],
  [['vitrine', '--database', 'x']],
])('%j names none', (args) => {
  expect(namedDataDirectory(args)).toBeNull();
});

test.each([
  [['vitrine', '--room=bulk-download'], 'bulk-download'],
  [['vitrine', '--room=settings'], null],
  [['vitrine', '--room', 'library'], null],
  [['vitrine', '--room='], null],
  [['vitrine'], null],
])('%j asks for the room %j', (args, room) => {
  expect(roomAmong(args)).toBe(room);
});

test('what stands behind a link is no argument', () => {
  const args = ['vitrine', '--', 'vitrine:x', '--data=/elsewhere', '--room=library'];
  expect([namedDataDirectory(args), roomAmong(args)]).toEqual([null, null]);
  expect(namedDataDirectory(['vitrine', '--data', '--', '/elsewhere'])).toBeNull();
});
