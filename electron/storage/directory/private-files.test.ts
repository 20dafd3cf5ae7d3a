import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeFolder } from './private-files.ts';

vi.mock(import('node:fs'), { spy: true });

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'vitrine-folder-'));
});
afterEach(() => {
  vi.mocked(fs.fsyncSync).mockReset();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('creates a folder and its parents, private to the owner, and does nothing the second time', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(fs.statSync(deep).mode & 0o777).toBe(0o700);
});

test.skipIf(platform === 'win32')('syncs the name of each new folder to the disk', () => {
  const a = join(folder, 'a');
  const synced: [string | undefined, string[]][] = [];
  vi.mocked(fs.fsyncSync).mockImplementation((file) => {
    const path = [folder, a].find((one) => fs.statSync(one).ino === fs.fstatSync(file).ino);
    synced.push([path, fs.readdirSync(path ?? '')]);
  });
  makeFolder(join(a, 'b'));
  expect(synced).toEqual([
    [folder, ['a']],
    [a, ['b']],
  ]);
});

test('refuses a path through a file or at a file', () => {
  fs.writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR/);
});

test.runIf(process.platform === 'linux')(
  'throws an error instead of looping on a file system that cannot create folders',
  () => {
    expect(() => makeFolder('/proc/vitrine')).toThrow(/ENOENT/);
  },
);
