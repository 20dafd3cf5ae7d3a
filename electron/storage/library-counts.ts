import { z } from 'zod';
import type { Database } from './database.ts';
import type { Command, Query } from './statement.ts';

/** In a statement over `sample`. */
export const hitsOfSample = `(SELECT count(DISTINCT rule) FROM hit_sample CROSS JOIN sample_hit
  ON sample_id = hit_sample.id
  CROSS JOIN hit_rule ON hit_rule.id = rule_id WHERE hit_sample.sha256 = sample.sha256)`;
export const commentsOfSample = '(SELECT count(*) FROM comment WHERE comment.md5 = sample.md5)';

const countRow = z.object({ id: z.number(), before: z.number(), now: z.number() });
type Count = z.infer<typeof countRow>;

/**
 * What rows of the library count, for those who write many of it: a row that counts the same is not written. The caller
 * gives the transaction.
 */
export class LibraryCounts {
  readonly #hits;
  readonly #setHits;
  readonly #comments;
  readonly #setComments;

  constructor(db: Database) {
    this.#hits = db.query(countRow, `SELECT id, hits AS before, ${hitsOfSample} AS now FROM sample WHERE sha256 = ?`);
    this.#setHits = db.command('UPDATE sample SET hits = ? WHERE id = ?');
    this.#comments = db.query(
      countRow,
      `SELECT id, comments AS before, ${commentsOfSample} AS now FROM sample WHERE md5 = ?`,
    );
    this.#setComments = db.command('UPDATE sample SET comments = ? WHERE id = ?');
  }

  /** To be called when a rule came to hit the bytes, or hits them no more. */
  hits(sha256: string): void {
    recount(this.#hits, this.#setHits, sha256);
  }

  /** To be called when a comment came or went. */
  comments(md5: string): void {
    recount(this.#comments, this.#setComments, md5);
  }
}

function recount(counts: Query<Count>, set: Command, hash: string): void {
  for (const { id, before, now } of counts.all(hash)) if (before !== now) set.run(now, id);
}
