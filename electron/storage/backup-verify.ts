import { rm } from 'node:fs/promises';
import { translateFileError } from './atomic-file.ts';
import { holdBackup } from './backup-lock.ts';
import { objectPath, readObject } from './backup-objects.ts';
import { entriesOf, mostNamed, placeOfBackup, wholeOf } from './backup-state.ts';

export interface BackupVerify {
  /** The folder of a backup. */
  backup: string;
  onBegin(size: { files: number; bytes: number; made: string }): void;
  /** Told of each piece that was read. */
  onBytes(bytes: number): void;
}

export interface VerifiedBackup {
  /** Free of links. */
  folder: string;
  files: number;
  /** How many are missing, or are not what was copied. */
  damaged: number;
  /** The first twenty of those. */
  named: string[];
}

/**
 * Reads all that the state in force has. Bytes that are not what was copied are removed, so that the next backup copies
 * them anew. Fails with `backup-refused`, `backup-damaged` (the list itself), `data-newer`, `storage-busy`,
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
