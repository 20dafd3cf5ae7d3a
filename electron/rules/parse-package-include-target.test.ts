import { expect, test } from 'vitest';
import { shown } from './broken-format.ts';
import { includeTarget } from './parse-package.ts';

const paths = new Set(['a.yar', 'x/a.yar', 'x/b.yar', 'x/y/c.yar', 'constructor']);

test.each([
  ['x/b.yar', 'a.yar', 'x/a.yar'],
  ['x/b.yar', './a.yar', 'x/a.yar'],
  ['x/b.yar', '../a.yar', 'a.yar'],
  ['x/b.yar', 'x/y/c.yar', 'x/y/c.yar'],
  ['x/y/c.yar', 'a.yar', 'a.yar'],
  ['x/y/c.yar', '../../x/../a.yar', 'a.yar'],
  ['a.yar', 'x//b.yar', 'x/b.yar'],
  ['a.yar', 'constructor', 'constructor'],
])('the include in %s of %s leads to %s', (from, value, target) => {
  expect(includeTarget(from, value, paths)).toEqual({ target, problem: null });
});

test.each([
  ['a.yar', '', 'No file name'],
  ['a.yar', 'no.yar', 'Not in the package: no.yar'],
  ['a.yar', 'x', 'Not in the package: x'],
  ['a.yar', '../a.yar', 'Outside the package: ../a.yar'],
  ['x/b.yar', '../../etc/passwd', 'Outside the package: ../../etc/passwd'],
  ['a.yar', '..', 'Outside the package: ..'],
  ['a.yar', '/a.yar', 'An absolute path, not a file in the package: /a.yar'],
  ['a.yar', 'C:a.yar', 'An absolute path, not a file in the package: C:a.yar'],
  ['a.yar', '\\\\host\\a.yar', 'Use a slash, not a backslash: \\\\host\\a.yar'],
  ['a.yar', 'x\\a.yar', 'Use a slash, not a backslash: x\\a.yar'],
  ['a.yar', 'https://example.org/a.yar', 'An address, not a file in the package: https://example.org/a.yar'],
  ['a.yar', 'file:a.yar', 'An address, not a file in the package: file:a.yar'],
])('the include in %s of %j leads nowhere: %s', (from, value, problem) => {
  expect(includeTarget(from, value, paths)).toEqual({ target: null, problem });
});

test('package text is shown on one line', () => {
  expect(shown('a\nb\u202ec\u2028')).toBe('a\ufffdb\ufffdc\ufffd');
  expect(shown('a'.repeat(10_000_000))).toBe(`${'a'.repeat(100)}…`);
});
