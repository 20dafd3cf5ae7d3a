import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { forbidsThirdParties, tlpLevel } from '../../../shared/domain/tag.ts';
import type { UploadOrder } from '../../../shared/domain/upload.ts';
import type { NewItem } from '../../jobs/job-store.ts';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/statement.ts';
import type { UploadNote } from '../library/library-notes.ts';
import type { UploadSames, UploadTlps } from './upload-relations.ts';
import {
  damagedRow,
  draftInOrder,
  draftOrder,
  hasBytes,
  hasTrait,
  inDraft,
  isClosed,
  stagedIdsOf,
  type StoredUploadFile,
  storedUploadFileOf,
  uploadColumns,
  uploadRow,
  sendingMarks,
} from './upload-rows.ts';

const idRow = z.object({ id: z.number() });
const lastRow = z.object({ last: z.number().nullable() });
const stagedRow = z.object({ stagedId: z.string().nullable() });
const memberRow = z.object({ parentId: z.number(), tlp: z.string() });
const bytesRow = z.object({ bytes: z.number() });
const commentRow = z.object({ comment: z.string() });
const namedRow = z.object({ files: z.number(), busy: z.number() });

const isStale = `NOT EXISTS (SELECT 1 FROM job WHERE job.id = upload_job.job_id AND job.hidden = 0
  AND job.state <> 'draft')`;

/** Files on their way from a draft to an upload, and out of it. The caller gives the transaction. */
export class UploadSending {
  readonly #sames: UploadSames;
  readonly #tlps: UploadTlps;

  readonly #sql: ReturnType<typeof takingStatements> & ReturnType<typeof sendingStatements>;

  constructor(db: Database, sames: UploadSames, tlps: UploadTlps) {
    this.#sames = sames;
    this.#tlps = tlps;
    this.#sql = { ...takingStatements(db), ...sendingStatements(db) };
  }

  /** The newest file there is: what comes after it was not reviewed by who sends now. */
  last(): number {
    return this.#sql.last.get()?.last ?? 0;
  }

  /**
   * Moves the next files up to `last`, in the order of the draft. @returns them as items, and whether there may be more
   */
  moveSome(workspaceId: string, jobId: number, last: number, limit: number): { items: NewItem[]; mayBeMore: boolean } {
    this.#sql.keepComment.run(jobId, workspaceId, null);
    const files = this.#sql.next.all(workspaceId, last, limit).map(storedUploadFileOf);
    this.#tlps.guard(files.map(({ id }) => id));
    const items = files.flatMap((file) => this.#moved(file, jobId));
    const mayBeMore = files.length === limit;
    if (!mayBeMore) {
      this.#allMoved(jobId);
      this.#sql.clearComment.run(workspaceId, jobId, last);
    }
    return { items, mayBeMore };
  }

  /** How many of these files can be sent by themselves, and of how many that is not known yet. */
  named(workspaceId: string, ids: readonly number[]): { files: number; busy: number } {
    return this.#sql.named.get(workspaceId, JSON.stringify(ids)) ?? { files: 0, busy: 0 };
  }

  /**
   * Moves the named files; of those with the same bytes the first, even if another file of the draft represents them.
   * In steps.
   */
  *moveNamed(
    workspaceId: string,
    jobId: number,
    { ids, comment }: UploadOrder,
    each: number,
  ): Generator<NewItem[], void, undefined> {
    this.#sql.keepComment.run(jobId, workspaceId, comment);
    for (let from = 0; from < ids.length; from += each) {
      const files = firstOfEach(
        this.#sql.nextNamed
          .all(workspaceId, JSON.stringify(ids.slice(from, from + each)), jobId)
          .map(storedUploadFileOf),
      );
      this.#tlps.guard(files.map(({ id }) => id));
      yield files.flatMap((file) => this.#moved(file, jobId));
    }
    this.#allMoved(jobId);
  }

  /** Only now may archives take what their members left with: others of these members went with flags of their own. */
  #allMoved(jobId: number): void {
    this.#tlps.lostBy(this.#sql.closedMembers.all(jobId));
  }

  /**
   * Archives of the draft whose members have all left it, the last of them with this job. One that is ticked is meant
   * for itself.
   */
  emptiedBy(jobId: number): number[] {
    return this.#sql.emptied.all(jobId).map(({ id }) => id);
  }

  commentOf(jobId: number): string {
    return this.#sql.comment.get(jobId)?.comment ?? '';
  }

  ofJob(jobId: number, sha256s: readonly string[]): StoredUploadFile[] {
    return this.#sql.ofJob.all(jobId, JSON.stringify(sha256s)).map(storedUploadFileOf);
  }

  copiesOf(id: number): string[] {
    return stagedIdsOf(this.#sql.copies.all(id));
  }

  mark(ids: readonly number[], mark: keyof typeof sendingMarks): void {
    this.#sql.mark.run(sendingMarks[mark], JSON.stringify(ids));
  }

  /** Their copies in the draft were asked about before these were stored, if at all. @returns how many there are */
  nowThere(ids: readonly number[]): number {
    return this.#sql.nowThere.run(JSON.stringify(ids)).changes;
  }

  /** All names of these bytes, those of copies in the draft among them, are names of the sample from now on. */
  keepNames(ids: readonly number[]): void {
    this.#sql.keepNames.run(JSON.stringify(ids), currentInstant());
  }

  /** @returns staged ids to discard */
  settled(ids: readonly number[]): string[] {
    return stagedIdsOf(this.#sql.settled.all(JSON.stringify(ids)));
  }

  /** @returns staged ids to discard */
  forget(jobId: number): string[] {
    this.#sql.forgetJob.run(jobId);
    return stagedIdsOf(this.#sql.forget.all(jobId));
  }

  bytesOf(jobId: number): number {
    return this.#sql.bytes.get(jobId)?.bytes ?? 0;
  }

  /** Files of jobs that never began return to their draft. */
  returnOrphans(now: string): void {
    const jobs = this.#sql.stale.all();
    for (const { id } of jobs) {
      this.#sql.giveBackComment.run(id, now);
      // Most at once; those that are in the draft again meanwhile, one by one.
      this.#sql.giveBackAll.run(id);
      for (const row of this.#sql.giveBack.all(id)) this.#returned(storedUploadFileOf(row));
      this.#sql.forgetJob.run(id);
    }
    if (jobs.length > 0) this.#sql.lostMembers.run();
  }

  /** A row that cannot be read stays, as what it is shown as: it would leave without its TLP. */
  #moved({ id, workspaceId, name, md5, sha256, sizeBytes, archive }: StoredUploadFile, jobId: number): NewItem[] {
    if (md5 === null || sha256 === null) {
      this.#sql.damaged.run(JSON.stringify(damagedRow(name)), id);
      return [];
    }
    this.#sql.move.run(jobId, id);
    // A copy of what is sent is not sent after it by itself.
    this.#sames.left({ workspaceId, md5, sha256 }, { wasTicked: false });
    if (archive) {
      this.#tlps.leftBy(id);
      this.#sql.freeMembers.run(id);
    }
    return [{ hash: sha256, md5, sha256, sizeBytes, name }];
  }

  #returned({ id, workspaceId, name, md5, sha256 }: StoredUploadFile): void {
    if (md5 === null || sha256 === null) this.#sql.damaged.run(JSON.stringify(damagedRow(name)), id);
    else this.#sames.came(id, { workspaceId, md5, sha256 });
  }
}

/** Of files with the same bytes. One that cannot be read has no hashes, and is each by itself. */
function firstOfEach(files: readonly StoredUploadFile[]): StoredUploadFile[] {
  const inOrder = files.toSorted((a, b) => a.id - b.id);
  return inOrder.filter(
    ({ sha256 }, at) => sha256 === null || inOrder.findIndex((other) => other.sha256 === sha256) === at,
  );
}

/** What moves files of the draft into a job. */
function takingStatements(db: Database) {
  const named = `FROM upload_file WHERE id IN (SELECT value FROM json_each(?2)) AND workspace_id = ?1 AND ${inDraft}`;
  return {
    last: db.query(lastRow, 'SELECT max(id) AS last FROM upload_file'),
    next: db.query(
      uploadRow,
      `SELECT ${uploadColumns} ${draftInOrder} AND ${hasTrait('sendable')} AND NOT ${hasTrait('busy')}
        AND id <= ?2 ${draftOrder} LIMIT ?3`,
    ),
    // `busy` as a trait is of ticked files alone.
    named: db.query(
      namedRow,
      `SELECT count(*) FILTER (WHERE ${hasBytes}) AS files, count(*) FILTER (WHERE state = 'hashing' OR ${hasBytes}
      AND (ifnull(archive_state = 'opening', 0) OR looked = 0 AND parent_id IS NULL)) AS busy ${named}`,
    ),
    nextNamed: db.query(
      uploadRow,
      `SELECT ${uploadColumns} ${named} AND ${hasBytes}
      AND NOT EXISTS (SELECT 1 FROM upload_file AS sent WHERE sent.job_id = ?3 AND sent.sha256 = upload_file.sha256)`,
    ),
    move: db.command('UPDATE upload_file SET job_id = ? WHERE id = ?'),
    damaged: db.command("UPDATE upload_file SET state = 'unreadable', failure = ? WHERE id = ?"),
    freeMembers: db.command(`UPDATE upload_file SET parent_id = NULL WHERE parent_id = ? AND ${inDraft}`),
    keepComment: db.command(
      `INSERT OR IGNORE INTO upload_job (job_id, comment)
        VALUES (?1, coalesce(?3, (SELECT comment FROM upload_draft WHERE workspace_id = ?2), ''))`,
    ),
    clearComment: db.command(
      `UPDATE upload_draft SET comment = '' WHERE workspace_id = ?1
        AND comment = (SELECT comment FROM upload_job WHERE job_id = ?2)
      AND NOT EXISTS (SELECT 1 ${draftInOrder} AND id <= ?3)`,
    ),
    closedMembers: db.query(
      memberRow,
      `SELECT parent_id AS parentId, tlp FROM upload_file WHERE job_id = ? AND parent_id NOT NULL AND ${isClosed('tlp')}
        GROUP BY parent_id, tlp`,
    ),
    emptied: db.query(
      idRow,
      `SELECT archive.id FROM upload_file AS archive WHERE archive.id IN (SELECT parent_id FROM upload_file
        WHERE job_id = ? AND parent_id IS NOT NULL)
      AND archive.${inDraft} AND archive.is_ticked = 0 AND NOT EXISTS (SELECT 1 FROM upload_file AS member
        WHERE member.parent_id = archive.id AND member.${inDraft})`,
    ),
    comment: db.query(commentRow, 'SELECT comment FROM upload_job WHERE job_id = ?'),
  };
}

/** What a job does with its files, and what comes back from it. */
function sendingStatements(db: Database) {
  const place = "ltrim(archive.path || '/' || archive.name, '/') || '!' || file.path";
  return {
    ofJob: db.query(
      uploadRow,
      `SELECT ${uploadColumns} FROM upload_file WHERE job_id = ? AND sha256 IN (SELECT value FROM json_each(?))`,
    ),
    copies: db.query(
      stagedRow,
      `SELECT copy.staged_id AS stagedId FROM upload_file AS sent
        CROSS JOIN upload_file AS copy INDEXED BY upload_file_by_hash ON copy.workspace_id = sent.workspace_id
      AND copy.md5 = sent.md5 AND copy.sha256 = sent.sha256 AND copy.came_by_itself = 0 AND copy.${inDraft}
        AND copy.${hasBytes} WHERE sent.id = ? ORDER BY copy.id`,
    ),
    mark: db.command('UPDATE upload_file SET may_sent = ? WHERE id IN (SELECT value FROM json_each(?))'),
    nowThere: db.command(
      `UPDATE upload_file SET presence = 'there', presence_failure = NULL
        WHERE id IN (SELECT copy.id FROM json_each(?) AS each
      JOIN upload_file AS sent ON sent.id = each.value AND sent.job_id IS NOT NULL
        CROSS JOIN upload_file AS copy INDEXED BY upload_file_by_hash
      ON copy.workspace_id = sent.workspace_id AND copy.md5 = sent.md5 AND copy.sha256 = sent.sha256
        AND copy.is_held = 0 AND copy.${inDraft} AND copy.${hasBytes})`,
    ),
    keepNames: db.command(
      `INSERT INTO sample_name (sha256, name, path, added) SELECT DISTINCT file.sha256, file.name,
        iif(archive.id IS NULL, file.path, ${place}), ?2
      FROM json_each(?1) AS each JOIN upload_file AS sent ON sent.id = each.value JOIN upload_file AS file
        ON file.sha256 = sent.sha256 AND file.workspace_id = sent.workspace_id
      LEFT JOIN upload_file AS archive ON archive.id = file.parent_id WHERE sent.job_id IS NOT NULL AND file.name <> ''
        ON CONFLICT DO UPDATE SET added = excluded.added`,
    ),
    settled: db.query(
      stagedRow,
      `DELETE FROM upload_file WHERE id IN (SELECT value FROM json_each(?)) AND job_id IS NOT NULL
        RETURNING staged_id AS stagedId`,
    ),
    bytes: db.query(bytesRow, 'SELECT ifnull(sum(size_bytes), 0) AS bytes FROM upload_file WHERE job_id = ?'),
    forget: db.query(stagedRow, 'DELETE FROM upload_file WHERE job_id = ? RETURNING staged_id AS stagedId'),
    forgetJob: db.command('DELETE FROM upload_job WHERE job_id = ?'),
    stale: db.query(idRow, `SELECT job_id AS id FROM upload_job WHERE ${isStale}`),
    giveBackComment: db.command(
      `INSERT INTO upload_draft (workspace_id, comment, saved) SELECT DISTINCT workspace_id, upload_job.comment, ?2
        FROM upload_file, upload_job
      WHERE upload_file.job_id = ?1 AND upload_job.job_id = ?1 AND upload_file.is_ticked ON CONFLICT DO UPDATE
        SET comment = excluded.comment, saved = excluded.saved WHERE comment = ''`,
    ),
    giveBackAll: db.command(
      `UPDATE upload_file SET job_id = NULL WHERE job_id = ?1 AND state = 'ready' AND md5 IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM upload_file AS other INDEXED BY upload_file_by_hash
        WHERE other.workspace_id = upload_file.workspace_id AND other.md5 = upload_file.md5 AND other.${inDraft}
          AND other.${hasBytes})`,
    ),
    giveBack: db.query(
      uploadRow,
      `UPDATE upload_file SET job_id = NULL, state = 'hashing', same_as = NULL WHERE job_id = ?
        RETURNING ${uploadColumns}`,
    ),
    lostMembers: db.command(
      `UPDATE upload_file SET parent_id = NULL WHERE parent_id IS NOT NULL AND ${inDraft}
      AND NOT EXISTS (SELECT 1 FROM upload_file AS archive WHERE archive.id = upload_file.parent_id
        AND archive.${inDraft})`,
    ),
  };
}

const doubtRow = z.object({
  workspaceId: z.string(),
  jobId: z.number(),
  md5: z.string(),
  sha256: z.string().nullable(),
  sizeBytes: z.number(),
  virusTotal: z.number(),
  sandbox: z.number(),
  tlp: tlpLevel.nullable().catch(null),
});

/**
 * Uploads that were sent completely without an answer, of a workspace or of a job that is removed: their outcome will
 * not be checked again, and the journal records that.
 */
export function uploadsInDoubt(db: Queries, of: { workspaceId: string } | { jobId: number }): UploadNote[] {
  const [column, id] = 'jobId' in of ? ['job_id', of.jobId] : ['workspace_id', of.workspaceId];
  const rows = db
    .query(
      doubtRow,
      `SELECT workspace_id AS workspaceId, job_id AS jobId, md5, sha256, size_bytes AS sizeBytes,
        virus_total AS virusTotal, sandbox, tlp
    FROM upload_file WHERE ${column} = ? AND may_sent > 0 AND job_id IS NOT NULL AND md5 IS NOT NULL ORDER BY id`,
    )
    .all(id);
  return rows.map(({ workspaceId, jobId, md5, sha256, sizeBytes, virusTotal, sandbox, tlp }) => {
    const mayGo = !forbidsThirdParties(tlp);
    const detail = {
      job: jobId,
      sizeBytes,
      virusTotal: mayGo && virusTotal === 1,
      sandbox: mayGo && sandbox === 1,
      tlp,
      ...(sha256 !== null && { sha256 }),
    };
    return { workspaceId, md5, hashes: null, sizeBytes, outcome: 'may-have-arrived', detail };
  });
}

/**
 * Forgets a workspace's draft, what came into it by itself, and what its uploads had not settled. Runs inside the
 * caller's transaction.
 * @returns staged ids to discard
 */
export function forgetUploadsOf(db: Database, workspaceId: string): string[] {
  db.command('DELETE FROM upload_job WHERE job_id IN (SELECT id FROM job WHERE workspace_id = ?)').run(workspaceId);
  db.command('DELETE FROM upload_draft WHERE workspace_id = ?').run(workspaceId);
  db.command('DELETE FROM watched_content WHERE workspace_id = ?').run(workspaceId);
  const rows = db
    .query(stagedRow, 'DELETE FROM upload_file WHERE workspace_id = ? RETURNING staged_id AS stagedId')
    .all(workspaceId);
  return stagedIdsOf(rows);
}
