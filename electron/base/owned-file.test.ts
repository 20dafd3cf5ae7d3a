import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { closeFileToOthers, closeFolderToOthers, isOpenToOthers, readOwnFile, requireOwn } from './owned-file.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

vi.mock(import('node:fs'), { spy: true });

const isPosix = platform !== 'win32';
/** Only root can give a file to someone else. */
const isRoot = getuid?.() === 0;
const other = 65_534;
let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'file');
});
afterEach(() => void vi.mocked(fs.fstatSync).mockReset());

function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  return null;
}
const refused = (reason: string, owner = getuid?.()): object => ({ kind: 'not-own', path, reason, owner });

/** What a disk without modes and owners gives every file: those of its mount. */
function onDiskOf(owner: number, mode: number): void {
  vi.mocked(fs.fstatSync).mockImplementation(() => Object.assign(fs.statSync(path), { uid: owner, mode }));
}

test('a file of this user is read, and one that is missing is not', () => {
  expect([readOwnFile(path), requireOwn(path, 'file')]).toEqual([null, false]);
  fs.writeFileSync(path, 'own', { mode: 0o600 });
  expect([readOwnFile(path), requireOwn(path, 'file')]).toEqual(['own', true]);
});

test.runIf(isPosix).each([0o620, 0o602])('a file that others can write is refused: mode %o', (mode) => {
  fs.writeFileSync(path, 'own');
  fs.chmodSync(path, mode);
  expect(refusalOf(() => readOwnFile(path))).toEqual(refused('writable'));
  expect(refusalOf(() => requireOwn(path, 'file'))).toEqual(refused('writable'));
});

test.runIf(isPosix)('a link in place of a file is refused, also to a file of this user and to nothing', () => {
  const target = join(folder, 'target');
  fs.symlinkSync(target, path);
  expect(refusalOf(() => readOwnFile(path))).toEqual(refused('link'));
  fs.writeFileSync(target, 'own', { mode: 0o600 });
  expect(refusalOf(() => readOwnFile(path))).toEqual(refused('link'));
});

test.runIf(isRoot)('a file of another user is refused, whatever its mode', () => {
  fs.writeFileSync(path, 'planted', { mode: 0o600 });
  fs.chownSync(path, other, other);
  expect(refusalOf(() => readOwnFile(path))).toEqual(refused('owner', other));
});

test.runIf(isRoot)('a folder behind a link of another user is refused, and one behind an own link is accepted', () => {
  const target = join(folder, 'target');
  fs.mkdirSync(target, { mode: 0o700 });
  fs.symlinkSync(target, path);
  expect(requireOwn(path, 'folder')).toBe(true);
  fs.lchownSync(path, other, other);
  expect(refusalOf(() => requireOwn(path, 'folder'))).toEqual(refused('owner', other));
});

test.runIf(isRoot)('a socket of another user is refused', async () => {
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  fs.chmodSync(path, 0o600);
  expect(requireOwn(path, 'socket')).toBe(true);
  fs.chownSync(path, other, other);
  expect(refusalOf(() => requireOwn(path, 'socket'))).toEqual(refused('owner', other));
});

test.runIf(isPosix)('a folder and a file become private, and a link is not followed', () => {
  const own = join(folder, 'own');
  fs.mkdirSync(own);
  fs.chmodSync(own, 0o775);
  closeFolderToOthers(own);
  expect([fs.statSync(own).mode & 0o777, isOpenToOthers(own)]).toEqual([0o700, false]);
  fs.writeFileSync(path, '');
  fs.chmodSync(path, 0o644);
  fs.symlinkSync(path, `${path}-link`);
  closeFileToOthers(`${path}-link`);
  expect(fs.statSync(path).mode & 0o777).toBe(0o644);
  closeFileToOthers(path);
  expect(fs.statSync(path).mode & 0o777).toBe(0o600);
});

test.runIf(platform === 'linux' && isRoot)(
  'on a disk without modes and owners, those of its mount are accepted',
  () => {
    fs.writeFileSync(path, 'of the mount');
    fs.chmodSync(path, 0o666);
    fs.chownSync(path, other, other);
    onDiskOf(other, 0o100777);
    expect(readOwnFile(path)).toBe('of the mount');
    expect(fs.readdirSync(folder).filter((name) => name.endsWith('.trial'))).toEqual([]);
  },
);

test.runIf(isPosix)('a disk that refuses a change of modes leaves the folder as it is', () => {
  const own = join(folder, 'own');
  fs.mkdirSync(own);
  fs.chmodSync(own, 0o777);
  vi.mocked(fs.fchmodSync).mockImplementationOnce(() => {
    throw Object.assign(new Error('no modes'), { code: 'EPERM' });
  });
  closeFolderToOthers(own);
  expect(isOpenToOthers(own)).toBe(true);
});
