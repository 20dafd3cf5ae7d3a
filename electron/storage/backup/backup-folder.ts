import { constants, existsSync } from 'node:fs';
import { access, chmod, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { platform } from 'node:process';
import { z } from 'zod';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { sha256 } from '../../../shared/domain/hash.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { isRegular, makeChildFolder, openRegular } from '../../base/files.ts';
import { readJson } from '../database/stored-json.ts';
import { isUnfinishedOf, translateFileError, writeFileAtomic } from '../directory/atomic-file.ts';
import { type DataLock, holdFolder } from '../directory/data-lock.ts';
import { digestOf, reading } from '../directory/folder-copy.ts';
import { nearestFolder, realPlace, requireWritable } from '../directory/move-plan.ts';
import { migrations } from '../migrations/migrations.ts';
import { type BackedUpFile, type BackupEntry, databaseName, readBackupList } from './backup-list.ts';

/** The file that marks a folder as a backup. */
export const backupFileName = 'backup.json';
/** Of the layout of a backup. A higher one is refused. */
const backupFormat = 1;

const mostBytes = 64 * 1024;
const count = z.number().int().nonnegative();

const state = z.object({
  /** UTC, ISO 8601: when the database was copied. */
  made: z.iso.datetime(),
  /** Of the program. */
  version: z.string(),
  /** Of the database. */
  schema: count,
  list: z.object({ name: z.string().regex(/^[0-9a-f]{32}\.jsonl$/), sha256 }),
  files: count,
  bytes: count,
});
const backupFile = z.object({
  format: z.literal(backupFormat),
  /** Whose backup it is; see `BackupStore.installationId`. */
  desk: z.string(),
  /** The last one that came to its end; null while the first one has not. */
  whole: state.nullable(),
});
const anyBackup = z.object({ format: count, desk: z.string() });
const anyFormat = z.object({ format: count });
/** The state of a completed backup. */
export type WholeBackup = z.infer<typeof state>;
type BackupFile = Omit<z.infer<typeof backupFile>, 'format'>;

/** null: there is none. Fails with `data-newer`, `backup-damaged`, `disk-failed`. */
export async function readBackupFile(folder: string): Promise<BackupFile | null> {
  const path = join(folder, backupFileName);
  if (!existsSync(path)) return null;
  const read = readJson((await reading(path, () => textOf(path))) ?? '');
  const found = anyFormat.safeParse(read).data?.format ?? 0;
  if (found > backupFormat) fail({ kind: 'data-newer', path: folder, found, supported: backupFormat });
  return (
    backupFile.safeParse(read).data ?? fail({ kind: 'backup-damaged', path: folder, files: [backupFileName], count: 1 })
  );
}

/** null for what is no file, or longer than any that was written. */
async function textOf(path: string): Promise<string | null> {
  const file = await openRegular(path);
  try {
    return file === null || (await file.stat()).size > mostBytes ? null : await file.readFile('utf8');
  } finally {
    await file?.close();
  }
}

/** Whether the folder contains a backup, of any data directory and version. false if the file cannot be read. */
export async function isBackup(folder: string): Promise<boolean> {
  const text = await textOf(join(folder, backupFileName)).catch(nullAtFailure);
  return text !== null && anyBackup.safeParse(readJson(text)).success;
}

function nullAtFailure(error: unknown): null {
  if (systemErrorCode(error) === null) throw error;
  return null;
}

/** Puts this state in force. Fails as `writeFileAtomic` does, and the one before is in force then. */
export async function writeBackupFile(folder: string, file: BackupFile): Promise<void> {
  await writeFileAtomic(
    join(folder, backupFileName),
    `${JSON.stringify({ format: backupFormat, ...file }, null, 2)}\n`,
  );
}

interface BackupPlace {
  /** The data directory. */
  data: string;
  installation: string;
  /** What is put there is taken in by Vitrine; null: nothing is watched. */
  watched?: string | null;
  /**
   * Whether this folder should already contain a backup. If so, no new backup is started there: an unmounted disk
   * leaves an empty folder.
   */
  isExpected?(folder: string): boolean;
}

/**
 * Makes a folder the backup of this data, if it is not yet: it is empty, or not there and to be made, or an earlier
 * backup of it.
 * @returns the folder free of links. Fails with `backup-refused`, `not-writable`, `backup-damaged`, `data-newer`, and
 * as a disk does.
 */
export async function takeBackupFolder(
  chosen: string,
  { data, installation, watched = null, isExpected = () => false }: BackupPlace,
): Promise<string> {
  try {
    const folder = await realPlace(resolve(chosen));
    if (isExpected(folder) && !existsSync(join(folder, backupFileName)))
      fail({ kind: 'backup-refused', path: folder, reason: 'no-backup' });
    await requirePlace(folder, await realpath(data), watched === null ? null : await realPlace(watched));
    if (!existsSync(folder)) await makeChildFolder(folder);
    if ((await earlierOf(folder, installation)) === null) await begin(folder, installation);
    return folder;
  } catch (error) {
    throw translateFileError(error, chosen);
  }
}

/**
 * Reads the backup's file in the folder. A missing file is not replaced by a new backup: an unmounted disk leaves an
 * empty folder. Fails with `backup-refused`, `backup-damaged`, `data-newer`, `disk-failed`.
 */
export async function requireBackupOf(folder: string, installation: string): Promise<BackupFile> {
  const file = (await readBackupFile(folder)) ?? fail({ kind: 'backup-refused', path: folder, reason: 'no-backup' });
  return file.desk === installation ? file : fail({ kind: 'backup-refused', path: folder, reason: 'other-desk' });
}

async function requirePlace(folder: string, data: string, watched: string | null): Promise<void> {
  if (isIn(folder, data)) fail({ kind: 'backup-refused', path: folder, reason: 'inside' });
  if (isIn(data, folder)) fail({ kind: 'backup-refused', path: folder, reason: 'around' });
  if (watched !== null && (isIn(folder, watched) || isIn(watched, folder)))
    fail({ kind: 'backup-refused', path: folder, reason: 'watched' });
  await requireWritable(nearestFolder(folder), folder);
  if (existsSync(folder))
    await access(folder, constants.R_OK).catch((error: unknown) =>
      fail({ kind: 'backup-refused', path: folder, reason: 'unreadable' }, error),
    );
}

/** The folder itself counts as inside. */
const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * An empty folder that was there is for its owner only from now on, as one that is made is. On Windows the profile does
 * it.
 */
async function begin(folder: string, installation: string): Promise<void> {
  if (platform !== 'win32' && ((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
  await writeBackupFile(folder, { desk: installation, whole: null });
}

async function earlierOf(folder: string, installation: string): Promise<BackupFile | null> {
  const file = await readBackupFile(folder);
  if (file === null && (await readdir(folder)).some((name) => !isUnfinishedOf(backupFileName, name)))
    fail({ kind: 'backup-refused', path: folder, reason: 'not-empty' });
  if (file !== null && file.desk !== installation) fail({ kind: 'backup-refused', path: folder, reason: 'other-desk' });
  return file;
}

/** Of damaged files. */
export const mostNamed = 20;

/** The folder free of links. Fails with `backup-refused`. */
export async function placeOfBackup(backup: string): Promise<string> {
  const path = resolve(backup);
  if (!existsSync(path)) fail({ kind: 'backup-refused', path, reason: 'no-backup' });
  return realpath(path);
}

/**
 * What is in force in it, if this program can open that. Fails with `backup-refused`, `backup-damaged`, `data-newer`,
 * `disk-failed`.
 */
export async function wholeOf(backup: string): Promise<WholeBackup> {
  const file = (await readBackupFile(backup)) ?? fail({ kind: 'backup-refused', path: backup, reason: 'no-backup' });
  const whole = file.whole ?? fail({ kind: 'backup-refused', path: backup, reason: 'unfinished' });
  if (whole.schema > migrations.length)
    fail({ kind: 'data-newer', path: backup, found: whole.schema, supported: migrations.length });
  return whole;
}

export interface RestoredContent {
  folders: string[];
  files: BackedUpFile[];
}

/** What a state has, each folder behind the one it lies in. Fails with `backup-damaged`, `disk-failed`. */
export async function entriesOf(backup: string, { list }: WholeBackup): Promise<RestoredContent> {
  const damaged = (): never => fail({ kind: 'backup-damaged', path: backup, files: [list.name], count: 1 });
  const path = join(backup, list.name);
  const entries: BackupEntry[] = [];
  await reading(path, async () => {
    if (!(await isRegular(path)) || (await digestOf(path)) !== list.sha256) damaged();
    for await (const entry of readBackupList(path)) entries.push(entry ?? damaged());
  });
  const files = entries.flatMap((entry) => ('path' in entry ? [entry] : []));
  if (!files.some((file) => file.path === databaseName)) damaged();
  return { folders: entries.flatMap((entry) => ('folder' in entry ? [entry.folder] : [])), files };
}

const waitMs = 5_000;

/**
 * Holds a backup for one writer, also among copies of the same data. Fails with `storage-busy`, `not-writable`,
 * `disk-full`.
 */
export function holdBackup(folder: string): DataLock {
  try {
    return holdFolder(folder, { fileName: 'lock.db', waitMs });
  } catch (error) {
    throw error instanceof FailureError && error.failure.kind === 'data-in-use'
      ? new FailureError({ kind: 'storage-busy' }, { cause: error })
      : error;
  }
}
