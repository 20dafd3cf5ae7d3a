import { constants, createReadStream, existsSync } from 'node:fs';
import { access, readFile, realpath, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { hostKeyName, hostSocketName } from '../../../shared/host-files.ts';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { fail } from '../../../shared/failure.ts';
import { syncFolder } from '../../base/files.ts';
import { readJson } from '../database/stored-json.ts';
import { translateFileError, writeFileAtomic } from './atomic-file.ts';
import { holdsData, holdsEarlierMoveAlone } from './data-location.ts';
import { contentOf, type CopiedFile, type CopyRules, type FolderContent, sizeOf } from './folder-copy.ts';

/** Lies in the new folder, so that it is created and removed with the copy it describes. */
export const moveListName = 'moved-from.jsonl';

const size = z.number().int().nonnegative();
const longestNameBytes = 255;
const isName = (part: string): boolean => !part.includes('\0') && Buffer.byteLength(part) <= longestNameBytes;
export const pathInside = z
  .string()
  .refine(
    (path) =>
      path.split(sep).every(isName) &&
      path !== '' &&
      !isAbsolute(path) &&
      normalize(path) === path &&
      path.split(sep)[0] !== '..' &&
      path !== '.',
  );
const head = z.object({ from: z.string().refine(isAbsolute), bytes: size });
const entry = z.union([
  z.object({ folder: pathInside }),
  z.object({ path: pathInside, sizeBytes: size, changedMs: z.number() }),
]);
type MoveListHead = z.infer<typeof head>;
type MoveListEntry = { folder: string } | CopiedFile;

const listPath = (directory: string): string => join(directory, moveListName);

/**
 * Records in the new folder where its data comes from, and its files: one line for each, as there may be some hundred
 * thousand. Fails as `writeFileAtomic` does.
 */
export async function writeMoveList(
  directory: string,
  reported: MoveListHead,
  { folders, files }: FolderContent,
): Promise<void> {
  const lines = [reported, ...folders.map((folder) => ({ folder })), ...files].map((line) => JSON.stringify(line));
  await writeFileAtomic(listPath(directory), `${lines.join('\n')}\n`);
}

/** null: this folder was not moved to, or its old copy was removed, or the list cannot be read. */
export async function readMoveListHead(directory: string): Promise<MoveListHead | null> {
  for await (const line of linesOf(directory)) return head.safeParse(readJson(line)).data ?? null;
  return null;
}

/**
 * What was copied, folders first, each in front of those in it. A line that cannot be read proves nothing and is left
 * out.
 */
export async function* readMoveList(directory: string): AsyncGenerator<MoveListEntry, void, void> {
  for await (const line of linesOf(directory)) {
    const read = entry.safeParse(readJson(line));
    if (read.success) yield read.data;
  }
}

/**
 * Called after the old copy was removed: its list is removed too. If the data had been moved to that folder before,
 * there is still an older copy, whose list is kept. Fails as `writeFileAtomic` does.
 */
export async function replaceMoveList(directory: string, gone: string): Promise<void> {
  const older = await readMoveListHead(gone);
  if (older !== null && older.from !== directory)
    return writeFileAtomic(listPath(directory), await readFile(listPath(gone)));
  await rm(listPath(directory), { force: true });
  await syncFolder(directory);
}

async function* linesOf(directory: string): AsyncGenerator<string, void, void> {
  if (!existsSync(listPath(directory))) return;
  const bytes = createReadStream(listPath(directory), 'utf8');
  try {
    yield* createInterface({ input: bytes, crlfDelay: Infinity });
  } finally {
    bytes.destroy();
  }
}

/** A lock that is copied is none, and its file must not be opened by who holds it. */
export const lockNames: readonly string[] = ['lock.db', join('lab', 'lab.lock')];
/** A program that crashed leaves what lets commands in. */
const notData: ReadonlySet<string> = new Set([...lockNames, hostKeyName, hostSocketName, moveListName]);
/**
 * The browser's profile has links of a run, and a program that is started during a move writes to it before it finds
 * the data in use.
 */
const loose: ReadonlySet<string> = new Set(['page']);
export const moveRules = { leftOut: notData, loose, refusal: 'move-refused' } as const;
/** A file takes whole blocks, and a folder some. */
const spaceBesideEachBytes = 4_096;

export interface MovePlan {
  /** Both free of links. */
  from: string;
  to: string;
  content: FolderContent;
}

/** The next start would not know where a directory named by the user was moved to. Fails with `move-refused`. */
export function requireNotNamed(named: string | null): void {
  if (named !== null) fail({ kind: 'move-refused', path: named, reason: 'named' });
}

/** The directory free of links, if there is data in it. Fails with `move-refused`. */
export async function placeOfData(directory: string): Promise<string> {
  if (!holdsData(directory)) fail({ kind: 'move-refused', path: directory, reason: 'no-data' });
  return realpath(directory);
}

/**
 * What a move from that place would do, if the checks that need neither a lock nor writing pass. Fails with
 * `move-refused`, `not-writable`, `disk-failed`.
 */
export async function planMove(
  from: string,
  target: string,
  { isInUse }: Pick<CopyRules, 'isInUse'>,
): Promise<MovePlan> {
  const to = await placeFor(target, from, (path, reason) => fail({ kind: 'move-refused', path, reason }));
  return { from, to, content: await contentOf(from, { ...moveRules, isInUse }) };
}

/** Must fail. */
type RefusePlace = (path: string, reason: 'same' | 'inside' | 'not-empty') => never;

/**
 * The target free of links, in which there is nothing, or what an earlier copy left. Fails with what `refuse` does, and
 * with `not-writable`.
 */
export async function placeFor(target: string, from: string, refuse: RefusePlace): Promise<string> {
  try {
    const to = await realPlace(resolve(target));
    if (to === from) refuse(to, 'same');
    if (to.startsWith(from + sep)) refuse(to, 'inside');
    await requireWritable(nearestFolder(to), to);
    if (existsSync(to) && !(await holdsEarlierMoveAlone(to))) refuse(to, 'not-empty');
    return to;
  } catch (error) {
    throw translateFileError(error, target);
  }
}

/** The path without links, of what is there and of what will be. */
export async function realPlace(path: string): Promise<string> {
  if (existsSync(path) || dirname(path) === path) return realpath(path);
  return join(await realPlace(dirname(path)), basename(path));
}

export const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));

/** Whatever the obstacle, another place must be chosen. */
export async function requireWritable(folder: string, path: string): Promise<void> {
  if (!(await stat(folder)).isDirectory()) fail({ kind: 'not-writable', path, code: 'ENOTDIR' });
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    fail({ kind: 'not-writable', path, code: systemErrorCode(error) ?? 'EACCES' }, error);
  }
}

/**
 * Files left there by an earlier move count as free space, since they are removed. Fails with `disk-full`,
 * `disk-failed`.
 */
export async function requireSpace({ to, content }: MovePlan): Promise<void> {
  const left = existsSync(to)
    ? sizeOf(await contentOf(to, { ...moveRules, leftOut: new Set(), loose: new Set(), isInUse: false }))
    : 0;
  await requireFree(to, { bytes: sizeOf(content) - left, files: content.files.length + content.folders.length });
}

/** Whether so much more fits where that folder is, or will be. Fails with `disk-full`, `disk-failed`. */
export async function requireFree(to: string, { bytes, files }: { bytes: number; files: number }): Promise<void> {
  const { bavail, bsize } = await statfs(nearestFolder(to)).catch((error: unknown) =>
    Promise.reject(translateFileError(error, to)),
  );
  if (bavail * bsize < bytes + files * spaceBesideEachBytes) fail({ kind: 'disk-full', path: to });
}
