import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseName } from '../backup/backup-list.ts';
import { openDatabase } from '../database/database.ts';

let migrated: Buffer | null = null;

/**
 * Gives a data directory the database that a new one gets, unless it has one: copied, as a process of tests makes
 * hundreds, and to make one takes as long as to open two.
 */
export function migratedData(directory: string): string {
  const path = join(directory, databaseName);
  if (existsSync(path)) return directory;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(path, (migrated ??= newDatabase()), { mode: 0o600 });
  return directory;
}

function newDatabase(): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-migrated-'));
  try {
    openDatabase(directory).close();
    return readFileSync(join(directory, databaseName));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
