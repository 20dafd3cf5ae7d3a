import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fail } from '../../shared/failure.ts';
import { isRegular } from '../base/files.ts';
import { databaseName } from './backup-content.ts';
import { readBackupFile, type WholeBackup } from './backup-file.ts';
import { type BackedUpFile, type BackupEntry, readBackupList } from './backup-list.ts';
import { digestOf, reading } from './folder-copy.ts';
import { migrations } from './migrations.ts';

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
