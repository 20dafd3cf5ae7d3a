import { z } from 'zod';
import type { Database } from './database.ts';
import { hasBytes, inDraft } from './upload-rows.ts';
import type { UploadTlps } from './upload-tlps.ts';

const DUPidRow = z.object({ id: z.number() });
const firstRow = z.object({ id: z.number(), isBefore: z.number() });
const sha256Row = z.object({ sha256: z.string() });

/** Which bytes, in which draft. */
export interface Bytes {
  workspaceId: string;
  md5: string;
  sha256: string;
}

/**
 * Files of a draft that hold the same bytes: one of them is sent, and the others are the `same`. It is the first that
 * came, of those that a person handed over before those that came by themselves. The caller gives the transaction.
 */
export class UploadSames {
  readonly #tlps: UploadTlps;
  readonly #other;
  readonly #first;
  readonly #stood;
  readonly #refuse;
  readonly #ready;
  readonly #same;
  readonly #follow;

  constructor(db: Database, tlps: UploadTlps) {
    this.#tlps = tlps;
    const withMd5 = `FROM upload_file INDEXED BY upload_file_by_hash WHERE workspace_id = ?1 AND md5 = ?2 AND ${inDraft}
      AND ${hasBytes}`;
    this.#other = db.query(
      sha256Row,
      `SELECT * FROM (SELECT sha256 ${withMd5} AND sha256 < ?3 LIMIT 1) UNION ALL
        SELECT * FROM (SELECT sha256 ${withMd5} AND sha256 > ?3 LIMIT 1)`,
    );
    const first = `${withMd5} AND sha256 = ?3 ORDER BY came_by_itself, id LIMIT 1`;
    this.#first = db.query(DUPidRow, `SELECT id ${first}`);
    this.#stood = db.query(
      firstRow,
      `SELECT id, (came_by_itself, id) < (SELECT came.came_by_itself, came.id FROM upload_file AS came
        WHERE came.id = ?4) AS isBefore ${first}`,
    );
    this.#refuse = db.command(`UPDATE upload_file SET state = 'unreadable', same_as = NULL, failure = ? WHERE id = ?`);
    // What it is was not looked at while another stood for it.
    this.#ready = db.command(
      `UPDATE upload_file SET state = 'ready', same_as = NULL, looked = iif(archive_state IS NULL, 0, looked),
        is_ticked = min(is_ticked, ?2)
      WHERE id = ?1 AND state <> 'ready'`,
    );
    this.#same = db.command(`UPDATE upload_file SET state = 'same', same_as = ? WHERE id = ?`);
    this.#follow = db.command(
      `UPDATE upload_file SET state = 'same', same_as = ?4 WHERE workspace_id = ?1 AND md5 = ?2 AND sha256 = ?3
        AND ${inDraft} AND ${hasBytes}
      AND id <> ?4 AND ifnull(same_as, 0) <> ?4`,
    );
  }

  /** A file with these bytes is in the draft now. It must not be `ready` or `same` yet. */
  came(id: number, bytes: Bytes): void {
    const { workspaceId, md5, sha256 } = bytes;
    const other = this.#other.get(workspaceId, md5, sha256);
    if (other) {
      this.#refuse.run(JSON.stringify({ kind: 'two-samples-one-md5', md5, sha256s: [other.sha256, sha256] }), id);
      return;
    }
    const stood = this.#stood.get(workspaceId, md5, sha256, id);
    if (stood?.isBefore) {
      this.#same.run(stood.id, id);
      this.#tlps.met(id, stood.id);
      return;
    }
    this.#ready.run(id, 1);
    if (stood === null) return;
    this.#follow.run(workspaceId, md5, sha256, id);
    this.#tlps.met(id, stood.id);
    this.#tlps.unflagShut([id]);
  }

  /** The file that stood for these bytes left the draft: the next one does. It stays ticked only with `staysTicked`. */
  left({ workspaceId, md5, sha256 }: Bytes, { staysTicked }: { staysTicked: boolean }): void {
    const first = this.#first.get(workspaceId, md5, sha256);
    if (first === null) return;
    this.#ready.run(first.id, Number(staysTicked));
    this.#follow.run(workspaceId, md5, sha256, first.id);
    this.#tlps.unflagShut([first.id]);
  }
}
