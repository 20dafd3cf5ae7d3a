import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fail } from '../../shared/failure.ts';
import { makeChildFolder } from '../disk/make-child-folder.ts';
import { isRegular } from '../disk/open-regular.ts';
import { syncFolder } from '../disk/move-into-place.ts';
import { readBackupFile, type WholeBackup } from './backup-file.ts';
import { type BackedUpFile, type BackupEntry, readBackupList } from './backup-list.ts';
import { objectPath, openObject } from './backup-objects.ts';
import { holdDataDirectory } from './data-lock.ts';
import { copyFile, digestOf, reading } from './folder-copy.ts';
import { putJobsAtRest } from './jobs-at-rest.ts';
import { makePlace, topNames } from './move-data.ts';
import { copyUnderMark, endMark } from './move-mark.ts';
import { placeFor, requireFree } from './move-plan.ts';
import { migrations } from './migrations.ts';

const databaseName = 'vitrine.db';
const mostNamed = 20;

export interface Restore {
  /** The folder of a backup. */
  backup: string;
  /** The data directory it becomes: empty, or not there. */
  target: string;
  /** Called once nothing stands in the way, before the first byte. */
  onBegin(size: { files: number; bytes: number; made: string }): void;
  /** Told of each piece that was copied. */
  onBytes?(bytes: number): void;
}

export interface Restored {
  /** Free of links. */
  directory: string;
  files: number;
  bytes: number;
  /** When the backup was begun; UTC, ISO 8601. */
  made: string;
}

/**
 * Makes a data directory of a backup: every file is compared by SHA-256 with what was backed up, and only when all are the directory can be
 * opened. Nothing is restored over data. Jobs that were under way are paused there: the desk they were copied from may have ended them.
 * Whatever ends it before, the directory is none, and the next restore into it begins anew; the backup is only read.
 * Fails with `backup-refused`, `backup-damaged`, `data-newer`, `data-in-use`, `disk-full`, `not-writable`, `disk-failed`.
 */
export async function restoreBackup({ backup, target, onBegin, onBytes = () => {} }: Restore): Promise<Restored> {
  const from = await placeOfBackup(backup);
  const whole = await wholeOf(from);
  const to = await placeToRestore(target, from);
  const content = await entriesOf(from, whole);
  const lock = holdDataDirectory(to, { fileName: 'lock.db', waitMs: 0 });
  try {
    // Whoever held it until now may have put data there.
    await placeToRestore(to, from);
    await makePlace(to);
    await requireFree(to, { bytes: whole.bytes, files: content.files.length + content.folders.length });
    onBegin(whole);
    await copyUnderMark(to, topNames(content), () => restoreContent(content, { from, to, onBytes }));
    endMark(to);
  } finally {
    lock.release();
  }
  return { directory: to, files: content.files.length, bytes: whole.bytes, made: whole.made };
}

const placeToRestore = (target: string, from: string): Promise<string> => placeFor(target, from, (path) => fail({ kind: 'backup-refused', path, reason: 'not-for-data' }));

async function restoreContent({ folders, files }: RestoredContent, place: RestorePlace): Promise<void> {
  for (const folder of folders) await makeChildFolder(join(place.to, folder));
  await restoreFiles(files, place);
  for (const folder of folders.toReversed()) await syncFolder(join(place.to, folder));
  await syncFolder(place.to);
  putJobsAtRest(join(place.to, databaseName));
}

async function placeOfBackup(backup: string): Promise<string> {
  const path = resolve(backup);
  if (!existsSync(path)) fail({ kind: 'backup-refused', path, reason: 'no-backup' });
  return realpath(path);
}

/** What is in force in it, if this program can open that. */
async function wholeOf(backup: string): Promise<WholeBackup> {
  const file = (await readBackupFile(backup)) ?? fail({ kind: 'backup-refused', path: backup, reason: 'no-backup' });
  const whole = file.whole ?? fail({ kind: 'backup-refused', path: backup, reason: 'unfinished' });
  if (whole.schema > migrations.length) fail({ kind: 'data-newer', path: backup, found: whole.schema, supported: migrations.length });
  return whole;
}

interface RestoredContent {
  folders: string[];
  files: BackedUpFile[];
}

async function entriesOf(backup: string, { list }: WholeBackup): Promise<RestoredContent> {
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
  onBytes(bytes: number): void;
}

/** @returns whether it is what was copied. Of a longer one no more is read than tells that. */
async function restoreFile(file: BackedUpFile, { from, to, onBytes }: RestorePlace): Promise<boolean> {
  const source = await reading(objectPath(from, file.sha256), () => openObject(from, file.sha256));
  if (source === null) return false;
  const { sha256, sizeBytes } = await copyFile(source, join(to, file.path), { from: objectPath(from, file.sha256), atMostBytes: file.sizeBytes + 1, onBytes });
  return sha256 === file.sha256 && sizeBytes === file.sizeBytes;
}
