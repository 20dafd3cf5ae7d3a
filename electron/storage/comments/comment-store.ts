import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import {
  type CommentDraft,
  type CommentThread,
  isNumbered,
  isOfBundle,
  isSameDraft,
  type ListedComment,
  type OwnComment,
  ownComment,
} from '../../../shared/domain/comment.ts';
import { comment } from '../../../shared/domain/sample.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import { searchExpression } from '../database/search-expression.ts';
import { failureOf } from '../database/stored-json.ts';
import type { Journal } from '../journal/journal.ts';
import { CommentLines, forgetCommentsOf } from './comment-lines.ts';
import { ownCommentOf, type OwnCommentRow, StoredThread, writtenColumns, writtenRow } from './comment-thread.ts';

export type { OwnCommentRow } from './comment-thread.ts';

/**
 * How a comment came out, or `pending` where it is on its way again. `remoteId` is what the service calls it, where it
 * said so.
 */
interface CommentOutcome {
  state: OwnComment['state'];
  remoteId?: string | null;
  failure?: Failure | null;
}

const listedAsRow = z.object({ id: z.string(), ownId: z.number() });

/** What is said of samples: the service's comments as its last record had them, joined with those written here. */
export class CommentStore {
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #lines: CommentLines;
  readonly #list: CommentList;
  readonly #stored: StoredThread;
  readonly #putDraft;
  readonly #dropDraft;
  readonly #dropSent;
  readonly #listedAsSent;
  readonly #insert;
  readonly #settle;
  readonly #again;
  readonly #one;
  readonly #pending;
  readonly #discard;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.#lines = new CommentLines(db);
    this.#list = new CommentList(db);
    this.#stored = new StoredThread(db);
    this.#dropSent = db.command(
      'DELETE FROM comment_draft WHERE workspace_id = ? AND md5 = ? AND text = ? AND parent_id IS ?',
    );
    this.#listedAsSent = db.query(
      listedAsRow,
      `SELECT comment.id, own_id AS ownId FROM comment CROSS JOIN own_comment ON own_comment.id = own_id
      WHERE comment.workspace_id = ? AND comment.md5 = ? AND place IS NOT NULL AND state = 'sent'`,
    );
    this.#putDraft = db.command(
      'INSERT OR REPLACE INTO comment_draft (workspace_id, md5, text, parent_id) VALUES (?, ?, ?, ?)',
    );
    this.#dropDraft = db.command('DELETE FROM comment_draft WHERE workspace_id = ? AND md5 = ?');
    this.#insert = db.command(
      `INSERT INTO own_comment (workspace_id, md5, parent_id, content, state, created, known_ids)
        VALUES (?, ?, ?, ?, 'pending', ?, ?)`,
    );
    this.#settle = db.command(
      'UPDATE own_comment SET state = ?, remote_id = ifnull(?, remote_id), failure = ? WHERE id = ?',
    );
    this.#again = db.command("UPDATE own_comment SET state = 'pending', failure = NULL, known_ids = ? WHERE id = ?");
    this.#one = db.query(writtenRow, `SELECT ${writtenColumns} FROM own_comment WHERE id = ?`);
    this.#pending = db.query(
      writtenRow,
      `SELECT ${writtenColumns} FROM own_comment WHERE state = 'pending' ORDER BY id`,
    );
    this.#discard = db.command(`DELETE FROM own_comment WHERE id = ? AND state IN ('failed', 'may-have-arrived')`);
  }

  thread(workspaceId: string, md5: string): CommentThread {
    return this.#stored.read(workspaceId, md5);
  }

  /** What the service listed last that is a comment written here, and was confirmed to be sent. */
  listedAsSent(workspaceId: string, md5: string): { id: string; ownId: number }[] {
    return this.#listedAsSent.all(workspaceId, md5);
  }

  /** Whether it takes long to read. */
  isLong(workspaceId: string, md5: string): boolean {
    return this.#stored.isLong(workspaceId, md5);
  }

  /** Whether the service lists comments of the sample; false also while it was never asked. */
  listsComments(workspaceId: string, md5: string): boolean {
    return this.#stored.listsComments(workspaceId, md5);
  }

  draft(workspaceId: string, md5: string): CommentDraft {
    return this.#stored.draft(workspaceId, md5);
  }

  /** Writes a draft, but only over one of the drafts in `basedOn`. @returns the draft that is stored afterwards */
  saveDraft(workspaceId: string, md5: string, draft: CommentDraft, basedOn: readonly CommentDraft[]): CommentDraft {
    return this.#db.transaction(() => {
      const stored = this.draft(workspaceId, md5);
      if (!basedOn.some((base) => isSameDraft(base, stored))) return stored;
      const { text, parentId } = draft;
      if (text === '' && parentId === null) this.#dropDraft.run(workspaceId, md5);
      else this.#putDraft.run(workspaceId, md5, text, parentId);
      return draft;
    }, 'soon');
  }

  /** Resolves when all that was written before is safe from a power cut. @throws FailureError as a write does */
  synced(): Promise<void> {
    return this.#db.synced();
  }

  /**
   * The comment is on its way, and its draft is cleared: another one stays; safe when `synced` resolves. @returns its
   * id @throws FailureError `comment-of-bundle`
   */
  begin(workspaceId: string, md5: string, { text, parentId }: CommentDraft, keepsDraft = false): number {
    if (parentId !== null && isOfBundle(parentId)) fail({ kind: 'comment-of-bundle' });
    return this.#db.transaction(() => {
      const parent = this.#remoteIdOf(workspaceId, md5, parentId);
      const { rowId } = this.#insert.run(
        workspaceId,
        md5,
        parent,
        text,
        currentInstant(),
        this.#knownIds(workspaceId, md5),
      );
      if (!keepsDraft) this.#dropSent.run(workspaceId, md5, text, parentId);
      this.#lines.joinOwn(workspaceId, md5);
      return rowId;
    }, 'soon');
  }

  /**
   * How it came out, with its journal row; what is on its way again has none. One that was forgotten meanwhile stays
   * so. Safe when `synced` resolves.
   */
  settle(id: number, { state, remoteId = null, failure = null }: CommentOutcome): void {
    this.#db.transaction(() => {
      const one = this.get(id);
      if (one === null) return;
      if (state === 'pending') this.#again.run(this.#knownIds(one.workspaceId, one.md5), id);
      else this.#settle.run(state, remoteId, failure && JSON.stringify(failure), id);
      this.#lines.joinOwn(one.workspaceId, one.md5);
      if (state !== 'pending')
        this.#note(one, { outcome: state === 'sent' ? 'done' : (failure?.kind ?? state), remoteId });
    }, 'soon');
  }

  get(id: number): OwnCommentRow | null {
    const row = this.#one.get(id);
    return row && ownCommentOf(row);
  }

  /** To be called at the start: what was on its way when the program ended may have arrived. */
  pendingToMayHaveArrived(): void {
    this.#db.transaction(() => {
      for (const { id } of this.#pending.all())
        this.settle(id, { state: 'may-have-arrived', failure: { kind: 'interrupted' } });
    });
  }

  /** Forgets one that is not on its way and was not confirmed. @returns whether there was such a one */
  discard(id: number): boolean {
    return this.#db.transaction(() => {
      const one = this.get(id);
      const isGone = one !== null && this.#discard.run(id).changes > 0;
      if (isGone) this.#lines.joinOwn(one.workspaceId, one.md5);
      return isGone;
    });
  }

  /** Over all samples of a workspace, latest first. Of what is looked for, at most 10,000 are found. */
  list(workspaceId: string, find: string, offset: number, limit: number): { comments: ListedComment[]; total: number } {
    return this.#list.window(workspaceId, find, { offset, limit });
  }

  forgetWorkspace(workspaceId: string): void {
    this.#db.transaction(() => forgetCommentsOf(this.#db, workspaceId));
  }

  #note(
    { id, workspaceId, md5, remoteId: known }: OwnCommentRow,
    { outcome, remoteId }: { outcome: string; remoteId: string | null },
  ): void {
    this.#journal.append({
      workspaceId,
      operation: 'comment',
      hash: md5,
      outcome,
      detail: { comment: id, remoteId: remoteId ?? known },
    });
  }

  #knownIds(workspaceId: string, md5: string): string {
    return JSON.stringify(this.#lines.listedIds(workspaceId, md5));
  }

  /**
   * A reply to a line that is known only here goes to what the service called that comment; without a number there it
   * begins a thread.
   */
  #remoteIdOf(workspaceId: string, md5: string, parentId: string | null): string | null {
    const own = /^own-(\d{1,15})$/.exec(parentId ?? '')?.[1];
    const parent = own === undefined ? null : this.get(Number(own));
    const isHere = parent?.workspaceId === workspaceId && parent.md5 === md5;
    const id = isHere ? (parent.remoteId ?? parentId) : parentId;
    return id !== null && isNumbered(id) ? id : null;
  }
}

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
class CommentList {
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
