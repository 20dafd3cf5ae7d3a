import { expect, test } from 'vitest';
import { isRuleFileName, packagePath } from './rule-names.ts';

test.each([
  ['a.yar', true],
  ['A.YARA', true],
  ['deep/a.Rule', true],
  ['a.rules', true],
  ['a.yarax', true],
  ['a.yar.txt', false],
  ['yar', false],
  ['rules', false],
  ['a.yarn', false],
])('the file name %j is a file of rules: %j', (name, is) => expect(isRuleFileName(name)).toBe(is));

test.each([
  ['a.yar', 'a.yar'],
  ['./a.yar', 'a.yar'],
  ['a/./b.yar', 'a/b.yar'],
  ['a\\b\\c.yar', 'a/b/c.yar'],
  ['a//b.yar', 'a/b.yar'],
  ['.a/.b.yar', '.a/.b.yar'],
  ['a./b.yar', 'a./b.yar'],
  ['../a.yar', '../a.yar'],
  ['/a.yar', 'a.yar'],
])('the file name %j is %j in a package', (name, path) => expect(packagePath(name)).toBe(path));
