import { existsSync } from 'node:fs';
import { chmod, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { platform } from 'node:process';
import { fail } from '../../shared/failure.ts';
import { translateFileError } from './atomic-file.ts';
import { type DataChoice, findDataDirectory, holdsData, pointTo } from './data-location.ts';
import { type DataLock, holdDataDirectory } from './data-lock.ts';
import { contentOf, copyContent, type CopyRules, type FolderContent } from './folder-copy.ts';
import { makeDataDirectory } from './make-folder.ts';
import { clearEarlierMove, endMark, removeCopy, writeMark } from './move-mark.ts';

export interface DataMove extends DataChoice {
  /** A folder that is empty or not there. */
  target: string;
  /** Called once nothing stands in the way, before the first byte. */
  onBegin(size: { files: number; bytes: number }): void;
}

/** A lock that is copied is none, and its file must not be opened by who holds it; the browser's profile has links of a run. */
const rules: CopyRules = { leftOut: new Set(['lock.db', join('lab', 'lab.lock')]), loose: new Set(['page']) };
const labEndsWithinMs = 3_000;
/** A file takes whole blocks, and a folder some. */
const roomBesideEachBytes = 4_096;

/**
 * Copies all that a desk keeps to another folder, compares every byte, and only then has it opened there; the old copy stays
 * as it is. Whatever ends it before, the old one is in force, and the next move to that folder begins anew.
 * Fails with `move-refused`, `data-in-use`, `disk-full`, `not-writable`, `disk-failed`, and as `findDataDirectory` does.
 * @returns the old directory and the new one, free of links
 */
export async function moveData({ named, usual, target, onBegin }: DataMove): Promise<{ from: string; to: string }> {
  // The next start would not be told where it went.
  if (named !== null) fail({ kind: 'move-refused', path: named, reason: 'named' });
  const found = findDataDirectory({ named, usual });
  if (!holdsData(found)) fail({ kind: 'move-refused', path: found, reason: 'no-data' });
  const from = await realpath(found);
  const locks = holdAll(from);
  try {
    const to = await placeFor(target, from);
    await copyTo(to, from, onBegin);
    await pointTo(to, usual);
    endMark(to);
    return { from, to };
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** A lab can be served alone, from the folder of a desk that is closed. */
function holdAll(directory: string): DataLock[] {
  const lock = holdDataDirectory(directory, { fileName: 'lock.db', waitMs: 0 });
  const lab = join(directory, 'lab');
  if (!existsSync(lab)) return [lock];
  try {
    return [lock, holdDataDirectory(lab, { fileName: 'lab.lock', waitMs: labEndsWithinMs })];
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The folder, made and for its owner only, with nothing in it. */
async function placeFor(target: string, from: string): Promise<string> {
  try {
    const to = await realPlace(resolve(target));
    if (to === from) fail({ kind: 'move-refused', path: to, reason: 'same' });
    if (to.startsWith(from + sep)) fail({ kind: 'move-refused', path: to, reason: 'inside' });
    makeDataDirectory(to);
    if (!(await clearEarlierMove(to))) fail({ kind: 'move-refused', path: to, reason: 'not-empty' });
    // The database relies on its folder for that, and on Windows the profile does it.
    if (platform !== 'win32' && ((await stat(to)).mode & 0o077) !== 0) await chmod(to, 0o700);
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

async function copyTo(to: string, from: string, onBegin: DataMove['onBegin']): Promise<void> {
  const content = await contentOf(from, rules);
  const bytes = content.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const names = topNames(content);
  try {
    await requireRoom(to, bytes + (content.files.length + content.folders.length) * roomBesideEachBytes);
    onBegin({ files: content.files.length, bytes });
    await writeMark(to, { names, isWhole: false });
    await copyContent(content, from, to);
    await writeMark(to, { names, isWhole: true });
  } catch (error) {
    // What a disk in trouble does not let go of keeps its mark: it is never opened, and the next move removes it.
    await Promise.allSettled([removeCopy(to)]);
    throw translateFileError(error, to);
  }
}

const topNames = ({ folders, files }: FolderContent): string[] =>
  [...folders, ...files.map(({ path }) => path)].filter((path) => !path.includes(sep));

async function requireRoom(to: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(to);
  if (bavail * bsize < bytes) fail({ kind: 'disk-full', path: to });
}
