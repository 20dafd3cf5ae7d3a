import { expect, test } from 'vitest';
import { isRestart, moveTarget, relaunchOptions, restoreSource } from './desktop-arguments.ts';

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
  [['vitrine', '--ozone-platform=x11', '--room=scan'], ['--ozone-platform=x11']],
  [['vitrine', link], []],
  [['vitrine', '--', link, '--data=/elsewhere'], []],
  [['vitrine', '--flag', '--', link], ['--flag']],
])('%j is started again with %j and what is new', (args, kept) => {
  expect(next(args)).toEqual([...kept, move, '--restarted']);
});

test.each([
  [['vitrine', '--move-data-to=/disk/desk', '--restarted']],
  [['electron', '.', '--move-data-to', '/disk/desk', '--restarted']],
  [['vitrine', '--move-data-to', '--restarted']],
  [['vitrine', '--appimage-extract-and-run', '--move-data-to=/disk/desk']],
  [['vitrine', '--restore=/disk/backup']],
  [['vitrine', '--restore', '/disk/backup', '--restarted']],
])('a move or a restore is asked for once: after %j it is not again', (args) => {
  const again = next(args, []);
  expect([moveTarget(again), restoreSource(again)]).toEqual([null, null]);
  expect(again.filter((text) => text !== '.')).toEqual(['--restarted']);
});

test('a folder with spaces and dashes comes through as it is', () => {
  expect(moveTarget(['vitrine', ...next(['vitrine'], ['--move-data-to=/my disk/--desk=1'])])).toBe('/my disk/--desk=1');
});

test('an AppImage is started from its file, which it is not in development', () => {
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

test('a start knows that it is one again, unless a link says so', () => {
  expect([
    isRestart(['vitrine', ...next(['vitrine'])]),
    isRestart(['vitrine', move]),
    isRestart(['vitrine', '--', '--restarted']),
  ]).toEqual([true, false, false]);
});
