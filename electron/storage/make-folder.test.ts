import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('makes a folder with those above it, for its owner only, and again does nothing', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

test('a path through a file, or where a file is, is refused', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR/);
});

test.runIf(process.platform === 'linux')('a file system that knows no new folders is an error and not a wait without end', () => {
  expect(() => makeFolder('/proc/vitrine')).toThrow(/ENOENT/);
});
