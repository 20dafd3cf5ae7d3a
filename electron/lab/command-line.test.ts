import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readLabArguments, WrongArguments } from './command-line.ts';
import { usualFormLimits } from './form-fields.ts';

const limits = usualFormLimits;
const read = (line: string) => readLabArguments(line === '' ? [] : line.split(' '), '/default');

test.each([
  ['', { kind: 'serve', port: 47118, limits, passwordFile: null, dataDirectory: resolve('/default') }],
  ['--port 0 --data /d', { kind: 'serve', port: 0, limits, passwordFile: null, dataDirectory: resolve('/d') }],
  [
    '--max-files 3 --max-fields 9 --max-file-size 2G --max-request-size 3000 --max-field-size 10K',
    {
      kind: 'serve',
      port: 47118,
      limits: { files: 3, fields: 9, fileBytes: 2 * 1024 ** 3, requestBytes: 3000, fieldBytes: 10_240 },
      passwordFile: null,
      dataDirectory: resolve('/default'),
    },
  ],
  [
    '--package-password-file /p',
    { kind: 'serve', port: 47118, limits, passwordFile: resolve('/p'), dataDirectory: resolve('/default') },
  ],
  [
    'publish --version 1.4 --group Test /r/a.yar /r/b/c.yara',
    {
      kind: 'publish',
      version: '1.4',
      group: 'Test',
      files: [
        { path: resolve('/r/a.yar'), name: 'a.yar' },
        { path: resolve('/r/b/c.yara'), name: 'c.yara' },
      ],
      leavesOutBroken: false,
      converts: false,
      dataDirectory: resolve('/default'),
    },
  ],
  [
    'publish --version 1 --group Release --root /r /r/x/../b/c.yar --data /d',
    {
      kind: 'publish',
      version: '1',
      group: 'Release',
      files: [{ path: resolve('/r/b/c.yar'), name: 'b/c.yar' }],
      leavesOutBroken: false,
      converts: false,
      dataDirectory: resolve('/d'),
    },
  ],
  [
    'token add --rights read,download,read --name ana',
    { kind: 'token-add', rights: ['read', 'download'], name: 'ana', dataDirectory: resolve('/default') },
  ],
  [
    'token add --rights download,restricted',
    { kind: 'token-add', rights: ['download', 'restricted'], name: 'unnamed', dataDirectory: resolve('/default') },
  ],
  ['token list', { kind: 'token-list', dataDirectory: resolve('/default') }],
  ['token remove 3 --data /d', { kind: 'token-remove', id: 3, dataDirectory: resolve('/d') }],
  [
    'add /a/b.bin --name c --tags X,y,,x',
    {
      kind: 'add',
      files: [{ path: resolve('/a/b.bin'), name: 'c' }],
      tags: ['x', 'y'],
      restricted: false,
      dataDirectory: resolve('/default'),
    },
  ],
  [
    'add /a/b /a/c --restricted',
    {
      kind: 'add',
      files: [
        { path: resolve('/a/b'), name: 'b' },
        { path: resolve('/a/c'), name: 'c' },
      ],
      tags: [],
      restricted: true,
      dataDirectory: resolve('/default'),
    },
  ],
  ['--help', null],
  ['token add -h', null],
])('the command line reads "%s"', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each([
  '--max-files',
  '--max-files 0',
  '--max-files -1',
  '--max-files 10K',
  '--max-files 99999999',
  '--max-file-size 1T',
  '--max-file-size 1.5G',
  '--max-field-size 1G',
  '--max-fields=',
  'serve',
  '--bogus',
  '--port',
  '--port 65536',
  '--port -1',
  '--port 1.5',
  '--port x',
  '--data=',
  'extra --port 1',
  'token',
  'token steal',
  'token add',
  'token add --rights',
  'token add --rights read,fly',
  'token add --rights=',
  'token add --rights read extra',
  'token list extra',
  'token remove',
  'token remove x',
  'token remove 1 2',
  'add',
  'add a b --name c',
  'add a --bogus',
  'add a --restricted=no',
  'add a --name=',
  '--package-password-file',
  '--package-password-file=',
  'publish',
  'publish a.yar',
  'publish --version 1 --group Release',
  'publish --version 1 a.yar',
  'publish --version 1 --group Beta a.yar',
  'publish --version ../1 --group Test a.yar',
  'publish --version 1 --group Test --root /r /r',
  'publish --version 1 --group Test --root /r /s/a.yar',
  'publish --version 1 --group Test --root /r /r/../a.yar',
])('the command line refuses "%s" with one line', (line) => {
  expect(() => read(line)).toThrow(WrongArguments);
  expect(() => read(line)).toThrow(/^[^\n]{5,200}$/);
});

test.each([
  ['a tag of more than 500 characters', 'x'.repeat(501), 'A tag has at most 500 characters.'],
  ['more than 500 tags', Array.from({ length: 501 }, (_, at) => at).join(','), 'A file has at most 500 tags.'],
])('the command line refuses %s', (_title, tags, words) => {
  expect(() => read(`add a --tags ${tags}`)).toThrow(new WrongArguments(words));
});
