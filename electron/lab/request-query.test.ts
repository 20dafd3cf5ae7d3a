import fc from 'fast-check';
import { expect, test } from 'vitest';
import { md5List, md5Parameter, readTarget } from './action.ts';
import { LabError } from './errors.ts';

test('a parameter that is given twice is refused, whichever it is', () => {
  expect(() => readTarget('/api.php?action=a&token=x&token=y')).toThrow(/more than once/);
});

test('a list parameter may repeat, and is no other parameter', () => {
  const { parameters, lists } = readTarget('/api.php?files[]=b&files%5B%5D=a&tags[]=c&files[]=b');
  expect(parameters.size).toBe(0);
  expect([...lists]).toEqual([
    ['files', ['b', 'a', 'b']],
    ['tags', ['c']],
  ]);
});

test('a list of MD5s holds each once, in lower case, in the order of its first mention', () => {
  const [one, other] = ['A'.repeat(32), 'b'.repeat(32)];
  expect(md5List(new Map([['files', [other, one, one.toLowerCase(), other]]]), 'files')).toEqual([
    other,
    'a'.repeat(32),
  ]);
});

test.each([
  ['none at all', []],
  ['one that is no MD5', ['a'.repeat(32), 'x']],
  ['an empty one', ['']],
])('a list with %s is refused', (_title, values) => {
  expect(() => md5List(new Map(values.length === 0 ? [] : [['files', values]]), 'files')).toThrow(LabError);
});

test('names that mean something to JavaScript are names like others', () => {
  const { parameters } = readTarget('/api.php?__proto__=a&constructor=b');
  expect([...parameters.keys()]).toEqual(['__proto__', 'constructor']);
  expect(parameters.get('toString')).toBeUndefined();
});

test.each([
  ['absolute form', 'http://127.0.0.1/api.php'],
  ['asterisk form', '*'],
  ['nothing', ''],
])('a target in %s is refused', (_title, target) => {
  expect(() => readTarget(target)).toThrow(LabError);
});

test('an MD5 is taken in any case and passed on in lower case', () => {
  const { parameters } = readTarget('/api.php?hash=D41D8CD98F00B204E9800998ECF8427E');
  expect(md5Parameter(parameters, 'hash')).toBe('d41d8cd98f00b204e9800998ecf8427e');
});

test.each([
  '',
  'x',
  'd41d8cd98f00b204e9800998ecf8427',
  'd41d8cd98f00b204e9800998ecf8427e00',
  '../../etc/passwd',
  'd41d8cd98f00b204e9800998ecf8427e\n',
])('%j is no MD5', (value) => {
  expect(() => md5Parameter(new Map([['hash', value]]), 'hash')).toThrow(LabError);
});

test('no target makes it throw anything but an answer', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        readTarget(text);
      } catch (error) {
        expect(error).toBeInstanceOf(LabError);
      }
    }),
  );
});
