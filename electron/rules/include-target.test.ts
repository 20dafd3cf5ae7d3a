import { expect, test } from 'vitest';
import { includeTarget, shown } from './include-target.ts';

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
])('in %s, %s is %s', (from, value, target) => {
  expect(includeTarget(from, value, paths)).toEqual({ target, problem: null });
});

test.each([
  ['a.yar', '', 'Names no file'],
  ['a.yar', 'no.yar', 'Is not in the package: no.yar'],
  ['a.yar', 'x', 'Is not in the package: x'],
  ['a.yar', '../a.yar', 'Leads out of the package: ../a.yar'],
  ['x/b.yar', '../../etc/passwd', 'Leads out of the package: ../../etc/passwd'],
  ['a.yar', '..', 'Leads out of the package: ..'],
  ['a.yar', '/a.yar', 'Is an absolute path, not a file of the package: /a.yar'],
  ['a.yar', 'C:a.yar', 'Is an absolute path, not a file of the package: C:a.yar'],
  ['a.yar', '\\\\host\\a.yar', 'Has a backslash where a path has a slash: \\\\host\\a.yar'],
  ['a.yar', 'x\\a.yar', 'Has a backslash where a path has a slash: x\\a.yar'],
  ['a.yar', 'https://example.org/a.yar', 'Is an address, not a file of the package: https://example.org/a.yar'],
  ['a.yar', 'file:a.yar', 'Is an address, not a file of the package: file:a.yar'],
])('in %s, %j leads nowhere: %s', (from, value, problem) => {
  expect(includeTarget(from, value, paths)).toEqual({ target: null, problem });
});

test('what is shown of a package fits on one line', () => {
  expect(shown('a\nb\u202ec\u2028')).toBe('a\ufffdb\ufffdc\ufffd');
  expect(shown('a'.repeat(10_000_000))).toBe(`${'a'.repeat(100)}…`);
});
