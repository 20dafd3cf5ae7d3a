import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../../shared/failure.ts';
import { syncFolder } from '../../base/files.ts';
import { readOwnFile } from '../../base/owned-file.ts';
import { readJson } from '../database/stored-json.ts';
import { isUnfinishedOf, removeUnfinished, translateFileError, writeFileAtomic } from './atomic-file.ts';
import { locationFile } from './location-file.ts';
import { makeFolder, requireOwnData } from './private-files.ts';

const location = z.object({ directory: z.string().refine(isAbsolute) });

export interface DataChoice {
  /** The directory that the person named for this start. */
  named: string | null;
  /** The default directory of this person on this system, when none is named. */
  usual: string;
}

/**
 * The directory to open: the one that is named, else where the data was moved to, else the usual one. Fails with
 * `data-gone` when it was moved and is not there, instead of beginning with no data; with `location-damaged`,
 * `data-unfinished`, and `not-own`.
 */
export function findDataDirectory(choice: DataChoice): string {
  const directory = placeToOpen(choice);
  requireOwnData(directory);
  endMark(directory);
  return directory;
}

/** The same place, whatever is in it. Fails with `data-gone`, `location-damaged`, `not-own`. */
export const placeToOpen = ({ named, usual }: DataChoice): string => named ?? movedTo(usual) ?? usual;

/** From now on the data is in that directory. Fails as `writeFileAtomic` does, and it is where it was then. */
export async function pointTo(directory: string, usual: string): Promise<void> {
  makeFolder(dirname(usual));
  await writeFileAtomic(locationFile(usual), JSON.stringify({ directory }));
}

export const holdsData = (directory: string): boolean => existsSync(join(directory, 'vitrine.db'));

function movedTo(usual: string): string | null {
  const path = locationFile(usual);
  const text = readOwnFile(path);
  if (text === null) return null;
  const read = location.safeParse(readJson(text));
  if (!read.success) return fail({ kind: 'location-damaged', path });
  const { directory } = read.data;
  if (!holdsData(directory)) fail({ kind: 'data-gone', path: directory });
  return directory;
}

const fileName = 'move.unfinished';
const content = z.object({
  /** What is copied into the folder: that alone may be removed from it again. */
  names: z.array(z.string().refine((name) => name !== '' && name !== '.' && name !== '..' && basename(name) === name)),
  /** All of it arrived and was compared. */
  isWhole: z.boolean(),
  /** Identifies the copying process: another copy into the same folder has another id. */
  id: z.string().default(''),
});
type MoveMark = z.infer<typeof content>;
/**
 * Left by a program that started there and failed, or by a copy under way: it is not data, and no one may remove it.
 */
const lockName = 'lock.db';

const markPath = (directory: string): string => join(directory, fileName);

/** Marks a folder as the target of a copy under way. Fails as `writeFileAtomic` does. */
export function writeMark(directory: string, mark: z.input<typeof content>): Promise<void> {
  return writeFileAtomic(markPath(directory), JSON.stringify(mark));
}

/**
 * Copies the entries with these names into a folder, which no one can open until it is done. Files that a failing disk
 * does not release keep their mark: the next copy to that folder removes them. Fails as `copy` does, with `data-in-use`
 * when another process began to copy into it, and as `writeFileAtomic` does.
 */
export async function copyUnderMark(to: string, names: string[], copy: () => Promise<void>): Promise<void> {
  const id = randomUUID();
  const isOurs = (): boolean => readMark(to)?.id === id;
  try {
    await writeMark(to, { names, isWhole: false, id });
    await copy();
    if (!isOurs()) fail({ kind: 'data-in-use', path: to });
    await writeMark(to, { names, isWhole: true, id });
  } catch (error) {
    if (isOurs()) await Promise.allSettled([removeCopy(to)]);
    throw translateFileError(error, to);
  }
}

/** null: there is none, or none that can be read. */
function readMark(directory: string): MoveMark | null {
  if (!existsSync(markPath(directory))) return null;
  return content.safeParse(readJson(readFileSync(markPath(directory), 'utf8'))).data ?? null;
}

/**
 * Takes the mark from a copy that is whole, since the program may have ended between the two.
 * Fails with `data-unfinished` when it is none: a part of the data must not be opened as if it were all of it.
 */
export function endMark(directory: string): void {
  if (!existsSync(markPath(directory))) return;
  if (readMark(directory)?.isWhole !== true) fail({ kind: 'data-unfinished', path: directory });
  rmSync(markPath(directory));
}

/** Whether nothing is in the folder but what a move left that did not come to its end. Throws the system's errors. */
export async function holdsEarlierMoveAlone(directory: string): Promise<boolean> {
  const ours = new Set(readMark(directory)?.names);
  const others = (await readdir(directory)).filter(
    (name) =>
      name !== lockName && !ours.has(name) && !(name === fileName && ours.size > 0) && !isUnfinishedOf(fileName, name),
  );
  return others.length === 0;
}

/** Removes what a move left in a folder in which nothing else is. */
export async function clearEarlierMove(directory: string): Promise<void> {
  await removeUnfinished(markPath(directory));
  await removeCopy(directory);
}

/** Removes what is copied into the folder, and that alone. */
async function removeCopy(directory: string): Promise<void> {
  for (const name of readMark(directory)?.names ?? [])
    await rm(join(directory, name), { recursive: true, force: true });
  await syncFolder(directory);
  await removeMark(directory);
}

export async function removeMark(directory: string): Promise<void> {
  await rm(markPath(directory), { force: true });
}
