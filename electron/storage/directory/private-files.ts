import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { platform } from 'node:process';
import { systemErrorCode, writeFailure } from '../../../shared/disk-failure.ts';
import { fail } from '../../../shared/failure.ts';
import { hostKeyName, hostSocketName } from '../../../shared/host-files.ts';
import {
  closeFileToOthers,
  closeFolderToOthers,
  isOpenToOthers,
  requireOwn,
  requireOwnFolder,
} from '../../base/owned-file.ts';

/**
 * Makes a data directory for its owner only, or takes one that is there as `requireOwnData` does. Whatever the obstacle
 * (a file in its place, a missing drive), another one must be chosen. Fails with `not-writable`, `disk-full`,
 * `not-own`.
 */
export function makeDataDirectory(directory: string): void {
  makeOwnFolder(directory);
  requireOwnData(directory);
}

/** Makes a folder for its owner only. Fails with `not-writable` or `disk-full`. */
export function makeOwnFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throwNotWritable(error, path);
  }
}

/**
 * What Vitrine and its lab open in a data directory; the names of files may be longer, as in `vitrine.db-wal`. A file
 * of another user under one of them would be read as a secret, or decide what this program does.
 */
const ownFolders = ['logs', 'vault', 'packages', 'staging', 'lab', 'page'];
const ownSockets = [hostSocketName];
const ownFiles = [
  'vitrine.db',
  'lock.db',
  'lab.db',
  'lab.lock',
  'tokens.',
  hostKeyName,
  'move.unfinished',
  'moved-from.',
  'window.json',
  'open-vitrine.',
];

function ownKindOf(name: string): 'file' | 'socket' | 'folder' | null {
  if (ownFolders.includes(name)) return 'folder';
  if (ownSockets.includes(name)) return 'socket';
  return ownFiles.some((start) => name.startsWith(start)) ? 'file' : null;
}

/**
 * Requires that a data directory belongs to this user, closes it to others, and then requires the same of all that is
 * opened in it: others may have put it there before. Does nothing where there is none. Fails with `not-own`,
 * `not-writable`.
 */
export function requireOwnData(directory: string): void {
  try {
    if (!requireOwnFolder(directory) || !statSync(directory).isDirectory()) return;
    const names = readdirSync(directory);
    if (isOpenToOthers(directory)) closeDirectory(directory, names);
    for (const name of names) requireOwnEntry(join(directory, name), ownKindOf(name));
  } catch (error) {
    throwNotWritable(error, directory);
  }
}

const sticky = 0o1000;

/** Not a folder with other things alone, or with any where others are meant to write, such as `/tmp`. */
function closeDirectory(directory: string, names: readonly string[]): void {
  const { mode, uid } = statSync(directory);
  const own = names.filter((name) => ownKindOf(name) !== null);
  const isShared = (mode & sticky) === 0 ? names.length > 0 && own.length === 0 : names.length > own.length;
  if (isShared) fail({ kind: 'not-own', path: directory, reason: 'shared', owner: uid });
  closeFolderToOthers(directory);
}

function requireOwnEntry(path: string, kind: ReturnType<typeof ownKindOf>): void {
  // It holds no secret, and earlier versions left its mode to the system.
  if (basename(path).startsWith('window.json')) closeFileToOthers(path);
  if (kind !== null && requireOwn(path, kind) && kind === 'file') closeFileToOthers(path);
}

/** Fails with `not-writable`, or `disk-full`; what is no error of the system passes. */
function throwNotWritable(error: unknown, path: string): never {
  const code = systemErrorCode(error);
  if (code === null) throw error;
  const failure = writeFailure(code, path);
  return fail(failure.kind === 'disk-full' ? failure : { kind: 'not-writable', path, code }, error);
}

/**
 * Makes a folder and those above it, each for its owner only and safe from a power cut. Node's own recursive `mkdir`
 * never returns for a path that the file system refuses with ENOENT although its parent is there, such as one below
 * `/proc`.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (!statSync(parent, { throwIfNoEntry: false })) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  syncNames(parent);
}

/**
 * What is made there outlives a power cut. Windows has no such call, and a folder whose names may not be read has none
 * either.
 */
function syncNames(folder: string): void {
  if (platform === 'win32' || !isReadable(folder)) return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const ownerOnly = 0o600;

/**
 * Makes an empty file for its owner only, where there is none: SQLite would make it for everyone to read. It gives the
 * files that it makes beside a database the same mode. Fails with `not-writable` or `disk-full`, of `shownPath`.
 */
export function makePrivateFile(path: string, shownPath = path): void {
  try {
    closeSync(openSync(path, 'wx', ownerOnly));
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throwNotWritable(error, shownPath);
  }
}
