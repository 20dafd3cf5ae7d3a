import { z } from 'zod';
import { currentInstant } from '../../shared/domain/clock.ts';
import {
  type CommentDraft,
  type CommentThread,
  isNumbered,
  isOfBundle,
  isSameDraft,
  type ListedComment,
  type OwnComment,
} from '../../shared/domain/comment.ts';
import { type Failure, fail } from '../../shared/failure.ts';
import { CommentLines, forgetCommentsOf } from './comment-lines.ts';
import { CommentList } from './comment-list.ts';
import { type OwnCommentRow, ownCommentOf, writtenColumns, writtenRow } from './comment-rows.ts';
import type { Database } from './database.ts';
import type { Journal } from './journal-store.ts';
import { StoredThread } from './stored-thread.ts';

export type { OwnCommentRow } from './comment-rows.ts';

/**
 * How a comment came out, or `pending` where it is on its way again. `remoteId` is what the service calls it, where it
 * said so.
 */
export interface CommentOutcome {
  state: OwnComment['state'];
  remoteId?: string | null;
  failure?: Failure | null;
}

const listedAsRow = z.object({ id: z.string(), ownId: z.number() });

/** What is said of samples: the service's comments as its last record had them, joined with those this desk wrote. */
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

  /** What the service listed last that is a comment of this desk, and was confirmed to be sent. */
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

  /** Writes a draft over one of those that it goes on from, and over no other. @returns what is stored then */
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
   * A reply to a line that only this desk knows goes to what the service called that comment; without a number there it
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
