import type { OperationInput } from '../../../shared/contract.ts';
import {
  type CommentDraft,
  type CommentThread,
  isSameDraft,
  type OwnComment,
  type ThreadComment,
} from '../../../shared/domain/comment.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { FailureError } from '../../../shared/failure.ts';
import { type GivenAnswers, type MemoryBridge } from '../../test/memory-bridge.ts';
import { md5 } from '../../test/quiet-host.ts';

export const listed = (id: string, over: Partial<ThreadComment> = {}): ThreadComment => ({
  id,
  parentId: null,
  author: `author ${id}`,
  content: `text ${id}`,
  created: '2026-11-18T14:21:00Z',
  own: null,
  ...over,
});

export const ownOf = (
  id: number,
  state: OwnComment['state'],
  over: Partial<ThreadComment> = {},
  failure: Failure | null = null,
): ThreadComment =>
  listed(`own-${id}`, { author: null, content: `mine ${id}`, own: { id, state, isListed: false, failure }, ...over });

/** One sample's comments as a host keeps them: what it receives is included in its next answer. */
export class ThreadHost {
  thread: CommentThread;
  /** Answers of sending, in the order of the calls; a call without one never ends. */
  readonly outcomes: (OwnComment['state'] | Failure)[] = [];
  readonly sent: CommentDraft[] = [];
  bridge: MemoryBridge | null = null;
  #ids = 100;

  constructor(comments: readonly ThreadComment[] = [], draft: CommentDraft = { text: '', parentId: null }) {
    this.thread = { comments: [...comments], draft, listsComments: true };
  }

  readonly answers: GivenAnswers = {
    'comments.thread': (input) => this.read(input),
    'comments.draft': () => this.thread.draft,
    'comments.saveDraft': (input) => this.saveDraft(input),
    'comments.send': (input) => this.#send(input),
    'comments.discard': ({ id }) => {
      this.put(this.thread.comments.filter(({ own }) => own?.id !== id));
      return {};
    },
  };

  saveDraft({ draft, basedOn }: OperationInput<'comments.saveDraft'>): { stored: CommentDraft } {
    if (basedOn.some((base) => isSameDraft(base, this.thread.draft))) this.thread.draft = draft;
    return { stored: this.thread.draft };
  }

  /** The current thread, or a window of it. */
  read({
    window: { offset, limit } = { moment: 'now', offset: 0, limit: this.thread.comments.length },
  }: OperationInput<'comments.thread'>): CommentThread {
    const { comments, ...thread } = structuredClone(this.thread);
    const end = offset + limit;
    return { ...thread, comments: comments.slice(offset, end), ...(end < comments.length && { next: end }) };
  }

  /** Changes the thread and reports the change. */
  put(comments: readonly ThreadComment[]): void {
    this.thread = { ...this.thread, comments: [...comments] };
    this.bridge?.emit('comments.changed', { workspaceId: 'lab', md5 });
  }

  async #send({ draft }: OperationInput<'comments.send'>): Promise<{ id: number }> {
    const outcome = this.outcomes.shift();
    if (typeof outcome === 'object') throw new FailureError(outcome);
    this.#ids += 1;
    const id = this.#ids;
    this.sent.push(draft);
    this.thread.draft = { text: '', parentId: null };
    const begun = ownOf(id, 'pending', { content: draft.text, parentId: draft.parentId });
    this.put([...this.thread.comments, begun]);
    if (outcome === undefined) return new Promise(() => {});
    this.settle(id, outcome);
    return { id };
  }

  settle(id: number, state: OwnComment['state'], failure: Failure | null = null): void {
    this.put(
      this.thread.comments.map((comment) =>
        comment.own?.id === id ? { ...comment, own: { ...comment.own, state, failure } } : comment,
      ),
    );
  }
}
