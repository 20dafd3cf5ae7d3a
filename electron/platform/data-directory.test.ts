import { expect, test } from 'vitest';
import { defaultDataDirectory } from './data-directory.ts';

test.each([
  ['Linux', 'linux', {}, '/home/ana/.local/share/Vitrine'],
  ['Linux with XDG_DATA_HOME', 'linux', { XDG_DATA_HOME: '/data' }, '/data/Vitrine'],
  [
    'Linux with a relative XDG_DATA_HOME, which the specification ignores',
    'linux',
    { XDG_DATA_HOME: 'data' },
    '/home/ana/.local/share/Vitrine',
  ],
  ['macOS', 'darwin', { XDG_DATA_HOME: '/data' }, '/home/ana/Library/Application Support/Vitrine'],
] as const)('the default data directory is right on %s', (_title, system, environment, expected) => {
  expect(defaultDataDirectory(system, environment, '/home/ana')).toBe(expected);
});

const home = 'C:\\Users\\ana';
const nothing = (): boolean => false;

test('the default data directory on Windows is local, as the roaming profile syncs at each sign-in', () => {
  expect(
    defaultDataDirectory('win32', { APPDATA: `${home}\\AppData\\Roaming`, LOCALAPPDATA: 'D:\\Local' }, home, nothing),
  ).toBe('D:\\Local\\Vitrine');
  expect(defaultDataDirectory('win32', {}, home, nothing)).toBe(`${home}\\AppData\\Local\\Vitrine`);
});

test.each([
  ['a desk', 'R:\\Vitrine\\vitrine.db'],
  ['a lab alone', 'R:\\Vitrine\\lab'],
  ['a desk that was moved', 'R:\\Vitrine-location.json'],
])('the default data directory stays in the roaming profile where %s exists from before', (_what, there) => {
  expect(defaultDataDirectory('win32', { APPDATA: 'R:' }, home, (path) => path === there)).toBe('R:\\Vitrine');
});

test('the default data directory ignores a roaming folder of that name without files of Vitrine', () => {
  expect(
    defaultDataDirectory('win32', { APPDATA: 'R:', LOCALAPPDATA: 'D:' }, home, (path) => path === 'R:\\Vitrine'),
  ).toBe('D:\\Vitrine');
});
