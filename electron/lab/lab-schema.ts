import type { DatabaseSync } from 'node:sqlite';
import { fail } from '../../shared/failure.ts';
import { migrate, versionOf } from '../storage/migrations/migrations.ts';

/** The n-th makes version n; a step that was released is never edited. */
export const labSteps: readonly string[] = [
  `CREATE TABLE samples (
     sha256 TEXT PRIMARY KEY, md5 TEXT NOT NULL UNIQUE, sha1 TEXT NOT NULL, size INTEGER NOT NULL,
     name TEXT NOT NULL, mime TEXT, threat TEXT, criticity INTEGER NOT NULL, uploader TEXT NOT NULL,
       uploaded TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE tags (
     sha256 TEXT NOT NULL REFERENCES samples ON DELETE CASCADE, position INTEGER NOT NULL, tag TEXT NOT NULL,
     PRIMARY KEY (sha256, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE comments (
     id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL REFERENCES samples ON DELETE CASCADE,
     parent INTEGER REFERENCES comments ON DELETE CASCADE, author TEXT NOT NULL, content TEXT NOT NULL,
       created TEXT NOT NULL
   ) STRICT;
   CREATE INDEX comments_of_sample ON comments (sha256, id);
   CREATE TABLE tokens (
     id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, rights TEXT NOT NULL,
       created TEXT NOT NULL
   ) STRICT;
   CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  'ALTER TABLE samples ADD COLUMN restricted INTEGER NOT NULL DEFAULT 0;',
  `ALTER TABLE samples ADD COLUMN virus_total INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE samples ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0;`,
  `CREATE TABLE publications (
     number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, version TEXT NOT NULL UNIQUE,
       release_group TEXT NOT NULL,
     published TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, files INTEGER NOT NULL,
       rules INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX publications_of_package ON publications (sha256);`,
];

export const labSchemaVersion = labSteps.length;

/** Brings the database to this release's schema. A newer one fails with `data-newer` and stays as it is. */
export function migrateLab(database: DatabaseSync, path: string): void {
  migrate(database, labSteps);
  const found = versionOf(database);
  if (found > labSchemaVersion) fail({ kind: 'data-newer', path, found, supported: labSchemaVersion });
}
