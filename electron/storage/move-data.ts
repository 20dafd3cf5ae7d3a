import { lstatSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { platform } from 'node:process';
import { translateFileError } from './atomic-file.ts';
import { type DataChoice, findDataDirectory, pointTo } from './data-location.ts';
import { type DataLock, holdDataDirectory } from './data-lock.ts';
import { copyContent, sizeOf } from './folder-copy.ts';
import { makeDataDirectory } from './make-folder.ts';
import { moveListName, writeMoveList } from './move-list.ts';
import { clearEarlierMove, copyUnderMark, endMark } from './move-mark.ts';
import { type MovePlan, moveRules, placeOfData, planMove, requireNotNamed, requireRoom } from './move-plan.ts';

export interface DataMove extends DataChoice {
  /** A folder that is empty or not there. */
  target: string;
  /**
   * How long the desk that asked for the move is waited for, which is ending; none by itself. The thread stands still
   * meanwhile.
   */
  deskEndsWithinMs?: number;
  /** Called once nothing stands in the way, before the first byte. */
  onBegin(size: { files: number; bytes: number }): void;
}

const labEndsWithinMs = 3_000;

/**
 * Copies all that a desk keeps to another folder, compares every byte, and only then has it opened there; the old copy
 * stays as it is. Whatever ends it before, the old one is in force, and the next move to that folder begins anew. Fails
 * with `move-refused`, `data-in-use`, `disk-full`, `not-writable`, `disk-failed`, and as `findDataDirectory` does.
 * @returns the old directory and the new one, free of links
 */
export async function moveData({
  named,
  usual,
  target,
  deskEndsWithinMs = 0,
  onBegin,
}: DataMove): Promise<{ from: string; to: string }> {
  requireNotNamed(named);
  const from = await placeOfData(findDataDirectory({ named, usual }));
  const release = holdDesk(from, { deskMs: deskEndsWithinMs, labMs: labEndsWithinMs });
  try {
    const plan = await planMove(from, target, { isInUse: false });
    await makePlace(plan.to);
    await requireRoom(plan);
    onBegin({ files: plan.content.files.length, bytes: sizeOf(plan.content) });
    await copyAll(plan);
    await pointTo(plan.to, usual);
    endMark(plan.to);
    return { from, to: plan.to };
  } finally {
    release();
  }
}

/**
 * A lab can be served alone, from the folder of a desk that is closed. Fails with `data-in-use`. @returns the way to
 * let go of both
 */
export function holdDesk(directory: string, waits: { deskMs: number; labMs: number }): () => void {
  const lock = holdDataDirectory(directory, { fileName: 'lock.db', waitMs: waits.deskMs });
  const lab = join(directory, 'lab');
  // Behind a link lies what is not of this desk.
  if (lstatSync(lab, { throwIfNoEntry: false })?.isDirectory() !== true) return () => lock.release();
  const labLock = holdLab(lab, waits.labMs, lock);
  return () => {
    labLock.release();
    lock.release();
  };
}

function holdLab(lab: string, waitMs: number, desk: DataLock): DataLock {
  try {
    return holdDataDirectory(lab, { fileName: 'lab.lock', waitMs });
  } catch (error) {
    desk.release();
    throw error;
  }
}

/** The folder, made and for its owner only, with nothing in it. */
export async function makePlace(to: string): Promise<void> {
  try {
    makeDataDirectory(to);
    await clearEarlierMove(to);
    // The database relies on its folder for that, and on Windows the profile does it.
    if (platform !== 'win32' && ((await stat(to)).mode & 0o077) !== 0) await chmod(to, 0o700);
  } catch (error) {
    throw translateFileError(error, to);
  }
}

async function copyAll({ from, to, content }: MovePlan): Promise<void> {
  await copyUnderMark(to, [...topNames(content), moveListName], async () => {
    await copyContent(content, from, to, { ...moveRules, isInUse: false });
    await writeMoveList(to, { from, bytes: sizeOf(content) }, content);
  });
}

export const topNames = ({ folders, files }: { folders: string[]; files: { path: string }[] }): string[] =>
  [...folders, ...files.map(({ path }) => path)].filter((path) => !path.includes(sep));
