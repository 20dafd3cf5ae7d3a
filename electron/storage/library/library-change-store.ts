import { z } from 'zod';
import type { Database } from '../database/database.ts';

const noteRow = z.object({ note: z.string() });
const endRow = z.object({ end: z.number() });
const nextRow = z.object({ width: z.number().int().positive(), hashes: z.string() });

const digitsAByte = 2;
/** To remove a part takes as long as so many rows of a job. */
const rowsAPart = 20;

/**
 * The samples that jobs are to change or export, as found at the time of the request, and how many of them are done. A
 * million take 32 MB, and each call a few milliseconds.
 */
export class LibraryChangeStore {
  readonly #db: Database;
  readonly #begin;
  readonly #note;
  readonly #end;
  readonly #add;
  readonly #next;
  readonly #from;
  readonly #done;
  readonly #dropDone;
  readonly #remove;

  constructor(db: Database) {
    this.#db = db;
    this.#begin = db.command('INSERT INTO library_change (job_id, note) VALUES (?, ?)');
    this.#note = db.query(noteRow, 'SELECT note FROM library_change WHERE job_id = ?');
    this.#end = db.query(
      endRow,
      `SELECT first + length(hashes) / width AS "end" FROM library_change_part WHERE job_id = ? ORDER BY first DESC
        LIMIT 1`,
    );
    this.#add = db.command('INSERT INTO library_change_part (job_id, first, width, hashes) VALUES (?, ?, ?, ?)');
    this.#next = db.query(
      nextRow,
      `SELECT width, lower(hex(substr(hashes, (done - first) * width + 1, ?2 * width))) AS hashes
        FROM library_change JOIN library_change_part USING (job_id)
      WHERE job_id = ?1 ORDER BY first LIMIT 1`,
    );
    this.#from = db.query(
      nextRow,
      `SELECT width, lower(hex(substr(hashes, (?2 - first) * width + 1, ?3 * width))) AS hashes FROM library_change_part
      WHERE job_id = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1`,
    );
    this.#done = db.command('UPDATE library_change SET done = done + ? WHERE job_id = ?');
    this.#dropDone = db.command(
      `DELETE FROM library_change_part WHERE job_id = ?1 AND first = (SELECT min(first) FROM library_change_part
        WHERE job_id = ?1)
      AND first + length(hashes) / width <= (SELECT done FROM library_change WHERE job_id = ?1)`,
    );
    this.#remove = db.command(
      'DELETE FROM library_change_part WHERE rowid IN (SELECT rowid FROM library_change_part WHERE job_id = ? LIMIT ?)',
    );
  }

  /** `note`: what is put below each note; '' for none. */
  begin(jobId: number, note: string): void {
    this.#begin.run(jobId, note);
  }

  note(jobId: number): string {
    return this.#note.get(jobId)?.note ?? '';
  }

  /** Appends samples, some thousands a call. None may be named twice. */
  add(jobId: number, hashes: readonly string[]): void {
    this.#db.transaction(() => {
      let first = this.#end.get(jobId)?.end ?? 0;
      for (const [digits, alike] of Map.groupBy(hashes, ({ length }) => length)) {
        this.#add.run(jobId, first, digits / digitsAByte, Buffer.from(alike.join(''), 'hex'));
        first += alike.length;
      }
    }, 'soon');
  }

  /** The next that are not done, at most so many; none: all are. */
  next(jobId: number, limit: number): string[] {
    return hashesOf(this.#next.get(jobId, limit));
  }

  /** Those from one place on, counted from 0, at most so many; none: there are no more. For jobs that keep them all. */
  from(jobId: number, place: number, limit: number): string[] {
    return hashesOf(this.#from.get(jobId, place, limit));
  }

  /** So many of the next are done. Runs inside the caller's transaction, which does it. */
  done(jobId: number, count: number): void {
    this.#done.run(count, jobId);
    this.#dropDone.run(jobId);
  }

  /**
   * Of a job that is being removed, as much as so many of its rows. @returns how much that was: less than the limit
   * when none is left
   */
  remove(jobId: number, limit: number): number {
    return rowsAPart * this.#remove.run(jobId, Math.ceil(limit / rowsAPart)).changes;
  }
}

function hashesOf(row: z.infer<typeof nextRow> | null): string[] {
  if (row === null) return [];
  const digits = row.width * digitsAByte;
  return Array.from({ length: row.hashes.length / digits }, (_, index) =>
    row.hashes.slice(index * digits, (index + 1) * digits),
  );
}
