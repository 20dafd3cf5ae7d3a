import { z } from 'zod';
import type { Hashes } from '../../../shared/domain/hash.ts';
import { type NameEncoding, zipMime } from '../../../shared/domain/opened-archive.ts';
import { mostDraftFiles, type Presence } from '../../../shared/domain/upload.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import type { Bytes, UploadSames, UploadTlps } from './upload-relations.ts';
import {
  draftInOrder,
  hasBytes,
  inDraft,
  type NewUploadFile,
  type OpenedArchive,
  type StoredUploadFile,
  storedUploadFileOf,
  uploadColumns,
  uploadRow,
} from './upload-rows.ts';

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
    this.#empty = db.command("UPDATE upload_file SET state = 'empty', is_ticked = 0 WHERE id = ?");
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

const idRow = z.object({ id: z.string() });
const fileIdRow = z.object({ id: z.number() });

/** In bytes. All sizes, where both are left out. */
export interface SizeRange {
  above?: number;
  upTo?: number;
}

/** What is to be learnt of the files of all drafts, and what was learnt. Rows are found by an index for each queue. */
export class UploadQueues {
  readonly #queues;
  readonly #toAsk;
  readonly #isToAsk;
  readonly #workspaces;
  readonly #look;
  readonly #archive;
  readonly #rename;
  readonly #encoding;
  readonly #untick;
  readonly #answer;
  readonly #askAgain;

  constructor(db: Database) {
    const queue = (index: string, condition: string) =>
      db.query(
        uploadRow,
        `SELECT ${uploadColumns} FROM upload_file INDEXED BY ${index} WHERE ${inDraft} AND ${condition} ORDER BY id
          LIMIT ?`,
      );
    this.#queues = {
      hash: queue('upload_file_to_hash', "state = 'hashing' AND size_bytes > ? AND size_bytes <= ?"),
      look: queue('upload_file_to_look', `looked = 0 AND ${hasBytes}`),
      open: queue('upload_file_to_open', `archive_state = 'opening' AND ${hasBytes}`),
    };
    const isToAsk = `${inDraft} AND state = 'ready' AND presence = 'unasked' AND is_held = 0`;
    this.#toAsk = db.query(
      uploadRow,
      `SELECT ${uploadColumns} FROM upload_file INDEXED BY upload_file_to_ask WHERE workspace_id = ? AND ${isToAsk}
        ORDER BY id LIMIT ?`,
    );
    this.#isToAsk = db.query(fileIdRow, `SELECT id FROM upload_file WHERE id = ? AND ${isToAsk}`);
    // From one workspace to the next: their files, which may be a hundred thousand, are stepped over.
    const next = `SELECT min(workspace_id) FROM upload_file INDEXED BY upload_file_to_ask WHERE ${isToAsk}`;
    this.#workspaces = db.query(
      idRow,
      `WITH RECURSIVE asked (id) AS (${next} UNION ALL SELECT (${next} AND workspace_id > asked.id) FROM asked
        WHERE asked.id IS NOT NULL)
      SELECT id FROM asked WHERE id IS NOT NULL`,
    );
    this.#look = db.command(
      `UPDATE upload_file SET mime = ?, strip = ?, looked = 1,
      archive_state = CASE WHEN ? AND parent_id IS NULL AND ${inDraft} AND archive_state IS NULL
        AND (opens = 'once' AND state = 'ready' OR opens = 'each' AND ${hasBytes}) THEN 'opening' ELSE archive_state END
          WHERE id = ?`,
    );
    this.#archive = db.command(
      `UPDATE upload_file SET archive_state = ?, archive_members = ?, archive_failure = ?, name_encoding = ?,
        remarks = ? WHERE id = ?`,
    );
    this.#rename = db.command(
      `UPDATE upload_file SET name = ?, path = ? WHERE parent_id = ? AND member = ? AND ${inDraft}`,
    );
    this.#encoding = db.command('UPDATE upload_file SET name_encoding = ? WHERE id = ?');
    this.#untick = db.command(
      `UPDATE upload_file SET is_ticked = 0 WHERE id = ?1 AND archive_state = 'opening' AND mime = '${zipMime}'
      AND EXISTS (SELECT 1 FROM upload_file AS member WHERE member.parent_id = ?1 AND member.state <> 'unreadable')`,
    );
    // An answer may be older than what was stored meanwhile.
    this.#answer = db.command(
      "UPDATE upload_file SET presence = ?, presence_failure = ? WHERE id = ? AND presence = 'unasked'",
    );
    this.#askAgain = db.command(
      `UPDATE upload_file SET presence = 'unasked', presence_failure = NULL
        WHERE id IN (SELECT id FROM upload_file INDEXED BY upload_file_unanswered
      WHERE workspace_id = ? AND ${inDraft} AND presence = 'unanswered' AND is_held = 0 ORDER BY id LIMIT ?)`,
    );
  }

  toHash(limit: number, { above = -1, upTo = Number.MAX_SAFE_INTEGER }: SizeRange): StoredUploadFile[] {
    return this.#queues.hash.all(above, upTo, limit).map(storedUploadFileOf);
  }

  next(queue: 'look' | 'open', limit: number): StoredUploadFile[] {
    return this.#queues[queue].all(limit).map(storedUploadFileOf);
  }

  toAsk(workspaceId: string, limit: number): StoredUploadFile[] {
    return this.#toAsk.all(workspaceId, limit).map(storedUploadFileOf);
  }

  isToAsk(id: number): boolean {
    return this.#isToAsk.get(id) !== null;
  }

  workspacesToAsk(): string[] {
    return this.#workspaces.all().map(({ id }) => id);
  }

  /** A ZIP is opened when it is a separate file, according to its row: a member of an archive is sent as it is. */
  looked({ id, mime, strip, isZip }: { id: number; mime: string | null; strip: string | null; isZip: boolean }): void {
    this.#look.run(mime, strip, Number(isZip), id);
  }

  /**
   * Once its members are listed below it, the archive itself is not sent, unless the person ticks it again; a file that
   * is more than an archive is sent.
   */
  setArchive(id: number, { state, members, failure, nameEncoding, remarks }: OpenedArchive): void {
    if (state === 'open') this.#untick.run(id);
    this.#archive.run(state, members, failure && JSON.stringify(failure), nameEncoding, JSON.stringify(remarks), id);
  }

  rename(archiveId: number, members: readonly { member: number; name: string; path: string }[]): void {
    for (const { member, name, path } of members)
      this.#rename.run(name.toWellFormed(), path.toWellFormed(), archiveId, member);
  }

  setNameEncoding(id: number, encoding: NameEncoding): void {
    this.#encoding.run(encoding, id);
  }

  answered({ id, presence, failure }: { id: number; presence: Presence; failure: Failure | null }): void {
    this.#answer.run(presence, failure && JSON.stringify(failure), id);
  }

  /** @returns how many */
  askAgain(workspaceId: string, limit: number): number {
    return this.#askAgain.run(workspaceId, limit).changes;
  }
}
