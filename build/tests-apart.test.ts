import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';
import { testsApart } from './tests-apart.ts';

/** Written so that this file is none of them. */
const standIn = /\bvi\s*\.\s*(?:doMock|mock)\s*\(/;

test('what stands in for a module has a process of its own: in a shared one the module may be loaded already, and the test would meet the real one', () => {
  const tests = globSync('{shared,electron,e2e,build,renderer}/**/*.test.{ts,tsx}', { cwd: root });
  expect(tests.length).toBeGreaterThan(500);
  const standingIn = tests.filter((path) => standIn.test(readFileSync(join(root, path), 'utf8')));
  expect(standingIn.length).toBeGreaterThan(0);
  expect(standingIn.filter((path) => !testsApart.includes(path))).toEqual([]);
});

test('each of those that are apart is there', () => {
  expect(testsApart.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
