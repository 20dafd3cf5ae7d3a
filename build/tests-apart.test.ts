import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';
import { testsApart } from './tests-apart.ts';

/** Written so that this file is none of them. */
const standIn = /\bvi\s*\.\s*(?:doMock|mock)\s*\(/;

test('files that mock a module run in their own process, where no real one is loaded before', () => {
  const tests = globSync('{shared,electron,e2e,build,renderer}/**/*.test.{ts,tsx}', { cwd: root });
  expect(tests.length).toBeGreaterThan(500);
  const standingIn = tests.filter((path) => standIn.test(readFileSync(join(root, path), 'utf8')));
  expect(standingIn.length).toBeGreaterThan(0);
  expect(standingIn.filter((path) => !testsApart.includes(path))).toEqual([]);
});

test('each of those that are apart is there', () => {
  expect(testsApart.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
