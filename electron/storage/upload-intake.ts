import { z } from 'zod';
import type { Hashes } from '../../shared/domain/hash.ts';
import { mostDraftFiles } from '../../shared/domain/upload.ts';
import { fail } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import { draftInOrder, inDraft } from './upload-conditions.ts';
import type { NewUploadFile } from './upload-rows.ts';
import type { Bytes, UploadSames } from './upload-sames.ts';
import type { UploadTlps } from './upload-tlps.ts';

export interface HashedUpload {
  id: number;
  hashes: Hashes;
  sizeBytes: number;
}

const totalRow = z.object({ total: z.number() });
const archiveRow = z.object({
  isTicked: z.number(),
  tags: z.string(),
  tlp: z.string().nullable(),
  cameByItself: z.number(),
});
type Archive = z.infer<typeof archiveRow>;
const workspaceRow = z.object({ workspaceId: z.string() });
const bytesRow = z.object({ workspaceId: z.string(), md5: z.string(), sha256: z.string() });
const noArchive = (isTicked: boolean): Archive => ({
  isTicked: Number(isTicked),
  tags: '[]',
  tlp: null,
  cameByItself: 0,
});

/** How files come into a draft, and get their hashes. The caller gives the transaction. */
export class UploadIntake {
  readonly #sames: UploadSames;
  readonly #tlps: UploadTlps;
  readonly #total;
  readonly #archive;
  readonly #insert;
  readonly #workspace;
  readonly #hashed;
  readonly #empty;
  readonly #again;

  constructor(db: Database, sames: UploadSames, tlps: UploadTlps) {
    this.#sames = sames;
    this.#tlps = tlps;
    this.#total = db.query(totalRow, `SELECT count(*) AS total ${draftInOrder}`);
    this.#archive = db.query(
      archiveRow,
      `SELECT is_ticked AS isTicked, tags, tlp, came_by_itself AS cameByItself FROM upload_file WHERE id = ?
        AND workspace_id = ? AND ${inDraft}`,
    );
    this.#insert = db.command(
      `INSERT INTO upload_file (workspace_id, parent_id, name, path, staged_id, place, size_bytes, state, failure,
        is_ticked, tags, tlp, came_by_itself,
      remarks, member, opens, name_encoding) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#workspace = db.query(
      workspaceRow,
      `SELECT workspace_id AS workspaceId FROM upload_file WHERE id = ? AND ${inDraft} AND state = 'hashing'`,
    );
    this.#hashed = db.command('UPDATE upload_file SET md5 = ?, sha1 = ?, sha256 = ?, size_bytes = ? WHERE id = ?');
    this.#empty = db.command("UPDATE upload_file SET state = 'empty' WHERE id = ?");
    this.#again = db.query(
      bytesRow,
      `UPDATE upload_file SET state = 'hashing', failure = NULL WHERE id = ? AND ${inDraft} AND state = 'unreadable'
        AND md5 IS NOT NULL AND sha256 IS NOT NULL
      RETURNING workspace_id AS workspaceId, md5, sha256`,
    );
  }

  /**
   * @returns their ids, in the order of the files. Fails with `draft-too-large`, or `upload-file-missing` of the
   * archive
   */
  add(workspaceId: string, files: readonly NewUploadFile[]): number[] {
    const before = this.#total.get(workspaceId)?.total ?? 0;
    if (before + files.length > mostDraftFiles) fail({ kind: 'draft-too-large', limit: mostDraftFiles });
    const archives = new Map<number, Archive>();
    return files.map((file) => {
      const { parentId, isTicked = true } = file;
      const archive =
        parentId === null ? noArchive(true) : (archives.get(parentId) ?? this.#archiveOf(parentId, workspaceId));
      if (parentId !== null) archives.set(parentId, archive);
      return this.#add(workspaceId, file, isTicked ? archive : { ...archive, isTicked: 0 });
    });
  }

  /** Files that were removed meanwhile, or have their hashes already, are passed over. */
  hashed({ id, hashes, sizeBytes }: HashedUpload): void {
    const row = this.#workspace.get(id);
    if (row === null) return;
    const { md5, sha1, sha256 } = hashes;
    this.#hashed.run(md5, sha1, sha256, sizeBytes, id);
    if (sizeBytes === 0) this.#empty.run(id);
    else this.#came(id, { workspaceId: row.workspaceId, md5, sha256 });
  }

  /** One of known bytes could not be read, and can be now. */
  foundAgain(id: number): void {
    const bytes = this.#again.get(id);
    if (bytes !== null) this.#came(id, bytes);
  }

  #came(id: number, bytes: Bytes): void {
    this.#sames.came(id, bytes);
    this.#tlps.raiseToKnown([id]);
  }

  #archiveOf(id: number, workspaceId: string): Archive {
    return this.#archive.get(id, workspaceId) ?? fail({ kind: 'upload-file-missing', id });
  }

  #add(workspaceId: string, file: NewUploadFile, archive: Archive): number {
    const {
      parentId,
      name,
      path,
      stagedId,
      place,
      sizeBytes,
      hashes,
      failure = null,
      cameByItself = archive.cameByItself === 1,
    } = file;
    const { remarks = [], member = null, archives = 'once', nameEncoding = null } = file;
    const { rowId } = this.#insert.run(
      workspaceId,
      parentId,
      name.toWellFormed(),
      path.toWellFormed(),
      stagedId,
      JSON.stringify(place ?? null),
      sizeBytes,
      failure === null ? 'hashing' : 'unreadable',
      failure && JSON.stringify(failure),
      archive.isTicked,
      file.tags ? JSON.stringify(file.tags) : archive.tags,
      file.tlp === undefined ? archive.tlp : file.tlp,
      Number(cameByItself),
      JSON.stringify(remarks),
      member,
      archives,
      nameEncoding,
    );
    if (hashes && failure === null) this.hashed({ id: rowId, hashes, sizeBytes });
    return rowId;
  }
}
