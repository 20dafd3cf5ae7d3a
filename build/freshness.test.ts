import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Built, fingerprint, isStale, markFresh } from './freshness.ts';
import { out } from './paths.ts';

let tree: string;
let built: Built;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'vitrine-fresh-'));
  mkdirSync(join(tree, 'room'));
  writeFileSync(join(tree, 'room', 'a.ts'), 'one');
  writeFileSync(join(tree, 'result.js'), 'built');
  built = { name: `test-${process.pid}`, sources: ['room/**/*'], result: join(tree, 'result.js') };
});
afterEach(() => {
  rmSync(tree, { recursive: true, force: true });
  rmSync(join(out, 'stamps', built.name), { force: true });
});

test('the build is stale when it was never built and fresh right after a build', () => {
  expect(isStale(built, tree)).toBe(true);
  markFresh(built, fingerprint(built, tree));
  expect(isStale(built, tree)).toBe(false);
});

test.each<[string, () => void]>([
  ['a longer source', () => writeFileSync(join(tree, 'room', 'a.ts'), 'one and more')],
  ['a source of another time', () => utimesSync(join(tree, 'room', 'a.ts'), 1, 1)],
  ['a new source', () => writeFileSync(join(tree, 'room', 'b.ts'), '')],
  ['a removed source', () => rmSync(join(tree, 'room', 'a.ts'))],
  ['a removed result', () => rmSync(join(tree, 'result.js'))],
])('the build is stale after a change: %s', (_what, change) => {
  markFresh(built, fingerprint(built, tree));
  change();
  expect(isStale(built, tree)).toBe(true);
});

test('a new test does not make the build stale', () => {
  markFresh(built, fingerprint(built, tree));
  writeFileSync(join(tree, 'room', 'a.test.ts'), '');
  expect(isStale(built, tree)).toBe(false);
});
