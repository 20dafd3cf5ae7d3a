import fc from 'fast-check';
import { expect, test } from 'vitest';
import { md5List, md5Parameter, readTarget } from './action.ts';
import { LabError } from './errors.ts';

test('the query reader refuses a parameter that is given twice, whichever it is', () => {
  expect(() => readTarget('/api.php?action=a&token=x&token=y')).toThrow(/more than once/);
});

test('the query reader accepts a repeated list parameter, but not as any other parameter', () => {
  const { parameters, lists } = readTarget('/api.php?files[]=b&files%5B%5D=a&tags[]=c&files[]=b');
  expect(parameters.size).toBe(0);
  expect([...lists]).toEqual([
    ['files', ['b', 'a', 'b']],
    ['tags', ['c']],
  ]);
});

test('the query reader lists each MD5 once, in lower case, in the order of first mention', () => {
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
])('the query reader refuses a list with %s', (_title, values) => {
  expect(() => md5List(new Map(values.length === 0 ? [] : [['files', values]]), 'files')).toThrow(LabError);
});

test('the query reader treats names with a meaning in JavaScript as ordinary names', () => {
  const { parameters } = readTarget('/api.php?__proto__=a&constructor=b');
  expect([...parameters.keys()]).toEqual(['__proto__', 'constructor']);
  expect(parameters.get('toString')).toBeUndefined();
});

test.each([
  ['absolute form', 'http://127.0.0.1/api.php'],
  ['asterisk form', '*'],
  ['nothing', ''],
])('the query reader refuses a target in %s', (_title, target) => {
  expect(() => readTarget(target)).toThrow(LabError);
});

test('the query reader accepts an MD5 in any case and passes it on in lower case', () => {
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
])('the query reader refuses %j as an MD5', (value) => {
  expect(() => md5Parameter(new Map([['hash', value]]), 'hash')).toThrow(LabError);
});

test('the query reader throws only lab errors, whatever the target', () => {
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
