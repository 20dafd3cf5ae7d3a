import { z } from 'zod';
import type { ItemState, JobItem } from '../../../shared/domain/job.ts';
import { fail, type Failure, type FailureKind } from '../../../shared/failure.ts';
import type { ItemMove, ItemOutcome, JobChange, JobStore, NewItem, StoredJob, Tally } from '../../jobs/job-store.ts';
import type { Database } from '../database/database.ts';
import { LibraryChangeStore } from '../library/library-change-store.ts';
import {
  emptyThroughput,
  itemColumns,
  itemRow,
  jobColumns,
  jobItemOf,
  jobRow,
  rankOf,
  storedJobOf,
} from './job-rows.ts';

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
      `UPDATE job SET task = ?, state = ?, started = ?, ended = ?, resumes_at = ?, bytes = ?, expected_bytes = ?,
        throughput = ?, failure = ?, notices = ?, notice_count = ? WHERE id = ? AND hidden = 0`,
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

  /** Items that are done with this failure, by position; at most a thousand. */
  itemsWithFailure(id: number, kind: FailureKind): JobItem[] {
    return this.#items.withFailure(id, kind);
  }

  /** What is to be known of an item that has its outcome; null: nothing any more. */
  amend(id: number, position: number, failure: Failure | null): void {
    this.#items.amend(id, position, failure);
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
      job.resumesAt,
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

/** The progress of a running job, which is reported repeatedly: a write does not wait for the disk. */
const isProgress = ({ task, state, started, ended, resumesAt, failure }: JobChange): boolean =>
  [task, state, started, ended, resumesAt, failure].every((one) => one === undefined);

const waiting = rankOf('waiting');
const lastRow = z.object({ position: z.number() });
const countRow = z.object({ items: z.number() });
/** Of what is counted and not listed. */
const countedFrom: readonly ItemState[] = ['waiting', 'cancelled'];
const countedTo: readonly ItemState[] = [...countedFrom, 'failed'];

/** The items of jobs. The caller gives the transaction. */
class JobItems {
  readonly #last;
  readonly #insert;
  readonly #count;
  readonly #uncount;
  readonly #take;
  readonly #settle;
  readonly #settleAlike;
  readonly #withFailure;
  readonly #amend;
  readonly #move;
  readonly #countedOnly;
  readonly #remove;

  constructor(db: Database) {
    this.#last = db.query(lastRow, 'SELECT position FROM job_item WHERE job_id = ? ORDER BY position DESC LIMIT 1');
    this.#insert = db.command(
      `INSERT INTO job_item (job_id, position, hash, md5, sha256, state, rank, size_bytes, name)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (job_id, hash) DO NOTHING`,
    );
    this.#count = db.command(
      'INSERT INTO job_count VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET items = items + excluded.items',
    );
    this.#uncount = db.command('DELETE FROM job_count WHERE job_id = ?');
    // Else SQLite goes through all items by position, past the tens of thousands that wait no longer.
    this.#take = db.query(
      itemRow,
      `SELECT ${itemColumns} FROM job_item INDEXED BY job_item_by_state WHERE job_id = ? AND rank = ${waiting}
        AND position > ? ORDER BY position LIMIT ?`,
    );
    this.#settle = db.command(
      `UPDATE job_item SET state = ?, rank = ?, md5 = ifnull(?, md5), sha256 = ifnull(?, sha256),
        size_bytes = ifnull(?, size_bytes), failure = ?
      WHERE job_id = ? AND position = ? AND rank = ${waiting}`,
    );
    this.#settleAlike = db.command(
      `UPDATE job_item SET state = ?, rank = ?, failure = NULL WHERE job_id = ?
        AND position IN (SELECT value FROM json_each(?)) AND rank = ${waiting}`,
    );
    this.#withFailure = db.query(
      itemRow,
      `SELECT ${itemColumns} FROM job_item INDEXED BY job_item_by_state WHERE job_id = ? AND rank = ${rankOf('done')}
        AND failure ->> '$.kind' = ? ORDER BY position LIMIT 1000`,
    );
    this.#amend = db.command('UPDATE job_item SET failure = ? WHERE job_id = ? AND position = ?');
    this.#move = db.command(
      `UPDATE job_item SET state = ?, rank = ?, failure = ? WHERE job_id = ? AND position IN
      (SELECT position FROM job_item WHERE job_id = ? AND rank = ? ORDER BY position LIMIT ?)`,
    );
    this.#countedOnly = db.query(
      countRow,
      `SELECT items FROM job_count WHERE job_id = ?1 AND state = ?2 AND items > 0
        AND NOT EXISTS (SELECT 1 FROM job_item WHERE job_id = ?1)`,
    );
    this.#remove = db.command(
      'DELETE FROM job_item WHERE job_id = ? AND position IN (SELECT position FROM job_item WHERE job_id = ? LIMIT ?)',
    );
  }

  /** @returns how many the job has now: positions have no gaps */
  add(id: number, items: readonly NewItem[]): number {
    const added = new Map<ItemState, number>();
    let last = this.#last.get(id)?.position ?? 0;
    for (const { hash, md5, sha256 = null, state = 'waiting', sizeBytes = null, name = null } of items) {
      const { changes } = this.#insert.run(id, last + 1, hash, md5, sha256, state, rankOf(state), sizeBytes, name);
      last += changes;
      added.set(state, (added.get(state) ?? 0) + changes);
    }
    for (const [state, count] of added) this.#count.run(id, state, count);
    return last;
  }

  /** Adds waiting items that have no row. */
  count(id: number, items: number): void {
    this.#count.run(id, 'waiting', items);
  }

  recount(id: number, items: number): void {
    this.#uncount.run(id);
    this.count(id, items);
  }

  tally(id: number, outcomes: Tally): void {
    for (const [state, items] of Object.entries(outcomes)) {
      this.#count.run(id, state, items);
      this.#count.run(id, 'waiting', -items);
    }
  }

  take(id: number, after: number, count: number): JobItem[] {
    return this.#take.all(id, after, count).map(jobItemOf);
  }

  settle(id: number, outcomes: readonly ItemOutcome[]): void {
    for (const { position, state, md5 = null, sha256 = null, sizeBytes = null, failure = null } of outcomes.filter(
      (outcome) => !bringsNothing(outcome),
    )) {
      this.#settle.run(state, rankOf(state), md5, sha256, sizeBytes, failure && JSON.stringify(failure), id, position);
    }
    for (const [state, alike] of Map.groupBy(outcomes.filter(bringsNothing), (outcome) => outcome.state)) {
      this.#settleAlike.run(state, rankOf(state), id, JSON.stringify(alike.map(({ position }) => position)));
    }
  }

  withFailure(id: number, kind: FailureKind): JobItem[] {
    return this.#withFailure.all(id, kind).map(jobItemOf);
  }

  amend(id: number, position: number, failure: Failure | null): void {
    this.#amend.run(failure && JSON.stringify(failure), id, position);
  }

  move(id: number, { from, to, failure, limit }: ItemMove): number {
    let moved = 0;
    for (const state of new Set(from))
      if (state !== to) moved += this.#moveFrom(id, state, { to, failure, limit: limit - moved });
    for (const state of from) this.#moveCounted(id, state, to);
    return moved;
  }

  remove(id: number, limit: number): number {
    return this.#remove.run(id, id, limit).changes;
  }

  /** It is no longer known which of the items without a row had another outcome. */
  #moveCounted(id: number, from: ItemState, to: ItemState): void {
    const items =
      from !== to && countedFrom.includes(from) && countedTo.includes(to)
        ? (this.#countedOnly.get(id, from)?.items ?? 0)
        : 0;
    if (items === 0) return;
    this.#count.run(id, from, -items);
    this.#count.run(id, to, items);
  }

  #moveFrom(id: number, from: ItemState, { to, failure, limit }: Omit<ItemMove, 'from'>): number {
    return this.#move.run(to, rankOf(to), failure && JSON.stringify(failure), id, id, rankOf(from), limit).changes;
  }
}

/** But its state. Most items of a hunt are like that: many are settled for the price of a few. */
const bringsNothing = ({ md5 = null, sha256 = null, sizeBytes = null, failure = null }: ItemOutcome): boolean =>
  md5 === null && sha256 === null && sizeBytes === null && failure === null;

/**
 * The rows of a job in the tables of scans, those that name staged files last: they are asked for when the job goes.
 */
const tables: readonly (readonly [table: string, key: string])[] = [
  ['scan_body', 'rowid'],
  ['scan_raw', 'rowid'],
  ['scan_hit', 'job_id, position, rule_id'],
  ['scan_total', 'job_id, position'],
  ['scan_result', 'job_id, position, side'],
  ['scan_rule', 'id'],
  ['scan_file', 'job_id, position'],
];

/** Takes out what jobs found, some rows at a time. The caller gives the transaction. */
class ScanRemoval {
  readonly #removals;

  constructor(db: Database) {
    this.#removals = tables.map(([table, key]) =>
      db.command(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE job_id = ? LIMIT ?)`),
    );
  }

  /** @returns how many rows: fewer than the limit when none is left */
  remove(jobId: number, limit: number): number {
    let removed = 0;
    for (const removal of this.#removals) {
      if (removed < limit) removed += removal.run(jobId, limit - removed).changes;
    }
    return removed;
  }
}
