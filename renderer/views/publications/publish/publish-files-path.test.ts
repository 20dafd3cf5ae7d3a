import { expect, test } from 'vitest';
import { packagePath } from './publish-files.ts';

test('a file of a folder keeps its path below the added folder', () => {
  expect(packagePath({ name: 'tinlark.yar', path: 'my-rules/mail/2026' })).toBe('mail/2026/tinlark.yar');
  expect(packagePath({ name: 'tinlark.YARA', path: 'my-rules' })).toBe('tinlark.YARA');
  expect(packagePath({ name: 'tinlark.yar', path: '' })).toBe('tinlark.yar');
});

test('a file that is not a rule file, or too deep, has no path', () => {
  expect(packagePath({ name: 'README.md', path: '' })).toBeNull();
  expect(packagePath({ name: 'x.yar.exe', path: '' })).toBeNull();
  expect(packagePath({ name: 'a.yar', path: `top/${'x'.repeat(294)}` })).toHaveLength(300);
  expect(packagePath({ name: 'ab.yar', path: `top/${'x'.repeat(294)}` })).toBeNull();
});
