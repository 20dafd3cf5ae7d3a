import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fail, type FailureOf } from '../../shared/failure.ts';

/**
 * Files that another user of this computer must not have made or be able to change: keys, sockets, databases. A user
 * who controls one of them gets tokens, or decides what this program does. On Windows the profile keeps others out:
 * there, every path is accepted.
 *
 * Root is a user like any other here. As root, the files of a user are refused: what root wrote among them would lock
 * that user out of their own data, and links that they made there would lead root's writes anywhere.
 */
type OwnKind = 'file' | 'socket' | 'folder';
type Reason = FailureOf<'not-own'>['reason'];

const writableByOthers = 0o022;
const openToOthers = 0o077;
/** Windows has none of them: there they are undefined, which as a bit is none. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;
/** Its owner can do anything as it is. */
const root = 0;
const ownId = (): number | null => process.geteuid?.() ?? null;

/**
 * Requires that a path is of this user, and that no one else may change it. A link in place of a file or a socket is
 * refused, even one of this user; a folder may be behind a link of this user or of root. A user who may rename things
 * in the folder above can exchange it after this returns: that folder is checked first. Fails with `not-own`.
 *
 * @returns false where there is nothing. Throws the system's errors.
 */
export function requireOwn(path: string, kind: OwnKind): boolean {
  const found = ownStats(path, kind);
  if (found !== null) requireUnchangeable(path, found);
  return found !== null;
}

/** The same for a folder that is made private afterwards: others may be able to change it. */
export const requireOwnFolder = (path: string): boolean => ownStats(path, 'folder') !== null;

/**
 * Reads a small file that `requireOwn` accepts. What is read is what was checked: the open file is. At once: a hundred
 * bytes take less time than a thread to wake up. Fails with `not-own`.
 *
 * @returns null where there is none. Throws the system's errors.
 */
export function readOwnFile(path: string): string | null {
  if (!requireOwn(path, 'file')) return null;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = fstatSync(file);
    requireOwner(path, opened);
    requireUnchangeable(path, opened);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function ownStats(path: string, kind: OwnKind): Stats | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || ownId() === null) return found ?? null;
  if (!found.isSymbolicLink()) return requireOwner(path, found);
  if (kind !== 'folder') refuse(path, 'link', found);
  if (found.uid !== root) requireOwner(path, found);
  const target = statSync(path, { throwIfNoEntry: false });
  return target === undefined ? null : requireOwner(path, target);
}

function requireOwner(path: string, found: Stats): Stats {
  if (ownId() === null || found.uid === ownId() || found.uid === diskOf(path, found).owner) return found;
  return refuse(path, 'owner', found);
}

function requireUnchangeable(path: string, found: Stats): void {
  const isWritable = ownId() !== null && (found.mode & writableByOthers) !== 0;
  if (isWritable && diskOf(path, found).keepsModes) refuse(path, 'writable', found);
}

const refuse = (path: string, reason: Reason, { uid }: Stats): never =>
  fail({ kind: 'not-own', path, reason, owner: uid });

interface Disk {
  /** Whom a file belongs to that this process makes there; null where it can make none. */
  owner: number | null;
  /** Whether a file stays closed to others when it is made so. */
  keepsModes: boolean;
}

/**
 * A disk without owners and modes, such as a FAT disk or a network share, gives every file those of its mount, and no
 * program can change them. That is found by making a file, where something is not as it should be: the names of such
 * file systems are many, and a share may keep both.
 */
function diskOf(path: string, found: Stats): Disk {
  const folder = found.isDirectory() ? path : dirname(path);
  const trial = join(folder, `.vitrine-${process.pid}-${performance.now()}.trial`);
  let file: number;
  try {
    file = openSync(trial, 'wx', 0o600);
  } catch {
    // Where nothing can be made, nothing is excused.
    return { owner: null, keepsModes: true };
  }
  try {
    const { uid, mode } = fstatSync(file);
    return { owner: uid, keepsModes: (mode & openToOthers) === 0 };
  } finally {
    closeSync(file);
    rmSync(trial, { force: true });
  }
}

/** What a file system without modes or a read-only one refuses a change of modes with. */
const unchangeable: ReadonlySet<string | null> = new Set(['EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Whether others may do anything with it, where it is there. */
export function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && ownId() !== null && (found.mode & openToOthers) !== 0;
}

/** Takes from others what they may do with a folder. On a disk without modes it stays as it is. */
export function closeFolderToOthers(path: string): void {
  const folder = openSync(path, O_RDONLY | O_DIRECTORY);
  try {
    requireOwner(path, fstatSync(folder));
    fchmodSync(folder, 0o700);
  } catch (error) {
    if (!unchangeable.has(systemErrorCode(error))) throw error;
  } finally {
    closeSync(folder);
  }
}

/** The same with a file of this user; no link is followed, and no descriptor of the file is opened. */
export function closeFileToOthers(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (ownId() === null || found?.isFile() !== true || (found.mode & openToOthers) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    if (!unchangeable.has(systemErrorCode(error))) throw error;
  }
}
