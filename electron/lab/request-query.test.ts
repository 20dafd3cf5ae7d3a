import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LabError } from './errors.ts';
import { md5Parameter, readTarget } from './request-query.ts';

test('a parameter that is given twice is refused, whichever it is', () => {
  expect(() => readTarget('/api.php?action=a&token=x&token=y')).toThrow(/more than once/);
});

test('a list parameter may repeat', () => {
  expect(readTarget('/api.php?files[]=a&files[]=b').parameters.size).toBe(0);
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

test.each(['', 'x', 'd41d8cd98f00b204e9800998ecf8427', 'd41d8cd98f00b204e9800998ecf8427e00', '../../etc/passwd', 'd41d8cd98f00b204e9800998ecf8427e\n'])(
  '%j is no MD5',
  (value) => {
    expect(() => md5Parameter(new Map([['hash', value]]), 'hash')).toThrow(LabError);
  },
);

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
