import { expect, test } from 'vitest';
import { desktopObstacle } from './desktop-obstacle.ts';

test.each([
  ['root on Linux', { platform: 'linux' as const, userId: 0, env: { DISPLAY: ':0' } }, /as root/],
  ['no display', { platform: 'linux' as const, userId: 1000, env: {} }, /no display/],
  ['an empty display', { platform: 'linux' as const, userId: 1000, env: { DISPLAY: '' } }, /no display/],
])('the desktop tests report %s as an obstacle', (_what, surroundings, words) => {
  expect(desktopObstacle(surroundings)).toMatch(words);
});

test.each([
  ['X11', { platform: 'linux' as const, userId: 1000, env: { DISPLAY: ':0' } }],
  ['Wayland', { platform: 'linux' as const, userId: 1000, env: { WAYLAND_DISPLAY: 'wayland-0' } }],
  ['Windows', { platform: 'win32' as const, userId: null, env: {} }],
  ['macOS', { platform: 'darwin' as const, userId: 501, env: {} }],
])('the desktop tests report no obstacle on %s', (_what, surroundings) => {
  expect(desktopObstacle(surroundings)).toBeNull();
});
