import { setTimeout as pause } from 'node:timers/promises';
import type { CommentDraft, CommentThread, ListedComment } from '../../../shared/domain/comment.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { longestComment } from '../../../shared/domain/upload.ts';
import type { RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { type Failure, fail, FailureError } from '../../../shared/failure.ts';
import { isBracketsOnly } from '../../api/known-texts.ts';
import type { Connect } from '../../api/connections.ts';
import { createRepositoryApi, type RepositoryApi } from '../../api/repository-api.ts';
import type { EventHub } from '../../event-hub.ts';
import type { CommentStore, OwnCommentRow } from '../../storage/comment-store.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import { arrivedAs } from './arrived-as.ts';

export interface CommentsOptions {
  connect: Connect;
  store: CommentStore;
  library: LibraryStore;
  events: EventHub;
  /** null for a workspace that is not there. */
  repositoryOptions(workspaceId: string): RepositoryOptions | null;
  /** What an answer showed about the workspace's repository. */
  rememberForm(workspaceId: string, form: 'json' | 'brackets'): void;
  logDefect(error: unknown): void;
}

/** A service that lost its answer may still be at work on what it got. */
const patienceMs = [0, 500, 2_000];

/** The conversation of each sample: what the service lists, and what this desk wrote. */
export class Comments {
  readonly #options: CommentsOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: CommentsOptions) {
    this.#options = options;
  }

  /** What was on its way when the program ended may have arrived. */
  start(): void {
    this.#options.store.pendingToMayHaveArrived();
  }

  async close(): Promise<void> {
    this.#stop.abort(new FailureError({ kind: 'cancelled' }));
    await Promise.all(this.#running);
  }

  thread(workspaceId: string, md5: string): CommentThread {
    return this.#options.store.thread(workspaceId, md5);
  }

  list(workspaceId: string, find: string, offset: number, limit: number): { comments: ListedComment[]; total: number } {
    return this.#options.store.list(workspaceId, find, offset, limit);
  }

  saveDraft(workspaceId: string, md5: string, draft: CommentDraft): void {
    this.#options.store.saveDraft(workspaceId, md5, draft);
  }

  /** Resolves when it is settled, whatever became of it. Throws `comment-empty`, `comment-too-long`, `workspace-missing`; the draft stays then. */
  async send(workspaceId: string, md5: string, draft: CommentDraft): Promise<number> {
    if (draft.text.trim() === '') fail({ kind: 'comment-empty' });
    if (draft.text.length > longestComment) fail({ kind: 'comment-too-long', limit: longestComment });
    if (this.#options.repositoryOptions(workspaceId) === null) fail({ kind: 'workspace-missing', id: workspaceId });
    const id = this.#options.store.begin(workspaceId, md5, draft);
    await this.#run(id, (own) => this.#deliver(own));
    return id;
  }

  /** Throws `comment-missing` for one that did not fail. */
  async sendAgain(id: number): Promise<void> {
    if (this.#own(id).state !== 'failed') fail({ kind: 'comment-missing', id });
    this.#options.store.settle(id, { state: 'pending' });
    await this.#run(id, (own) => this.#deliver(own));
  }

  /** Throws `comment-missing` for one that is not in doubt, and why the service could not be asked. */
  async settle(id: number): Promise<void> {
    const own = this.#own(id);
    if (own.state !== 'may-have-arrived') fail({ kind: 'comment-missing', id });
    const api = createRepositoryApi(await this.#options.connect(own.workspaceId, 'repository'));
    await this.#settleByRecord(own, api);
    this.#tell(own);
  }

  /** Throws `comment-missing` for one that is on its way or was confirmed. */
  discard(id: number): void {
    const own = this.#own(id);
    if (own.state === 'pending' || own.state === 'sent') fail({ kind: 'comment-missing', id });
    this.#options.store.discard(id);
    this.#tell(own);
  }

  async #run(id: number, work: (own: OwnCommentRow) => Promise<void>): Promise<void> {
    const own = this.#own(id);
    this.#tell(own);
    const running = work(own).finally(() => {
      this.#running.delete(running);
      this.#tell(own);
    });
    this.#running.add(running);
    await running;
  }

  async #deliver(own: OwnCommentRow): Promise<void> {
    const { store, connect } = this.#options;
    try {
      const api = createRepositoryApi(await connect(own.workspaceId, 'repository'));
      const { id: remoteId } = await this.#sendOnce(own, api);
      store.settle(own.id, { state: 'sent', remoteId });
      await this.#refresh(own, api);
    } catch (error) {
      await this.#settleFailed(own, error);
    }
  }

  /** The documented form first; on the one answer that asks for brackets, those, once, and from then on (docs/services.md, "addcomment"). */
  async #sendOnce(own: OwnCommentRow, api: RepositoryApi): Promise<{ id: string | null }> {
    const { repositoryOptions, rememberForm } = this.#options;
    const form = repositoryOptions(own.workspaceId)?.commentForm ?? 'auto';
    const { md5, content, parentId } = own;
    const send = (as: 'json' | 'brackets'): Promise<{ id: string | null }> => api.addComment({ md5, content, parentId }, as, { signal: this.#stop.signal });
    if (form !== 'auto') return send(form);
    try {
      return await send('json');
    } catch (error) {
      if (!(error instanceof FailureError) || !isBracketsOnly(error.failure)) throw error;
      const sent = await send('brackets');
      rememberForm(own.workspaceId, 'brackets');
      return sent;
    }
  }

  async #settleFailed(own: OwnCommentRow, error: unknown): Promise<void> {
    const { store, connect, logDefect } = this.#options;
    const failure = failureOf(error);
    if (failure === null) logDefect(error);
    // A program that ends in the middle, or a defect, cannot tell how far it came.
    const isInDoubt = failure === null || failure.kind === 'may-have-arrived' || failure.kind === 'cancelled';
    store.settle(own.id, { state: isInDoubt ? 'may-have-arrived' : 'failed', failure: failure ?? { kind: 'interrupted' } });
    if (failure?.kind !== 'may-have-arrived') return;
    try {
      const api = createRepositoryApi(await connect(own.workspaceId, 'repository'));
      for (const waitMs of patienceMs) {
        await pause(waitMs, undefined, { signal: this.#stop.signal });
        if (this.#settleListed(own, await this.#noteRecord(own, api))) return;
      }
    } catch (later) {
      // It stays in doubt, and says so; "Check again" asks once more.
      if (!this.#stop.signal.aborted && !(later instanceof FailureError)) throw later;
    }
  }

  async #settleByRecord(own: OwnCommentRow, api: RepositoryApi): Promise<void> {
    const record = await this.#noteRecord(own, api);
    if (this.#settleListed(own, record) || !record.listsComments) return;
    this.#options.store.settle(own.id, { state: 'failed', failure: { kind: 'comment-not-arrived', service: 'repository', address: api.address } });
  }

  #settleListed(own: OwnCommentRow, record: SampleRecord): boolean {
    const remoteId = arrivedAs(own, record);
    if (remoteId !== null) this.#options.store.settle(own.id, { state: 'sent', remoteId });
    return remoteId !== null;
  }

  async #noteRecord({ workspaceId, md5 }: OwnCommentRow, api: RepositoryApi): Promise<SampleRecord> {
    const record = await api.getFile(md5, { signal: this.#stop.signal });
    this.#options.library.noteRecord({ workspaceId, md5, record });
    return record;
  }

  /** So that the thread shows it as the service does. It was sent, whether or not this can be read. */
  async #refresh(own: OwnCommentRow, api: RepositoryApi): Promise<void> {
    try {
      await this.#noteRecord(own, api);
    } catch (error) {
      if (!(error instanceof FailureError)) this.#options.logDefect(error);
    }
  }

  #own(id: number): OwnCommentRow {
    return this.#options.store.get(id) ?? fail({ kind: 'comment-missing', id });
  }

  #tell({ workspaceId, md5 }: OwnCommentRow): void {
    this.#options.events.emit({ name: 'comments.changed', payload: { workspaceId, md5 } });
  }
}

const failureOf = (error: unknown): Failure | null => (error instanceof FailureError ? error.failure : null);
