import type { DatabaseSync } from 'node:sqlite';
import { fail } from '../../shared/failure.ts';

/** One step forward each; a step that was released is never edited. The number of steps is the schema's version. */
const steps: readonly string[] = [
  `CREATE TABLE samples (
     sha256 TEXT PRIMARY KEY, md5 TEXT NOT NULL UNIQUE, sha1 TEXT NOT NULL, size INTEGER NOT NULL,
     name TEXT NOT NULL, mime TEXT, threat TEXT, criticity INTEGER NOT NULL, uploader TEXT NOT NULL, uploaded TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE tags (
     sha256 TEXT NOT NULL REFERENCES samples ON DELETE CASCADE, position INTEGER NOT NULL, tag TEXT NOT NULL,
     PRIMARY KEY (sha256, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE comments (
     id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL REFERENCES samples ON DELETE CASCADE,
     parent INTEGER REFERENCES comments ON DELETE CASCADE, author TEXT NOT NULL, content TEXT NOT NULL, created TEXT NOT NULL
   ) STRICT;
   CREATE INDEX comments_of_sample ON comments (sha256, id);
   CREATE TABLE tokens (
     id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, rights TEXT NOT NULL, created TEXT NOT NULL
   ) STRICT;
   CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
];

export const labSchemaVersion = steps.length;

/**
 * Brings the database to this release's schema in one transaction. A newer one fails with `data-newer` and stays
 * as it is. The version is read again inside the transaction: another process may have migrated in between.
 */
export function migrateLab(database: DatabaseSync, path: string): void {
  if (supportedVersion(database, path) === labSchemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of steps.slice(supportedVersion(database, path))) database.exec(step);
    database.exec(`PRAGMA user_version = ${labSchemaVersion}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function supportedVersion(database: DatabaseSync, path: string): number {
  const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (found > labSchemaVersion) fail({ kind: 'data-newer', path, found, supported: labSchemaVersion });
  return found;
}
