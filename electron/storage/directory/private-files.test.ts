import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { makeDataDirectory, makeFolder } from './private-files.ts';

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

const isPosix = platform !== 'win32';
const modeOf = (name: string): number => fs.statSync(join(folder, name)).mode & 0o777;
const refusalOf = (directory: string): unknown => {
  try {
    makeDataDirectory(directory);
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  return null;
};

test.runIf(isPosix)('a data directory that is open to others becomes private, and what is in it', () => {
  fs.chmodSync(folder, 0o777);
  for (const [name, mode] of [
    ['vitrine.db', 0o644],
    ['window.json', 0o664],
    ['notes.txt', 0o666],
  ] as const) {
    fs.writeFileSync(join(folder, name), '');
    fs.chmodSync(join(folder, name), mode);
  }
  makeDataDirectory(folder);
  expect([modeOf('.'), modeOf('vitrine.db'), modeOf('window.json'), modeOf('notes.txt')]).toEqual([
    0o700, 0o600, 0o600, 0o666,
  ]);
});

test.runIf(isPosix)('a folder that others use is refused and stays open to them: other files, or a sticky bit', () => {
  fs.chmodSync(folder, 0o755);
  fs.writeFileSync(join(folder, 'letter.txt'), '');
  const refused = { kind: 'not-own', path: folder, reason: 'shared', owner: getuid?.() };
  expect([refusalOf(folder), modeOf('.')]).toEqual([refused, 0o755]);
  fs.writeFileSync(join(folder, 'vitrine.db'), '');
  fs.chmodSync(folder, 0o1777);
  expect([refusalOf(folder), modeOf('.')]).toEqual([refused, 0o777]);
  fs.rmSync(join(folder, 'letter.txt'));
  expect([refusalOf(folder), modeOf('.')]).toEqual([null, 0o700]);
});

test.runIf(isPosix).each(['vitrine.db', 'lock.db', 'lab.db', 'lab.lock', 'tokens.sealed', 'desk.key', 'desk.sock'])(
  'a data directory with %s that others can write is refused, and named',
  (name) => {
    const path = join(folder, name);
    fs.writeFileSync(path, '');
    fs.chmodSync(path, 0o620);
    expect(refusalOf(folder)).toEqual({ kind: 'not-own', path, reason: 'writable', owner: getuid?.() });
  },
);

test.runIf(isPosix && getuid?.() === 0)(
  'a data directory of another user is refused unchanged, also as root, and so is a folder of another user in it',
  () => {
    const other = 65_534;
    const owned = (path: string): object => ({ kind: 'not-own', path, reason: 'owner', owner: other });
    fs.mkdirSync(join(folder, 'logs'), { mode: 0o700 });
    fs.chownSync(join(folder, 'logs'), other, other);
    expect(refusalOf(folder)).toEqual(owned(join(folder, 'logs')));
    fs.chmodSync(folder, 0o755);
    fs.chownSync(folder, other, other);
    expect([refusalOf(folder), modeOf('.'), fs.readdirSync(folder)]).toEqual([owned(folder), 0o755, ['logs']]);
  },
);
