import type { Database } from './database.ts';

/** In a statement over `sample`. */
export const hitsOfSample = `(SELECT count(DISTINCT rule) FROM hit_sample CROSS JOIN sample_hit ON sample_id = hit_sample.id
  CROSS JOIN hit_rule ON hit_rule.id = rule_id WHERE hit_sample.sha256 = sample.sha256)`;
export const commentsOfSample = '(SELECT count(*) FROM comment WHERE comment.md5 = sample.md5)';

/** What a row of the library counts, for those who write many of it: a row that counts the same is not written. The caller gives the transaction. */
export class LibraryCounts {
  readonly #hits;
  readonly #comments;

  constructor(db: Database) {
    const counted = (column: string, count: string, which: string): string =>
      `UPDATE sample SET ${column} = now.count FROM (SELECT id, ${count} AS count FROM sample WHERE ${which}) AS now WHERE sample.id = now.id AND ${column} <> now.count`;
    this.#hits = db.command(counted('hits', hitsOfSample, 'sha256 = ?'));
    this.#comments = db.command(counted('comments', commentsOfSample, 'md5 = ?'));
  }

  /** To be called when a rule came to hit the bytes, or hits them no more. */
  hits(sha256: string): void {
    this.#hits.run(sha256);
  }

  /** To be called when a comment came or went. */
  comments(md5: string): void {
    this.#comments.run(md5);
  }
}
