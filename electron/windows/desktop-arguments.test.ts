import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  deepLinkAmong,
  isRestart,
  moveTarget,
  namedDataDirectory,
  readDeepLink,
  relaunchOptions,
  restoreSource,
  viewAmong,
} from './desktop-arguments.ts';

test.each([
  [['electron', '.', '--data', '/srv/desk'], '/srv/desk'],
  [['vitrine', '--data=/srv/desk', '--flag'], '/srv/desk'],
  [['vitrine', '--data', 'desk'], 'desk'],
])('%j names a data directory', (args, folder) => {
  expect(namedDataDirectory(args)).toBe(resolve(folder));
});

test.each([
  [['vitrine']],
  [['vitrine', '--data']],
  [['vitrine', '--data=']],
  [['vitrine', '--data', '--flag']],
  [['vitrine', '--database', 'x']],
])('%j names no data directory', (args) => {
  expect(namedDataDirectory(args)).toBeNull();
});

test.each([
  [['vitrine', '--view=bulk-download'], 'bulk-download'],
  [['vitrine', '--room=bulk-download'], 'bulk-download'],
  [['vitrine', '--view=settings'], null],
  [['vitrine', '--view', 'library'], null],
  [['vitrine', '--view='], null],
  [['vitrine'], null],
])('%j requests the view %j', (args, view) => {
  expect(viewAmong(args)).toBe(view);
});

test('text after a link is no argument', () => {
  const args = ['vitrine', '--', 'vitrine:x', '--data=/elsewhere', '--view=library'];
  expect([namedDataDirectory(args), viewAmong(args)]).toEqual([null, null]);
  expect(namedDataDirectory(['vitrine', '--data', '--', '/elsewhere'])).toBeNull();
});

const md5 = '44d88612fea8a8f36de82e1278abb02f';

test.each([`vitrine:${md5}`, `vitrine://${md5}`, `vitrine://${md5}/`, `VITRINE:${md5.toUpperCase()}`])(
  '%s is a link',
  (text) => {
    expect(readDeepLink(text)).toBe(md5);
  },
);

test.each([
  md5,
  `vitrine:${md5}0`,
  `vitrine:${md5.slice(1)}`,
  `vitrine:${md5}?send=1`,
  `vitrine:${md5}#a`,
  `vitrine:${md5}//`,
  `vitrine:///${md5}`,
  `vitrine:/${md5}`,
  `vitrine: ${md5}`,
  `vitrine:${md5}\n`,
  `vitrine:g${md5.slice(1)}`,
  `vitrine-page://vitrine/${md5}`,
  `https://vitrine:${md5}`,
  `vitrine://user@${md5}`,
  'vitrine:',
  '',
])('%j is no link', (text) => {
  expect(readDeepLink(text)).toBeNull();
});

test('a parsed link is 32 lower-case hexadecimal characters', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^vitrine:\/{0,3}[0-9a-fA-F?#/ ]{28,36}$/), (text) => {
      const read = readDeepLink(text);
      expect(read === null || /^[0-9a-f]{32}$/.test(read)).toBe(true);
    }),
  );
});

test('a link among arguments is found, and so is its absence', () => {
  expect(deepLinkAmong(['electron', '.', '--flag', `vitrine:${md5}`])).toBe(md5);
  expect(deepLinkAmong(['electron', '--', `vitrine:${md5}`])).toBe(md5);
  expect(deepLinkAmong(['electron', '.', `--open=vitrine:${md5}`])).toBeNull();
});

test.each([
  [['electron', '.', '--move-data-to', '/disk/desk']],
  [['vitrine', '--flag', '--move-data-to=/disk/desk', '--other=x', 'vitrine:x']],
])('%j names a move target', (args) => {
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
])('%j names no move target', (args) => {
  expect(moveTarget(args)).toBeNull();
});

test('the backup to restore is named in the same way', () => {
  expect(restoreSource(['vitrine', '--restore', '/disk/backup'])).toBe(resolve('/disk/backup'));
  expect(restoreSource(['vitrine', '--restore=', '--move-data-to=/disk/desk'])).toBeNull();
  expect(restoreSource(['vitrine', '--', '--restore=/disk/backup'])).toBeNull();
});

const move = '--move-data-to=/disk/desk';
const next = (args: string[], more: string[] = [move]): string[] =>
  relaunchOptions({ args, appImage: undefined, isPackaged: true }, more).args;
const link = `vitrine:${'0'.repeat(32)}`;

test.each([
  [['/opt/Vitrine/vitrine'], []],
  [
    ['electron', '/home/ana/vitrine', '--data', '/srv/desk'],
    ['/home/ana/vitrine', '--data', '/srv/desk'],
  ],
  [['vitrine', '--ozone-platform=x11', '--view=scan', '--room=scan'], ['--ozone-platform=x11']],
  [['vitrine', link], []],
  [['vitrine', '--', link, '--data=/elsewhere'], []],
  [['vitrine', '--flag', '--', link], ['--flag']],
])('%j is restarted with %j and the new arguments', (args, kept) => {
  expect(next(args)).toEqual([...kept, move, '--restarted']);
});

test.each([
  [['vitrine', '--move-data-to=/disk/desk', '--restarted']],
  [['electron', '.', '--move-data-to', '/disk/desk', '--restarted']],
  [['vitrine', '--move-data-to', '--restarted']],
  [['vitrine', '--appimage-extract-and-run', '--move-data-to=/disk/desk']],
  [['vitrine', '--restore=/disk/backup']],
  [['vitrine', '--restore', '/disk/backup', '--restarted']],
])('a move or a restore is requested once: after %j not again', (args) => {
  const again = next(args, []);
  expect([moveTarget(again), restoreSource(again)]).toEqual([null, null]);
  expect(again.filter((text) => text !== '.')).toEqual(['--restarted']);
});

test('a folder with spaces and dashes is passed unchanged', () => {
  expect(moveTarget(['vitrine', ...next(['vitrine'], ['--move-data-to=/my disk/--desk=1'])])).toBe('/my disk/--desk=1');
});

test('an AppImage is started from its file, except in development', () => {
  const appImage = '/home/ana/Vitrine.AppImage';
  expect(relaunchOptions({ args: ['/tmp/.mount_1/vitrine', '--flag'], appImage, isPackaged: true }, [move])).toEqual({
    execPath: appImage,
    args: ['--appimage-extract-and-run', '--flag', move, '--restarted'],
  });
  expect(relaunchOptions({ args: ['electron', '.'], appImage, isPackaged: false }, [move])).toEqual({
    args: ['.', move, '--restarted'],
  });
  expect(relaunchOptions({ args: ['vitrine'], appImage: '', isPackaged: true }, [])).toEqual({ args: ['--restarted'] });
});

test('a restart is recognised as such, unless the flag follows a link', () => {
  expect([
    isRestart(['vitrine', ...next(['vitrine'])]),
    isRestart(['vitrine', move]),
    isRestart(['vitrine', '--', '--restarted']),
  ]).toEqual([true, false, false]);
});
