import { z } from 'zod';
import {
  type AddedArchive,
  addedArchive,
  type AddedCounts,
  type AddedFile,
  addedFile,
  type AddedState,
  addedState,
  mostAddedFiles,
} from '../../../shared/domain/addition.ts';
import { archiveRemark } from '../../../shared/domain/opened-archive.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import { failureOf, readJson } from '../database/stored-json.ts';

/** A staged file as a job takes it. */
export interface NewAddedFile {
  name: string;
  path: string;
  stagedId: string;
  /** Where its bytes are found again: kept as JSON, and never looked into. */
  place: unknown;
  sizeBytes: number;
}

/** A file that was given and waits. */
export interface WaitingFile {
  rank: string;
  name: string;
  path: string;
  stagedId: string;
  sizeBytes: number;
}

/** A member that was taken, or refused, by an earlier run. */
export interface SettledMember {
  sizeBytes: number;
  failure: Failure | null;
}

const fileRow = z.object({
  rank: z.string(),
  name: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  md5: z.string().nullable(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  mime: z.string().nullable(),
  state: z.string(),
  failure: z.string().nullable(),
  archive: z.string().nullable(),
  remarks: z.string(),
});
const waitingRow = z.object({
  rank: z.string(),
  name: z.string(),
  path: z.string(),
  stagedId: z.string(),
  sizeBytes: z.number(),
});
const stagedRow = z.object({ stagedId: z.string(), place: z.string().nullable() });
const idRow = z.object({ stagedId: z.string() });
const countRow = z.object({ state: z.string(), files: z.number(), closed: z.number() });
const givenRow = z.object({ files: z.number() });
const settledRow = z.object({ rank: z.string(), sizeBytes: z.number(), failure: z.string().nullable() });
const bytesRow = z.object({ bytes: z.number() });

/** Six digits and a point for each level, so that text is in the order of numbers. */
export const rankBelow = (parent: string, number: number): string => `${parent}${String(number).padStart(6, '0')}.`;
const isGiven = 'length(rank) = 7';
const isToSee = "(state IN ('failed', 'empty') OR (archive IS NOT NULL AND state IN ('stored', 'already-here')))";

/** Files of jobs that add to the vault, and what became of them. */
export class AdditionStore {
  readonly #db: Database;
  readonly #given;
  readonly #insert;
  readonly #waiting;
  readonly #waitingBytes;
  readonly #settled;
  readonly #put;
  readonly #pages;
  readonly #totals;
  readonly #counts;
  readonly #staged;
  readonly #stagedOf;
  readonly #forget;
  readonly #orphans;

  constructor(db: Database) {
    this.#db = db;
    this.#given = db.query(givenRow, `SELECT count(*) AS files FROM added_file WHERE job_id = ? AND ${isGiven}`);
    this.#insert = db.command(
      `INSERT INTO added_file (job_id, rank, name, path, staged_id, place, size_bytes, state, remarks)
        VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', '[]')`,
    );
    this.#waiting = db.query(
      waitingRow,
      `SELECT rank, name, path, staged_id AS stagedId, size_bytes AS sizeBytes FROM added_file
      WHERE job_id = ? AND state = 'waiting' AND staged_id IS NOT NULL ORDER BY rank LIMIT ?`,
    );
    this.#waitingBytes = db.query(
      bytesRow,
      "SELECT ifnull(sum(size_bytes), 0) AS bytes FROM added_file WHERE job_id = ? AND state = 'waiting'",
    );
    this.#settled = db.query(
      settledRow,
      `SELECT rank, size_bytes AS sizeBytes, failure FROM added_file WHERE job_id = ?1 AND rank > ?2 AND rank < ?3
        AND length(rank) = length(?2) + 7`,
    );
    this.#put = db.command(
      `INSERT INTO added_file (job_id, rank, name, path, size_bytes, md5, sha1, sha256, mime, state, failure, archive,
        remarks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET size_bytes = excluded.size_bytes, md5 = excluded.md5, sha1 = excluded.sha1,
        sha256 = excluded.sha256, mime = excluded.mime, state = excluded.state,
        failure = excluded.failure, archive = excluded.archive, remarks = excluded.remarks, staged_id = NULL,
          place = NULL`,
    );
    const page = (which: string) =>
      db.query(
        fileRow,
        `SELECT rank, name, path, size_bytes AS sizeBytes, md5, sha1, sha256, mime, state, failure, archive, remarks
      FROM added_file WHERE job_id = ? AND ${which} ORDER BY rank LIMIT ? OFFSET ?`,
      );
    const total = (which: string) =>
      db.query(
        z.object({ total: z.number() }),
        `SELECT count(*) AS total FROM added_file WHERE job_id = ? AND ${which}`,
      );
    this.#pages = { all: page('true'), toSee: page(isToSee) };
    this.#totals = { all: total('true'), toSee: total(isToSee) };
    this.#counts = db.query(
      countRow,
      `SELECT state, count(*) AS files, sum(archive IS NOT NULL AND state <> 'opened') AS closed FROM added_file
        WHERE job_id = ? GROUP BY state`,
    );
    this.#staged = db.query(
      stagedRow,
      'SELECT staged_id AS stagedId, place FROM added_file INDEXED BY added_file_staged WHERE staged_id IS NOT NULL',
    );
    this.#stagedOf = db.query(
      idRow,
      'SELECT staged_id AS stagedId FROM added_file WHERE job_id = ? AND staged_id IS NOT NULL',
    );
    this.#forget = db.command('DELETE FROM added_file WHERE job_id = ?');
    this.#orphans = db.command(
      "DELETE FROM added_file WHERE job_id NOT IN (SELECT id FROM job WHERE hidden = 0 AND state <> 'draft')",
    );
  }

  /** @returns how many it has now. @throws FailureError `job-too-large` */
  add(jobId: number, files: readonly NewAddedFile[]): number {
    return this.#db.transaction(() => {
      const before = this.given(jobId);
      const total = before + files.length;
      if (total > mostAddedFiles) fail({ kind: 'job-too-large', limit: mostAddedFiles });
      for (const [index, { name, path, stagedId, place, sizeBytes }] of files.entries()) {
        this.#insert.run(
          jobId,
          rankBelow('', before + index + 1),
          name.toWellFormed(),
          path.toWellFormed(),
          stagedId,
          JSON.stringify(place),
          sizeBytes,
        );
      }
      return total;
    }, 'soon');
  }

  /** Files that were given, without what was found in them. */
  given(jobId: number): number {
    return this.#given.get(jobId)?.files ?? 0;
  }

  /** The first of those that wait. */
  waiting(jobId: number, limit: number): WaitingFile[] {
    return this.#waiting.all(jobId, limit);
  }

  /** Of all that wait together. */
  waitingBytes(jobId: number): number {
    return this.#waitingBytes.get(jobId)?.bytes ?? 0;
  }

  /** Members of an archive that have their outcome, by rank: an earlier run took them. */
  membersOf(jobId: number, rank: string): Map<string, SettledMember> {
    return new Map(
      this.#settled
        .all(jobId, rank, `${rank}~`)
        .map((one) => [one.rank, { sizeBytes: one.sizeBytes, failure: failureOf(one.failure) }]),
    );
  }

  /** What became of files; members that were not known until now come with it. The caller gives the transaction. */
  settle(jobId: number, files: readonly AddedFile[]): void {
    for (const { rank, name, path, sizeBytes, md5, sha1, sha256, mime, state, failure, archive, remarks } of files) {
      this.#put.run(
        jobId,
        rank,
        name.toWellFormed(),
        path.toWellFormed(),
        sizeBytes,
        md5,
        sha1,
        sha256,
        mime,
        state,
        failure && JSON.stringify(failure),
        archive && JSON.stringify(archive),
        JSON.stringify(remarks),
      );
    }
  }

  page(
    jobId: number,
    { toSee, offset, limit }: { toSee: boolean; offset: number; limit: number },
  ): { files: AddedFile[]; total: number } {
    const which = toSee ? 'toSee' : 'all';
    return {
      files: this.#pages[which].all(jobId, limit, offset).map(addedFileOf),
      total: this.#totals[which].get(jobId)?.total ?? 0,
    };
  }

  counts(jobId: number): AddedCounts {
    const rows = this.#counts.all(jobId);
    const filesIn = (state: AddedState): number => rows.find((row) => row.state === state)?.files ?? 0;
    return {
      states: {
        failed: filesIn('failed'),
        empty: filesIn('empty'),
        waiting: filesIn('waiting'),
        stored: filesIn('stored'),
        'already-here': filesIn('already-here'),
        opened: filesIn('opened'),
      },
      closed: rows.reduce((sum, { closed }) => sum + closed, 0),
    };
  }

  everyStaged(): { stagedId: string; place: unknown }[] {
    return this.#staged
      .all()
      .map(({ stagedId, place }) => ({ stagedId, place: place === null ? null : readJson(place) }));
  }

  /** @returns what was staged for it */
  forget(jobId: number): string[] {
    return this.#db.transaction(() => {
      const staged = this.#stagedOf.all(jobId).map(({ stagedId }) => stagedId);
      this.#forget.run(jobId);
      return staged;
    }, 'soon');
  }

  /** Files of jobs that are gone, and of those that were never begun. */
  dropOrphans(): void {
    this.#orphans.run();
  }
}

const remarkList = z.array(archiveRemark);

/** A damaged row is shown as a file that cannot be read, and keeps no other from the list. */
function addedFileOf({ failure, archive, remarks, ...row }: z.infer<typeof fileRow>): AddedFile {
  const state = addedState.safeParse(row.state).data ?? 'failed';
  const read = addedFile.safeParse({
    ...row,
    state,
    failure: failureOf(failure),
    archive: archiveOf(archive),
    remarks: remarkList.safeParse(readJson(remarks)).data ?? [],
  });
  return read.data ?? damagedFile(row);
}

const archiveOf = (text: string | null): AddedArchive | null =>
  text === null ? null : (addedArchive.safeParse(readJson(text)).data ?? null);

const damagedFile = ({
  rank,
  name,
  path,
  sizeBytes,
}: Pick<AddedFile, 'rank' | 'name' | 'path' | 'sizeBytes'>): AddedFile => ({
  rank,
  name,
  path,
  sizeBytes: Math.max(0, sizeBytes),
  md5: null,
  sha1: null,
  sha256: null,
  mime: null,
  state: 'failed',
  failure: { kind: 'file-unreadable', name, code: 'ROW_DAMAGED' },
  archive: null,
  remarks: [],
});
