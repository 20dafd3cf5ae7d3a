import { z } from 'zod';
import type { JobItem } from '../../shared/domain/job.ts';
import { fail } from '../../shared/failure.ts';
import type { ItemMove, ItemOutcome, JobChange, JobStore, NewItem, StoredJob, Tally } from '../jobs/job-store.ts';
import type { Database } from './database.ts';
import { JobItems } from './job-items.ts';
import { emptyThroughput, jobColumns, jobRow, storedJobOf } from './job-rows.ts';
import { LibraryChangeStore } from './library-change-store.ts';
import { ScanRemoval } from './scan-removal.ts';

const mostItems = 500_000;
const shown = `SELECT ${jobColumns} FROM job WHERE hidden = 0`;
const unfinished = "('waiting', 'running', 'paused')";
const mostShown = 500;
const idRow = z.object({ id: z.number() });

/**
 * Jobs and their items. Every statement finds its rows by an index, so that it takes as long for many items as for few.
 */
export class SqliteJobStore implements JobStore {
  readonly #db: Database;
  readonly #items: JobItems;
  readonly #scanned: ScanRemoval;
  readonly #changes: LibraryChangeStore;
  readonly #insert;
  readonly #get;
  readonly #list;
  readonly #unfinished;
  readonly #halfCancelled;
  readonly #drafts;
  readonly #change;
  readonly #hide;
  readonly #hidden;
  readonly #remove;

  constructor(db: Database) {
    this.#db = db;
    this.#items = new JobItems(db);
    this.#scanned = new ScanRemoval(db);
    this.#changes = new LibraryChangeStore(db);
    this.#insert = db.command(
      `INSERT INTO job (task, workspace_id, state, created, throughput, notices) VALUES (?, ?, 'draft', ?, ?, '[]')`,
    );
    this.#get = db.query(jobRow, `${shown} AND id = ?`);
    this.#list = db.query(
      jobRow,
      `${shown} AND (state IN ${unfinished} OR id IN (SELECT id FROM job WHERE hidden = 0 AND state <> 'draft'
        ORDER BY id DESC LIMIT ${mostShown})) ORDER BY id DESC`,
    );
    this.#unfinished = db.query(jobRow, `${shown} AND state IN ${unfinished} ORDER BY id`);
    this.#halfCancelled = db.query(
      idRow,
      `SELECT job.id FROM job JOIN job_count ON job_count.job_id = job.id AND job_count.state = 'waiting'
      WHERE job.hidden = 0 AND job.state = 'cancelled' AND job_count.items > 0 ORDER BY job.id`,
    );
    this.#drafts = db.query(idRow, `SELECT id FROM job WHERE hidden = 0 AND state = 'draft' ORDER BY id`);
    this.#change = db.command(
      `UPDATE job SET task = ?, state = ?, started = ?, ended = ?, bytes = ?, expected_bytes = ?, throughput = ?,
        failure = ?,
      notices = ?, notice_count = ? WHERE id = ? AND hidden = 0`,
    );
    this.#hide = db.command('UPDATE job SET hidden = 1 WHERE id = ?');
    this.#hidden = db.query(idRow, 'SELECT id FROM job WHERE hidden = 1 LIMIT 1');
    this.#remove = db.command('DELETE FROM job WHERE id = ?');
  }

  create({ task, workspaceId, created }: Parameters<JobStore['create']>[0]): number {
    return this.#insert.run(JSON.stringify(task), workspaceId, created, JSON.stringify(emptyThroughput)).rowId;
  }

  add(id: number, items: readonly NewItem[]): number {
    return this.#db.transaction(() => {
      const count = this.#items.add(id, items);
      return count > mostItems ? fail({ kind: 'job-too-large', limit: mostItems }) : count;
    }, 'soon');
  }

  count(id: number, items: number): void {
    this.#items.count(id, items);
  }

  recount(id: number, items: number): void {
    this.#db.transaction(() => this.#items.recount(id, items), 'soon');
  }

  get(id: number): StoredJob | null {
    const row = this.#get.get(id);
    return row && storedJobOf(row);
  }

  list(): StoredJob[] {
    return this.#list
      .all()
      .map(storedJobOf)
      .filter((job) => job !== null);
  }

  unfinished(): StoredJob[] {
    return this.#unfinished
      .all()
      .map(storedJobOf)
      .filter((job) => job !== null);
  }

  halfCancelled(): number[] {
    return this.#halfCancelled.all().map(({ id }) => id);
  }

  drafts(): number[] {
    return this.#drafts.all().map(({ id }) => id);
  }

  change(id: number, change: JobChange): void {
    this.#db.transaction(
      () => {
        const job = this.get(id);
        if (job) this.#write({ ...job, ...change });
      },
      isProgress(change) ? 'soon' : 'at-once',
    );
  }

  take(id: number, after: number, count: number): JobItem[] {
    return this.#items.take(id, after, count);
  }

  settle(id: number, outcomes: readonly ItemOutcome[]): void {
    this.#db.transaction(() => this.#items.settle(id, outcomes), 'soon');
  }

  tally(id: number, outcomes: Tally): void {
    this.#db.transaction(() => this.#items.tally(id, outcomes), 'soon');
  }

  move(id: number, move: ItemMove): number {
    return this.#db.transaction(() => this.#items.move(id, move), 'soon');
  }

  hide(id: number): void {
    this.#hide.run(id);
  }

  removeHidden(limit: number): boolean {
    return this.#db.transaction(() => {
      const job = this.#hidden.get();
      if (job && this.#removeSome(job.id, limit) < limit) this.#remove.run(job.id);
      return job !== null;
    });
  }

  #removeSome(id: number, limit: number): number {
    let removed = 0;
    for (const rows of [this.#items, this.#scanned, this.#changes])
      if (removed < limit) removed += rows.remove(id, limit - removed);
    return removed;
  }

  #write(job: StoredJob): void {
    const failure = job.failure && JSON.stringify(job.failure);
    this.#change.run(
      JSON.stringify(job.task),
      job.state,
      job.started,
      job.ended,
      job.bytes,
      job.expectedBytes,
      JSON.stringify(job.throughput),
      failure,
      JSON.stringify(job.notices),
      job.noticeCount,
      job.id,
    );
  }
}

/** What a job that runs tells of itself from time to time, and tells again: the disk is not waited for. */
const isProgress = ({ task, state, started, ended, failure }: JobChange): boolean =>
  [task, state, started, ended, failure].every((one) => one === undefined);
