import type { OperationRequest } from '../../../shared/contract.ts';
import {
  type CommentDraft,
  type CommentThread,
  isNumbered,
  isSameDraft,
  type ListedComment,
  longestComment,
  type OlderComments,
  plainText,
  type ThreadWindow,
} from '../../../shared/domain/comment.ts';
import type { Comment, Json, SampleRecord } from '../../../shared/domain/sample.ts';
import type { RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { leavesOpen } from '../../api/client/failures.ts';
import { isBracketsOnly } from '../../api/comments.ts';
import type { Connect } from '../../api/connections.ts';
import { systemTiming, type Timing } from '../../api/limits.ts';
import { createRepositoryApi, type RepositoryApi } from '../../api/repository-api.ts';
import type { EventHub } from '../../event-hub.ts';
import type { CommentReader } from '../../storage/comments/comment-reader.ts';
import type { CommentStore, OwnCommentRow } from '../../storage/comments/comment-store.ts';
import { listComments } from '../../storage/library/library-records.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';

/** Far below what a reply is cut at, and what a service may leave out by itself. Text in UTF-16 code units. */
const surelyWhole = { comments: 1000, characters: 1024 * 1024 } as const;

/**
 * Whether a comment whose answer was lost did certainly not arrive, so that sending it again makes no double. A missing
 * text proves nothing, for services change texts: a list that is whole must hold nothing at all that was not known when
 * it was begun. `wasListKnown`: whether there was a list then; without it, ids that were known indicate one.
 */
export function surelyDidNotArrive(
  { knownIds, wasListKnown }: Pick<OwnCommentRow, 'knownIds'> & { wasListKnown: boolean },
  { listsComments, comments, unknown }: Pick<SampleRecord, 'listsComments' | 'comments' | 'unknown'>,
): boolean {
  if (!listsComments || !isWhole(comments, unknown['comments'] ?? [])) return false;
  if (!wasListKnown && !knownIds.some(isNumbered)) return false;
  const known = new Set(knownIds);
  // An id that was given here is of a place in the list, not of a comment.
  return comments.every(({ id }) => isNumbered(id) && known.has(id));
}

/**
 * `leftOver` is what was not understood of the list: of an entry that was, its id and its other members
 * (`readComments`).
 */
function isWhole(comments: readonly Comment[], leftOver: Json): boolean {
  if (comments.length >= surelyWhole.comments || !Array.isArray(leftOver)) return false;
  if (comments.reduce((sum, { content }) => sum + content.length, 0) >= surelyWhole.characters) return false;
  const ids = new Set(comments.map(({ id }) => id));
  return leftOver.every((entry) => isOfOneListed(entry, ids));
}

function isOfOneListed(entry: Json, ids: ReadonlySet<string>): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  const { id = null } = entry;
  return typeof id === 'string' && ids.has(id) && !Object.hasOwn(entry, 'content');
}

interface CommentsOptions {
  connect: Connect;
  store: CommentStore;
  reader: CommentReader;
  library: LibraryStore;
  events: EventHub;
  /** null for a workspace that is not there. */
  repositoryOptions(workspaceId: string): RepositoryOptions | null;
  /** What an answer showed about the workspace's repository. */
  rememberForm(workspaceId: string, form: 'json' | 'brackets'): void;
  logDefect(error: unknown): void;
  /** For pauses; the machine's own where it is left out. */
  timing?: Timing;
}

/** A service that lost its answer may still be at work on what it got. */
const patienceMs = [0, 500, 2_000];

/** The conversation of each sample: the service's comments, and those written here. */
export class Comments {
  readonly #options: CommentsOptions & { timing: Timing };
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Own comments that were begun in this run while there was a list of the service, even an empty one. */
  readonly #withList = new Set<number>();

  constructor(options: CommentsOptions) {
    this.#options = { timing: systemTiming, ...options };
  }

  /** What was on its way when the program ended may have arrived, and what services listed is written to its end. */
  start(): void {
    this.#options.store.pendingToMayHaveArrived();
    this.#listToTheEnd();
  }

  async close(): Promise<void> {
    this.#stop.abort(new FailureError({ kind: 'cancelled' }));
    await Promise.all(this.#running);
  }

  thread(workspaceId: string, md5: string, window?: ThreadWindow): Promise<CommentThread> {
    const { reader, library } = this.#options;
    // Comments that a full disk cut off may fit by now: a reader sees the rest as soon as it is written.
    if (library.halfListed().length > 0) this.#listToTheEnd();
    return window === undefined ? reader.thread(workspaceId, md5) : reader.window(workspaceId, md5, window);
  }

  /** Throws as the service's record does. */
  async older(workspaceId: string, md5: string, before: number): Promise<OlderComments> {
    return (await this.#api({ workspaceId })).olderComments(md5, before, { signal: this.#stop.signal });
  }

  list(workspaceId: string, find: string, offset: number, limit: number): { comments: ListedComment[]; total: number } {
    return this.#options.store.list(workspaceId, find, offset, limit);
  }

  draft(workspaceId: string, md5: string): CommentDraft {
    return this.#options.store.draft(workspaceId, md5);
  }

  /** @returns what is stored then: another draft where it came from elsewhere */
  saveDraft({ workspaceId, md5, draft, basedOn }: OperationRequest<'comments.saveDraft'>): CommentDraft {
    const stored = this.#options.store.saveDraft(workspaceId, md5, draft, basedOn);
    if (isSameDraft(stored, draft))
      this.#options.events.emit({ name: 'comments.drafted', payload: { workspaceId, md5 } });
    return stored;
  }

  /**
   * Resolves when it is settled, whatever became of it. Throws `comment-empty`, `comment-too-long`,
   * `workspace-missing`; the draft stays then.
   */
  async send(workspaceId: string, md5: string, draft: CommentDraft, keepsDraft = false): Promise<number> {
    if (draft.text.trim() === '') fail({ kind: 'comment-empty' });
    if (draft.text.length > longestComment) fail({ kind: 'comment-too-long', limit: longestComment });
    if (this.#options.repositoryOptions(workspaceId) === null) fail({ kind: 'workspace-missing', id: workspaceId });
    const id = this.#options.store.begin(workspaceId, md5, draft, keepsDraft);
    this.#noteList({ id, workspaceId, md5 });
    await this.#run(id, (own) => this.#deliver(own));
    return id;
  }

  /** Throws `comment-missing` for one that did not fail. */
  async sendAgain(id: number): Promise<void> {
    const failed = this.#own(id);
    if (failed.state !== 'failed') fail({ kind: 'comment-missing', id });
    this.#options.store.settle(id, { state: 'pending' });
    this.#noteList(failed);
    await this.#run(id, (own) => this.#deliver(own));
  }

  /** Throws `comment-missing` for one that is not in doubt, and why the service could not be asked. */
  async settle(id: number): Promise<void> {
    const own = this.#own(id);
    if (own.state !== 'may-have-arrived') fail({ kind: 'comment-missing', id });
    await this.#settleByRecord(own);
    await this.#options.store.synced();
    this.#report(own);
  }

  /** Throws `comment-missing` for one that is on its way or was confirmed. */
  discard(id: number): void {
    const own = this.#own(id);
    if (own.state === 'pending' || own.state === 'sent') fail({ kind: 'comment-missing', id });
    this.#options.store.discard(id);
    this.#report(own);
  }

  #listToTheEnd(): void {
    const noteDefect = (error: unknown): void => void (error instanceof FailureError || this.#options.logDefect(error));
    const running = this.#listHalfListed()
      .catch(noteDefect)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #listHalfListed(): Promise<void> {
    const { library } = this.#options;
    for (const { workspaceId, md5 } of library.halfListed()) {
      const record = library.record(workspaceId, md5);
      if (record === null) continue;
      await listComments(library, { workspaceId, md5, record }, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      this.#report({ workspaceId, md5 });
    }
  }

  #noteList({ id, workspaceId, md5 }: Pick<OwnCommentRow, 'id' | 'workspaceId' | 'md5'>): void {
    if (this.#options.store.listsComments(workspaceId, md5)) this.#withList.add(id);
    else this.#withList.delete(id);
  }

  async #run(id: number, work: (own: OwnCommentRow) => Promise<void>): Promise<void> {
    const own = this.#own(id);
    this.#report(own);
    const durable = work(own).then(() => this.#options.store.synced());
    const running = durable.finally(() => {
      this.#running.delete(running);
      this.#report(own);
    });
    this.#running.add(running);
    await running;
  }

  async #deliver(own: OwnCommentRow): Promise<void> {
    const sent = await this.#send(own);
    if (sent === null) return this.#reportIfLost(own);
    this.#options.store.settle(own.id, { state: 'sent', remoteId: sent.id });
    await this.#options.store.synced();
    await this.#refresh(own);
  }

  /** null when it is settled already. What cannot be written down afterwards is no failure of the sending. */
  async #send(own: OwnCommentRow): Promise<{ id: string | null } | null> {
    try {
      // That it is on its way must outlive a power cut before anything leaves: else its outcome would never be checked.
      await this.#options.store.synced();
      return await this.#sendOnce(own, await this.#api(own));
    } catch (error) {
      await this.#settleFailed(own, error);
      return null;
    }
  }

  /**
   * The documented form first; on the one answer that asks for brackets, those, once, and from then on
   * (docs/services.md, "addcomment").
   */
  async #sendOnce(own: OwnCommentRow, api: RepositoryApi): Promise<{ id: string | null }> {
    const { repositoryOptions } = this.#options;
    const form = repositoryOptions(own.workspaceId)?.commentForm ?? 'auto';
    const { md5, content, parentId } = own;
    const send = (as: 'json' | 'brackets'): Promise<{ id: string | null }> =>
      api.addComment({ md5, content, parentId }, as, { signal: this.#stop.signal });
    if (form !== 'auto') return send(form);
    try {
      return await send('json');
    } catch (error) {
      if (!(error instanceof FailureError) || !isBracketsOnly(error.failure)) throw error;
      const sent = await send('brackets');
      this.#remember(own.workspaceId);
      return sent;
    }
  }

  /** It was sent, whether or not this can be kept: the next one finds out again. */
  #remember(workspaceId: string): void {
    try {
      this.#options.rememberForm(workspaceId, 'brackets');
    } catch (error) {
      this.#options.logDefect(error);
    }
  }

  async #settleFailed(own: OwnCommentRow, error: unknown): Promise<void> {
    const { store, logDefect } = this.#options;
    const failure = failureOf(error);
    if (failure === null) logDefect(error);
    const found = failure !== null && leavesOpen(failure) ? await this.#foundAfter(own, [0]) : 'not-listed';
    if (found === 'listed') return;
    // A program that ends in the middle, or a defect, cannot know how far it came.
    const isInDoubt =
      failure === null || failure.kind === 'may-have-arrived' || failure.kind === 'cancelled' || found === 'unknown';
    store.settle(own.id, {
      state: isInDoubt ? 'may-have-arrived' : 'failed',
      failure: failure ?? { kind: 'interrupted' },
    });
    if (failure?.kind !== 'may-have-arrived') return;
    this.#report(own);
    await this.#foundAfter(own, patienceMs);
  }

  /**
   * Asks after each pause whether the service lists it by now; then it is settled as sent. `unknown`: the list could
   * not be read.
   */
  async #foundAfter(own: OwnCommentRow, pausesMs: readonly number[]): Promise<'listed' | 'not-listed' | 'unknown'> {
    const { store, timing } = this.#options;
    const was = store.get(own.id)?.state;
    try {
      const api = await this.#api(own);
      for (const waitMs of pausesMs) {
        if (waitMs > 0) await timing.sleep(waitMs, this.#stop.signal);
        const record = await this.#noteRecord(own, api);
        // It was settled in between, or is sent again: this answer shows nothing about that.
        if (store.get(own.id)?.state !== was) return 'not-listed';
        if (this.#settleListed(own, record)) return 'listed';
      }
      return 'not-listed';
    } catch (later) {
      // It stays as it is, and its state shows so; "Check again" asks once more.
      if (!this.#stop.signal.aborted && !(later instanceof FailureError)) throw later;
      return 'unknown';
    }
  }

  async #settleByRecord(own: OwnCommentRow): Promise<void> {
    const { store } = this.#options;
    const api = await this.#api(own);
    const record = await this.#noteRecord(own, api);
    if (store.get(own.id)?.state !== 'may-have-arrived') return;
    if (
      this.#settleListed(own, record) ||
      !surelyDidNotArrive({ ...own, wasListKnown: this.#withList.has(own.id) }, record)
    )
      return;
    store.settle(own.id, {
      state: 'failed',
      failure: { kind: 'comment-not-arrived', service: 'repository', address: api.address },
    });
  }

  #settleListed(own: OwnCommentRow, record: SampleRecord): boolean {
    const remoteId = arrivedAs(own, record, this.#othersOf(own));
    if (remoteId !== null) this.#options.store.settle(own.id, { state: 'sent', remoteId });
    return remoteId !== null;
  }

  /** Comments of the service that are other comments sent from here: two with the same words are two. */
  #othersOf({ id, workspaceId, md5 }: OwnCommentRow): ReadonlySet<string> {
    return new Set(
      this.#options.store.listedAsSent(workspaceId, md5).flatMap((one) => (one.ownId === id ? [] : [one.id])),
    );
  }

  async #noteRecord({ workspaceId, md5 }: OwnCommentRow, api: RepositoryApi): Promise<SampleRecord> {
    const record = await api.getFile(md5, { signal: this.#stop.signal });
    this.#options.library.noteRecord({ workspaceId, md5, record });
    await listComments(this.#options.library, { workspaceId, md5, record });
    return record;
  }

  /** So that the thread shows it as the service does. It was sent, whether or not this can be read. */
  async #refresh(own: OwnCommentRow): Promise<void> {
    try {
      await this.#noteRecord(own, await this.#api(own));
    } catch (error) {
      if (!(error instanceof FailureError)) this.#options.logDefect(error);
    }
  }

  async #api({ workspaceId }: Pick<OwnCommentRow, 'workspaceId'>): Promise<RepositoryApi> {
    const { connect, timing } = this.#options;
    return createRepositoryApi(await connect(workspaceId, 'repository'), { timing });
  }

  #own(id: number): OwnCommentRow {
    return this.#options.store.get(id) ?? fail({ kind: 'comment-missing', id });
  }

  #reportIfLost({ id, workspaceId, md5 }: OwnCommentRow): void {
    const state = this.#options.store.get(id)?.state;
    if (state === 'failed' || state === 'may-have-arrived')
      this.#options.events.emit({ name: 'comments.lost', payload: { workspaceId, md5, state } });
  }

  #report({ workspaceId, md5 }: Pick<OwnCommentRow, 'workspaceId' | 'md5'>): void {
    this.#options.events.emit({ name: 'comments.changed', payload: { workspaceId, md5 } });
  }
}

const failureOf = (error: unknown): Failure | null => (error instanceof FailureError ? error.failure : null);

/**
 * The id under which a service lists a comment sent from here whose answer was lost; null when it lists none like it. A
 * comment with the same text that was there before, or is another one sent from here (`others`), is not it. Services
 * put replies elsewhere, so the parent only decides among several.
 */
export function arrivedAs(
  own: Pick<OwnCommentRow, 'content' | 'parentId' | 'knownIds'>,
  record: Pick<SampleRecord, 'comments' | 'listsComments'>,
  others: ReadonlySet<string> = new Set(),
): string | null {
  if (!record.listsComments) return null;
  const known = new Set(own.knownIds);
  const text = plainText(own.content);
  const same = record.comments.filter(
    ({ id, content }) => !known.has(id) && !others.has(id) && plainText(content) === text,
  );
  const [first = null] = same;
  return (same.find(({ parentId }) => parentId === own.parentId) ?? first)?.id ?? null;
}
