import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';
import { isolatedTests } from './isolated-tests.ts';

/** Written so that this file is none of them. */
const standIn = /\bvi\s*\.\s*(?:doMock|mock)\s*\(/;

test('every test file that mocks a module is listed to run in its own process', () => {
  const tests = globSync('{shared,electron,e2e,build,renderer}/**/*.test.{ts,tsx}', { cwd: root });
  expect(tests.length).toBeGreaterThan(500);
  const standingIn = tests.filter((path) => standIn.test(readFileSync(join(root, path), 'utf8')));
  expect(standingIn.length).toBeGreaterThan(0);
  expect(standingIn.filter((path) => !isolatedTests.includes(path))).toEqual([]);
});

test('every test file listed as isolated exists', () => {
  expect(isolatedTests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
