import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Bytes } from './upload-relations.ts';
import { hasBytes, inDraft } from './upload-rows.ts';

const filesAPage = 250;

const placedRow = z.object({ id: z.number(), workspaceId: z.string(), stagedId: z.string() });
export type PlacedFile = z.infer<typeof placedRow>;

const seenRow = z.object({ folder: z.string(), path: z.string(), sizeBytes: z.number(), changedMs: z.number() });
/** A file of the watched folder, inside which its path is, as it was when its bytes were read. */
export type SeenFile = z.infer<typeof seenRow>;

/** Where the bytes of a file lie, and what it is called there. `place` is kept as JSON, and never looked into. */
export interface NewPlace {
  stagedId: string;
  place: unknown;
  name: string;
  path: string;
}

/** Where files that came by themselves are found. A call is one transaction. */
export class UploadPlaces {
  readonly #db: Database;
  readonly #with;
  readonly #lost;
  readonly #seen;
  readonly #put;

  constructor(db: Database) {
    this.#db = db;
    const placed = 'SELECT id, workspace_id AS workspaceId, staged_id AS stagedId FROM upload_file';
    const cameAlone = `${inDraft} AND came_by_itself = 1 AND staged_id IS NOT NULL AND parent_id IS NULL`;
    this.#with = db.query(
      placedRow,
      `${placed} INDEXED BY upload_file_by_hash WHERE workspace_id = ? AND md5 = ? AND sha256 = ? AND ${hasBytes}
        AND ${cameAlone} ORDER BY id`,
    );
    // One damaged row keeps no other from being found.
    this.#lost = db.query(
      placedRow,
      `${placed} WHERE ${cameAlone} AND state = 'unreadable' AND sha256 IS NOT NULL
        AND iif(json_valid(failure), failure ->> 'kind', NULL) IN ('file-gone', 'file-changed', 'file-unreadable')
      AND id > ? ORDER BY id LIMIT ${filesAPage}`,
    );
    this.#seen = db.query(
      seenRow,
      `SELECT folder.path AS folder, seen.path, seen.size_bytes AS sizeBytes, seen.changed_ms AS changedMs
        FROM upload_file AS file
      CROSS JOIN watched_file AS seen ON seen.sha256 = file.sha256 CROSS JOIN watched_folder AS folder WHERE file.id = ?
        AND file.came_by_itself = 1 ORDER BY seen.number DESC`,
    );
    // What is sent keeps the name under which it was reviewed.
    this.#put = db.command(
      `UPDATE upload_file SET staged_id = ?3, place = ?4, name = iif(${inDraft}, ?5, name),
        path = iif(${inDraft}, ?6, path) WHERE id = ?1 AND staged_id = ?2`,
    );
  }

  /** Those of a draft that hold these bytes, and came from no archive. */
  with({ workspaceId, md5, sha256 }: Bytes): PlacedFile[] {
    return this.#with.all(workspaceId, md5, sha256);
  }

  /** Those of all drafts that could not be read when they were looked at, from no archive either. */
  *lost(): Generator<PlacedFile[], void, undefined> {
    for (let page = this.#lost.all(0); page.length > 0; page = this.#lost.all(page.at(-1)?.id ?? 0)) yield page;
  }

  /**
   * Files of the watched folder that held the bytes of this one, the newest first; none for a file that a person added.
   */
  seen(id: number): SeenFile[] {
    return this.#seen.all(id);
  }

  /** @returns whether it is there still, with the bytes it had */
  move({ id, stagedId }: Pick<PlacedFile, 'id' | 'stagedId'>, to: NewPlace): boolean {
    const { changes } = this.#db.transaction(
      () =>
        this.#put.run(
          id,
          stagedId,
          to.stagedId,
          JSON.stringify(to.place ?? null),
          to.name.toWellFormed(),
          to.path.toWellFormed(),
        ),
      'soon',
    );
    return changes > 0;
  }
}
