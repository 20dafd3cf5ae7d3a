import { z } from 'zod';
import type { Database } from './database.ts';
import { hasBytes, inDraft } from './upload-conditions.ts';
import type { Bytes } from './upload-sames.ts';

const placedRow = z.object({ id: z.number(), stagedId: z.string() });
export type PlacedFile = z.infer<typeof placedRow>;

/** Where the bytes of a file lie, and what it is called there. `place` is kept as JSON, and never looked into. */
export interface NewPlace {
  stagedId: string;
  place: unknown;
  name: string;
  path: string;
}

/** Where files of a draft that came by themselves are found. A call is one transaction. */
export class UploadPlaces {
  readonly #db: Database;
  readonly #with;
  readonly #put;

  constructor(db: Database) {
    this.#db = db;
    this.#with = db.query(
      placedRow,
      `SELECT id, staged_id AS stagedId FROM upload_file INDEXED BY upload_file_by_hash
      WHERE workspace_id = ?1 AND md5 = ?2 AND sha256 = ?3 AND came_by_itself = 1 AND ${inDraft} AND ${hasBytes} AND staged_id IS NOT NULL AND parent_id IS NULL ORDER BY id`,
    );
    this.#put = db.command(`UPDATE upload_file SET staged_id = ?3, place = ?4, name = ?5, path = ?6 WHERE id = ?1 AND staged_id = ?2 AND ${inDraft}`);
  }

  /** Those that hold these bytes, and came from no archive. */
  with({ workspaceId, md5, sha256 }: Bytes): PlacedFile[] {
    return this.#with.all(workspaceId, md5, sha256);
  }

  /** @returns whether it is in the draft still, where it was */
  move({ id, stagedId }: PlacedFile, to: NewPlace): boolean {
    const { changes } = this.#db.transaction(
      () => this.#put.run(id, stagedId, to.stagedId, JSON.stringify(to.place ?? null), to.name.toWellFormed(), to.path.toWellFormed()),
      'soon',
    );
    return changes > 0;
  }
}
