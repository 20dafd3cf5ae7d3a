import { constants, existsSync } from 'node:fs';
import { access, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { deskKeyName, deskSocketName } from '../../shared/desk-files.ts';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fail } from '../../shared/failure.ts';
import { translateFileError } from './atomic-file.ts';
import { holdsData } from './data-location.ts';
import { contentOf, type CopyRules, type FolderContent, sizeOf } from './folder-copy.ts';
import { moveListName } from './move-list.ts';
import { holdsEarlierMoveAlone } from './move-mark.ts';

/** A lock that is copied is none, and its file must not be opened by who holds it. */
export const lockNames: readonly string[] = ['lock.db', join('lab', 'lab.lock')];
/** A desk that crashed leaves what lets commands in. */
const notData: ReadonlySet<string> = new Set([...lockNames, deskKeyName, deskSocketName, moveListName]);
/** The browser's profile has links of a run, and a desk that is started during a move writes to it before it finds the data in use. */
const loose: ReadonlySet<string> = new Set(['page']);
export const moveRules = { leftOut: notData, loose };
/** A file takes whole blocks, and a folder some. */
const roomBesideEachBytes = 4_096;

export interface MovePlan {
  /** Both free of links. */
  from: string;
  to: string;
  content: FolderContent;
}

/** The next start would not be told where it went. Fails with `move-refused`. */
export function requireNotNamed(named: string | null): void {
  if (named !== null) fail({ kind: 'move-refused', path: named, reason: 'named' });
}

/** The directory free of links, if there is data in it. Fails with `move-refused`. */
export async function placeOfData(directory: string): Promise<string> {
  if (!holdsData(directory)) fail({ kind: 'move-refused', path: directory, reason: 'no-data' });
  return realpath(directory);
}

/**
 * What a move from that place would do, if nothing stands in its way that can be told without a lock and without writing.
 * Fails with `move-refused`, `not-writable`, `disk-failed`.
 */
export async function planMove(from: string, target: string, { isInUse }: Pick<CopyRules, 'isInUse'>): Promise<MovePlan> {
  const to = await placeFor(target, from);
  return { from, to, content: await contentOf(from, { ...moveRules, isInUse }) };
}

/** The target free of links, in which there is nothing. */
async function placeFor(target: string, from: string): Promise<string> {
  try {
    const to = await realPlace(resolve(target));
    if (to === from) fail({ kind: 'move-refused', path: to, reason: 'same' });
    if (to.startsWith(from + sep)) fail({ kind: 'move-refused', path: to, reason: 'inside' });
    await requireWritable(nearestFolder(to), to);
    if (existsSync(to) && !(await holdsEarlierMoveAlone(to))) fail({ kind: 'move-refused', path: to, reason: 'not-empty' });
    return to;
  } catch (error) {
    throw translateFileError(error, target);
  }
}

/** The path without links, of what is there and of what will be. */
async function realPlace(path: string): Promise<string> {
  if (existsSync(path) || dirname(path) === path) return realpath(path);
  return join(await realPlace(dirname(path)), basename(path));
}

const nearestFolder = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path)));

/** Whatever stands in the way, another place must be chosen. */
async function requireWritable(folder: string, path: string): Promise<void> {
  if (!(await stat(folder)).isDirectory()) fail({ kind: 'not-writable', path, code: 'ENOTDIR' });
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    fail({ kind: 'not-writable', path, code: systemErrorCode(error) ?? 'EACCES' }, error);
  }
}

/** What an earlier move left there makes room when it is removed. Fails with `disk-full`, `disk-failed`. */
export async function requireRoom({ to, content }: MovePlan): Promise<void> {
  const left = existsSync(to) ? sizeOf(await contentOf(to, { leftOut: new Set(), loose: new Set(), isInUse: false })) : 0;
  const { bavail, bsize } = await statfs(nearestFolder(to)).catch((error: unknown) => Promise.reject(translateFileError(error, to)));
  const needed = sizeOf(content) + (content.files.length + content.folders.length) * roomBesideEachBytes;
  if (bavail * bsize + left < needed) fail({ kind: 'disk-full', path: to });
}
