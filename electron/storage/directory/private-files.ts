import { accessSync, chmodSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { platform } from 'node:process';
import { systemErrorCode, writeFailure } from '../../../shared/disk-failure.ts';
import { fail } from '../../../shared/failure.ts';

/** Whatever the obstacle to a data directory (a file in its place, a missing drive), another one must be chosen. */
export function makeDataDirectory(directory: string): void {
  try {
    makeFolder(directory);
  } catch (error) {
    throwNotWritable(error, directory);
  }
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
const ofOthers = 0o077;
/**
 * A file system that keeps no modes or is read-only, or a file of another user: it is used as it is, as far as
 * possible.
 */
const unchangeable: ReadonlySet<string | null> = new Set(['EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

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

/** Takes from others what they may do with a file, where it is there; no descriptor of it is opened. Fails likewise. */
export function closeToOthers(path: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (platform !== 'win32' && found?.isFile() && (found.mode & ofOthers) !== 0) chmodSync(path, ownerOnly);
  } catch (error) {
    if (!unchangeable.has(systemErrorCode(error))) throwNotWritable(error, path);
  }
}
