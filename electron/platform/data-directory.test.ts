import { expect, test } from 'vitest';
import { defaultDataDirectory } from './data-directory.ts';

test.each([
  ['Linux', 'linux', {}, '/home/ana/.local/share/Vitrine'],
  ['Linux with XDG_DATA_HOME', 'linux', { XDG_DATA_HOME: '/data' }, '/data/Vitrine'],
  ['Linux with a relative XDG_DATA_HOME, which the specification ignores', 'linux', { XDG_DATA_HOME: 'data' }, '/home/ana/.local/share/Vitrine'],
  ['macOS', 'darwin', { XDG_DATA_HOME: '/data' }, '/home/ana/Library/Application Support/Vitrine'],
] as const)('%s', (_title, system, environment, expected) => {
  expect(defaultDataDirectory(system, environment, '/home/ana')).toBe(expected);
});

test('Windows uses the roaming profile', () => {
  expect(defaultDataDirectory('win32', { APPDATA: 'C:\\Users\\ana\\AppData\\Roaming' }, 'C:\\Users\\ana')).toBe('C:\\Users\\ana\\AppData\\Roaming\\Vitrine');
  expect(defaultDataDirectory('win32', {}, 'C:\\Users\\ana')).toBe('C:\\Users\\ana\\AppData\\Roaming\\Vitrine');
});
