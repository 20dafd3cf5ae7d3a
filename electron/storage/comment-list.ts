import { z } from 'zod';
import { type ListedComment, ownComment } from '../../shared/domain/comment.ts';
import { comment } from '../../shared/domain/sample.ts';
import { failureOf } from './comment-rows.ts';
import type { Database } from './database.ts';
import { searchExpression } from './search-expression.ts';

/** The newest of what is found: a word of every comment must not be sorted a hundred thousand times over. */
const mostFound = 10_000;

const totalRow = z.object({ total: z.number() });
const listedRow = z.object({
  ...comment.shape,
  md5: z.string(),
  sampleName: z.string().nullable(),
  isListed: z.number(),
  ownId: z.number().nullable(),
  ownState: ownComment.shape.state.nullable(),
  ownFailure: z.string().nullable(),
});

const columns = `comment.md5, comment.id, comment.parent_id AS parentId, comment.author, comment.content,
  comment.created,
  comment.place IS NOT NULL AS isListed, own_comment.id AS ownId, own_comment.state AS ownState,
    own_comment.failure AS ownFailure, record.name AS sampleName`;
const others = `LEFT JOIN own_comment ON own_comment.id = comment.own_id
  LEFT JOIN record ON record.workspace_id = comment.workspace_id AND record.md5 = comment.md5`;
const latest = 'ORDER BY comment.sort_time DESC, comment.number DESC';
// CROSS JOIN: the words first, and each comment by its number.
const found = `(SELECT rowid FROM comment_text WHERE comment_text MATCH ?2 ORDER BY rowid DESC
  LIMIT ${mostFound}) AS hit
  CROSS JOIN comment ON comment.number = hit.rowid WHERE comment.workspace_id = ?1`;

/** The comments of all samples of a workspace, latest first. */
export class CommentList {
  readonly #total;
  readonly #window;
  readonly #foundTotal;
  readonly #foundWindow;

  constructor(db: Database) {
    this.#total = db.query(totalRow, 'SELECT count(*) AS total FROM comment WHERE workspace_id = ?');
    // Numbers first: else the text of every comment before the window is read too.
    const windowOf = (numbers: string): string =>
      `SELECT ${columns} FROM comment ${others} WHERE comment.number IN (${numbers}) ${latest}`;
    this.#window = db.query(
      listedRow,
      windowOf(`SELECT number FROM comment WHERE workspace_id = ?1 ${latest} LIMIT ?2 OFFSET ?3`),
    );
    this.#foundTotal = db.query(totalRow, `SELECT count(*) AS total FROM ${found}`);
    this.#foundWindow = db.query(
      listedRow,
      windowOf(`SELECT comment.number FROM ${found} ${latest} LIMIT ?3 OFFSET ?4`),
    );
  }

  /** `find` is words of the text or the author; none at all means every comment. */
  window(
    workspaceId: string,
    find: string,
    { offset, limit }: { offset: number; limit: number },
  ): { comments: ListedComment[]; total: number } {
    if (find.trim() === '') {
      const rows = this.#window.all(workspaceId, limit, offset);
      return { comments: rows.map(listedCommentOf), total: this.#total.get(workspaceId)?.total ?? 0 };
    }
    const expression = searchExpression(find);
    if (expression === null) return { comments: [], total: 0 };
    const rows = this.#foundWindow.all(workspaceId, expression, limit, offset);
    return { comments: rows.map(listedCommentOf), total: this.#foundTotal.get(workspaceId, expression)?.total ?? 0 };
  }
}

function listedCommentOf({
  md5,
  sampleName,
  isListed,
  ownId,
  ownState,
  ownFailure,
  ...shown
}: z.infer<typeof listedRow>): ListedComment {
  const own =
    ownId === null || ownState === null
      ? null
      : { id: ownId, state: ownState, isListed: isListed === 1, failure: failureOf(ownFailure) };
  return { md5, sampleName, comment: { ...shown, own } };
}
