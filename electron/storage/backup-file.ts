import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { sha256 } from '../../shared/domain/hash.ts';
import { fail } from '../../shared/failure.ts';
import { openRegular } from '../base/files.ts';
import { writeFileAtomic } from './atomic-file.ts';
import { reading } from './folder-copy.ts';
import { readJson } from './stored-json.ts';

/** What says of a folder that it is a backup. */
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
  /** Whose backup it is; see `deskIdOf`. */
  desk: z.string(),
  /** The last one that came to its end; null while the first one has not. */
  whole: state.nullable(),
});
const anyBackup = z.object({ format: count, desk: z.string() });
const anyFormat = z.object({ format: count });
/** What a backup that came to its end says of itself. */
export type WholeBackup = z.infer<typeof state>;
export type BackupFile = Omit<z.infer<typeof backupFile>, 'format'>;

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

/** Whether the folder says that it is a backup, of whatever desk and version. What cannot be read says nothing. */
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
