import { z } from 'zod';
import { type CommentDraft, type CommentThread, noDraft } from '../../shared/domain/comment.ts';
import { comment } from '../../shared/domain/sample.ts';
import { ownCommentOf, writtenColumns, writtenRow } from './comment-rows.ts';
import { joinThread, type WrittenComment } from './comment-thread.ts';
import type { Database } from './database.ts';

const lineRow = z.object({ ...comment.shape, number: z.number(), place: z.number() });
export type Line = z.infer<typeof lineRow>;

/**
 * Written, or read, before the thread may be let go: some milliseconds' worth. A list that is no longer is written at
 * once.
 */
export const linesAStep = 500;

const countRow = z.object({ count: z.number() });
const draftRow = z.object({ text: z.string(), parentId: z.string().nullable() });
const listsRow = z.object({ listsComments: z.number() });

/** What is said of one sample, as it is stored. */
export class StoredThread {
  readonly #page;
  readonly #upTo;
  readonly #written;
  readonly #draft;
  readonly #lists;

  constructor(db: Pick<Database, 'query'>) {
    this.#page = db.query(
      lineRow,
      `SELECT number, place, id, parent_id AS parentId, author, content, created FROM comment
      WHERE workspace_id = ? AND md5 = ? AND (place, number) > (?, ?) ORDER BY place, number LIMIT ${linesAStep}`,
    );
    this.#upTo = db.query(
      countRow,
      `SELECT count(*) AS count FROM (SELECT 1 FROM comment WHERE workspace_id = ? AND md5 = ? AND place IS NOT NULL
        LIMIT ?)`,
    );
    this.#written = db.query(
      writtenRow,
      `SELECT ${writtenColumns} FROM own_comment WHERE workspace_id = ? AND md5 = ? ORDER BY id`,
    );
    this.#draft = db.query(
      draftRow,
      'SELECT text, parent_id AS parentId FROM comment_draft WHERE workspace_id = ? AND md5 = ?',
    );
    this.#lists = db.query(
      listsRow,
      'SELECT lists_comments AS listsComments FROM record WHERE workspace_id = ? AND md5 = ?',
    );
  }

  read(workspaceId: string, md5: string): CommentThread {
    const listed = [...this.pages(workspaceId, md5)]
      .flat()
      .map(({ id, parentId, author, content, created }) => ({ id, parentId, author, content, created }));
    return {
      comments: joinThread(listed, this.written(workspaceId, md5)),
      draft: this.draft(workspaceId, md5),
      listsComments: this.listsComments(workspaceId, md5),
    };
  }

  /** What the service listed last, in its order, at most `linesAStep` at a time. */
  *pages(workspaceId: string, md5: string): Generator<Line[], void, undefined> {
    for (let [place, number] = [-1, 0]; ;) {
      const page = this.#page.all(workspaceId, md5, place, number);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      [place, number] = [last.place, last.number];
    }
  }

  /** Whether the service listed more than are read or written at once. */
  isLong(workspaceId: string, md5: string): boolean {
    return (this.#upTo.get(workspaceId, md5, linesAStep + 1)?.count ?? 0) > linesAStep;
  }

  /** This desk's own, in the order they were written. */
  written(workspaceId: string, md5: string): WrittenComment[] {
    return this.#written.all(workspaceId, md5).map(ownCommentOf);
  }

  draft(workspaceId: string, md5: string): CommentDraft {
    return this.#draft.get(workspaceId, md5) ?? noDraft;
  }

  /** Whether the service lists comments of the sample; false also while it was never asked. */
  listsComments(workspaceId: string, md5: string): boolean {
    return this.#lists.get(workspaceId, md5)?.listsComments === 1;
  }
}
