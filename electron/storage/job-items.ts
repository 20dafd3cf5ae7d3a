import { z } from 'zod';
import type { ItemState, JobItem } from '../../shared/domain/job.ts';
import type { ItemMove, ItemOutcome, NewItem, Tally } from '../jobs/job-store.ts';
import type { Database } from './database.ts';
import { itemColumns, itemRow, jobItemOf, rankOf } from './job-rows.ts';

const waiting = rankOf('waiting');
const lastRow = z.object({ position: z.number() });
const countRow = z.object({ items: z.number() });
/** Of what is counted and not listed. */
const countedFrom: readonly ItemState[] = ['waiting', 'cancelled'];
const countedTo: readonly ItemState[] = [...countedFrom, 'failed'];

/** The items of jobs. The caller gives the transaction. */
export class JobItems {
  readonly #last;
  readonly #insert;
  readonly #count;
  readonly #uncount;
  readonly #take;
  readonly #settle;
  readonly #settleAlike;
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

  /** More that wait, and that no row stands for. */
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

  /** Nobody knows any more which of them had another outcome. */
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
