import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readLabArguments, WrongArguments } from './command-line.ts';

const read = (line: string) => readLabArguments(line === '' ? [] : line.split(' '), '/default');

test.each([
  ['', { kind: 'serve', port: 47118, dataDirectory: resolve('/default') }],
  ['--port 0 --data /d', { kind: 'serve', port: 0, dataDirectory: resolve('/d') }],
  ['token add --rights read,download,read --name ana', { kind: 'token-add', rights: ['read', 'download'], name: 'ana', dataDirectory: resolve('/default') }],
  ['token add --rights download,restricted', { kind: 'token-add', rights: ['download', 'restricted'], name: 'unnamed', dataDirectory: resolve('/default') }],
  ['token list', { kind: 'token-list', dataDirectory: resolve('/default') }],
  ['token remove 3 --data /d', { kind: 'token-remove', id: 3, dataDirectory: resolve('/d') }],
  ['add /a/b.bin --name c --tags X,y,,x', { kind: 'add', files: [{ path: resolve('/a/b.bin'), name: 'c' }], tags: ['x', 'y'], restricted: false, dataDirectory: resolve('/default') }],
  ['add /a/b /a/c --restricted', { kind: 'add', files: [{ path: resolve('/a/b'), name: 'b' }, { path: resolve('/a/c'), name: 'c' }], tags: [], restricted: true, dataDirectory: resolve('/default') }],
  ['--help', null],
  ['token add -h', null],
])('"%s"', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each([
  'serve', '--bogus', '--port', '--port 65536', '--port -1', '--port 1.5', '--port x', '--data=', 'extra --port 1',
  'token', 'token steal', 'token add', 'token add --rights', 'token add --rights read,fly', 'token add --rights=', 'token add --rights read extra',
  'token list extra', 'token remove', 'token remove x', 'token remove 1 2', 'add', 'add a b --name c', 'add a --bogus', 'add a --restricted=no', 'add a --name=',
])('"%s" is refused in one line', (line) => {
  expect(() => read(line)).toThrow(WrongArguments);
  expect(() => read(line)).toThrow(/^[^\n]{5,200}$/);
});
