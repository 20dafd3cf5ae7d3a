import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readWebArguments } from './web-start.ts';

const home = { HOME: '/home/a', XDG_DATA_HOME: '', APPDATA: '/home/a' };

test('without options it takes the usual port and data directory and opens a browser', () => {
  const read = readWebArguments([], home);
  expect(read).toMatchObject({
    kind: 'run',
    arguments: { port: 47117, data: { named: null, moveTo: null }, exportFolder: null, openBrowser: true },
  });
});

test('folders given are made absolute', () => {
  const read = readWebArguments(['--data', 'd', '--exports', 'e', '--port', '0', '--no-open'], home);
  expect(read).toMatchObject({
    kind: 'run',
    arguments: { port: 0, data: { named: resolve('d') }, exportFolder: resolve('e'), openBrowser: false },
  });
  expect(readWebArguments(['--move-data-to', 'm'], home)).toMatchObject({
    kind: 'run',
    arguments: { data: { named: null, moveTo: resolve('m') } },
  });
  expect(readWebArguments(['--restore', 'r', '--backups', 'b'], home)).toMatchObject({
    kind: 'run',
    arguments: { data: { named: null, moveTo: null, restore: resolve('r') }, backupFolder: resolve('b') },
  });
});

test('a folder to be watched is made absolute, and there is none without it', () => {
  expect(readWebArguments(['--watch', 'w'], home)).toMatchObject({
    kind: 'run',
    arguments: { watchFolder: resolve('w') },
  });
  expect(readWebArguments([], home)).toMatchObject({ kind: 'run', arguments: { watchFolder: null } });
});

test.each([
  ['--port', '70000'],
  ['--port', 'x'],
  ['--port', '-1'],
  ['--prot', '1'],
  ['stray'],
  ['--restore', 'r', '--move-data-to', 'm'],
])('a wrong argument is a sentence: %s %s %s %s', (...args) => {
  expect(
    readWebArguments(
      args.filter((arg) => arg !== undefined),
      home,
    ),
  ).toMatchObject({ kind: 'wrong' });
});

test('help is help', () => {
  expect(readWebArguments(['--help'], home)).toEqual({ kind: 'help' });
});
