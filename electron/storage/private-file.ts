import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { platform } from 'node:process';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { throwNotWritable } from './make-folder.ts';

const ownerOnly = 0o600;
const ofOthers = 0o077;
/**
 * A file system that keeps no modes, one that can only be read, or a file of somebody else: it is used as it is, as far
 * as it can be.
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
