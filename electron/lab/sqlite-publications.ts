import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { labPublication } from '../../shared/domain/lab.ts';
import type { StoredPublication } from './metadata-store.ts';

const publicationRow = labPublication
  .omit({ group: true })
  .extend({ release_group: labPublication.shape.group, sha256: z.string(), size: z.number() });
const columns = 'id, version, release_group, published, sha256, size, files, rules';

/** Newest first: by the order in which they were added, whatever the clock said. */
export function selectPublications(database: DatabaseSync): StoredPublication[] {
  return database.prepare(`SELECT ${columns} FROM publications ORDER BY number DESC`).all().map(readRow);
}

export function selectPublication(database: DatabaseSync, id: string): StoredPublication | null {
  const found = database.prepare(`SELECT ${columns} FROM publications WHERE id = ?`).get(id);
  return found === undefined ? null : readRow(found);
}

/** False when its version is taken. */
export function insertPublication(
  database: DatabaseSync,
  { id, version, group, published, sha256, sizeBytes, files, rules }: StoredPublication,
): boolean {
  const insert = database.prepare(
    `INSERT INTO publications (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (version) DO NOTHING`,
  );
  return insert.run(id, version, group, published, sha256, sizeBytes, files, rules).changes === 1;
}

export function isPublished(database: DatabaseSync, sha256: string): boolean {
  return database.prepare('SELECT 1 FROM publications WHERE sha256 = ?').get(sha256) !== undefined;
}

function readRow(row: unknown): StoredPublication {
  const { release_group: group, size: sizeBytes, ...publication } = publicationRow.parse(row);
  return { ...publication, group, sizeBytes };
}
