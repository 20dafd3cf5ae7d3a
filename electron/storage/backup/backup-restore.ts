import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { fail } from '../../../shared/failure.ts';
import { makeChildFolder, syncFolder } from '../../base/files.ts';
import { translateFileError } from '../directory/atomic-file.ts';
import { copyUnderMark, endMark } from '../directory/data-location.ts';
import { holdDataDirectory } from '../directory/data-lock.ts';
import { copyFile, reading } from '../directory/folder-copy.ts';
import { makePlace, topNames } from '../directory/move-data.ts';
import { placeFor, requireFree } from '../directory/move-plan.ts';
import { entriesOf, holdBackup, mostNamed, placeOfBackup, type RestoredContent, wholeOf } from './backup-folder.ts';
import { type BackedUpFile, besideOwnDatabase, databaseName } from './backup-list.ts';
import { objectPath, openObject, readObject } from './backup-objects.ts';
import { leaveRestoreNote, putJobsAtRest } from './database-copy.ts';

interface Restore {
  /** The folder of a backup. */
  backup: string;
  /** The data directory it becomes: empty, or not there. */
  target: string;
  /** Called once all checks have passed, before the first byte. */
  onBegin(size: { files: number; bytes: number; made: string }): void;
  /** Called for each piece that was copied. */
  onBytes?(bytes: number): void;
}

interface Restored {
  /** Free of links. */
  directory: string;
  files: number;
  bytes: number;
  /** When the backup was begun; UTC, ISO 8601. */
  made: string;
}

/**
 * Creates a data directory from a backup: every file is compared by SHA-256 with the backed-up one, and the directory
 * can be opened only when all match. Never restores over existing data. Jobs that were under way are paused in the
 * copy: the program they were copied from may have ended them. If the restore is interrupted, the directory is not a
 * data directory, and the next restore into it starts over; the backup is only read. Fails with `backup-refused`,
 * `backup-damaged`, `data-newer`, `data-in-use`, `disk-full`, `not-writable`, `disk-failed`.
 */
export async function restoreBackup({ backup, target, onBegin, onBytes = () => {} }: Restore): Promise<Restored> {
  const from = await placeOfBackup(backup);
  const whole = await wholeOf(from);
  const to = await placeToRestore(target, from);
  const content = await entriesOf(from, whole);
  const lock = holdDataDirectory(to, { fileName: 'lock.db', waitMs: 0 });
  try {
    // The previous holder of the lock may have put data there.
    await placeToRestore(to, from);
    await makePlace(to);
    await requireFree(to, { bytes: whole.bytes, files: content.files.length + content.folders.length });
    onBegin(whole);
    // Its database is opened under the mark, too.
    await copyUnderMark(to, [...topNames(content), ...besideOwnDatabase], () =>
      restoreContent(content, { from, to, made: whole.made, onBytes }),
    );
    endMark(to);
  } finally {
    lock.release();
  }
  return { directory: to, files: content.files.length, bytes: whole.bytes, made: whole.made };
}

const placeToRestore = (target: string, from: string): Promise<string> =>
  placeFor(target, from, (path) => fail({ kind: 'backup-refused', path, reason: 'not-for-data' }));

async function restoreContent({ folders, files }: RestoredContent, place: RestorePlace): Promise<void> {
  for (const folder of folders) await makeChildFolder(join(place.to, folder));
  await restoreFiles(files, place);
  for (const folder of folders.toReversed()) await syncFolder(join(place.to, folder));
  await syncFolder(place.to);
  putJobsAtRest(join(place.to, databaseName));
  leaveRestoreNote(join(place.to, databaseName), { folder: place.from, made: place.made, restored: currentInstant() });
}

/** Copies all that is as it was, so that every file that is not can be named; one is enough to refuse it all. */
async function restoreFiles(files: readonly BackedUpFile[], place: RestorePlace): Promise<void> {
  const damaged: string[] = [];
  let count = 0;
  for (const file of files) {
    if (await restoreFile(file, place)) continue;
    count += 1;
    if (damaged.length < mostNamed) damaged.push(file.path);
  }
  if (count > 0) fail({ kind: 'backup-damaged', path: place.from, files: damaged, count });
}

interface RestorePlace {
  from: string;
  to: string;
  made: string;
  onBytes(bytes: number): void;
}

/**
 * @returns whether the file matches the copied one. Of a longer file, only as much is read as proves the difference.
 */
async function restoreFile(file: BackedUpFile, { from, to, onBytes }: RestorePlace): Promise<boolean> {
  const source = await reading(objectPath(from, file.sha256), () => openObject(from, file.sha256));
  if (source === null) return false;
  const { sha256, sizeBytes } = await copyFile(source, join(to, file.path), {
    from: objectPath(from, file.sha256),
    atMostBytes: file.sizeBytes + 1,
    onBytes,
  });
  // So that the next backup of the restored data copies nothing that is there.
  if (file.changedMs !== null) await utimes(join(to, file.path), file.changedMs / 1000, file.changedMs / 1000);
  return sha256 === file.sha256 && sizeBytes === file.sizeBytes;
}

interface BackupVerify {
  /** The folder of a backup. */
  backup: string;
  onBegin(size: { files: number; bytes: number; made: string }): void;
  /** Called for each piece that was read. */
  onBytes(bytes: number): void;
}

interface VerifiedBackup {
  /** Free of links. */
  folder: string;
  files: number;
  /** How many are missing, or are not what was copied. */
  damaged: number;
  /** The first twenty of those. */
  named: string[];
}

/**
 * Reads everything in the state in force. Bytes that differ from the copied ones are removed, so that the next backup
 * copies them again. Fails with `backup-refused`, `backup-damaged` (the list itself), `data-newer`, `storage-busy`,
 * `not-writable`, `disk-failed`.
 */
export async function verifyBackup({ backup, onBegin, onBytes }: BackupVerify): Promise<VerifiedBackup> {
  const folder = await placeOfBackup(backup);
  await wholeOf(folder);
  const lock = holdBackup(folder);
  try {
    const whole = await wholeOf(folder);
    const { files } = await entriesOf(folder, whole);
    onBegin(whole);
    const damaged: string[] = [];
    const checked = new Map<string, boolean>();
    for (const file of files) {
      const isWhole = checked.get(file.sha256) ?? (await isAsItWas(folder, file, onBytes));
      checked.set(file.sha256, isWhole);
      if (!isWhole) damaged.push(file.path);
    }
    return { folder, files: files.length, damaged: damaged.length, named: damaged.slice(0, mostNamed) };
  } finally {
    lock.release();
  }
}

async function isAsItWas(
  folder: string,
  { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const found = await readObject(folder, { sha256, sizeBytes }, onBytes);
  if (found === 'whole') return true;
  // It may lie there as a link or a pipe: that goes, and not what it leads to.
  if (found === 'altered')
    await rm(objectPath(folder, sha256), { force: true, recursive: true }).catch((error: unknown) =>
      Promise.reject(translateFileError(error, folder)),
    );
  return false;
}
