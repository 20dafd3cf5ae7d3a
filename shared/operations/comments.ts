import { z } from 'zod';
import {
  commentDraft,
  commentThread,
  listedComment,
  olderComments,
  ownCommentId,
  threadWindow,
} from '../domain/comment.ts';
import { md5 } from '../domain/hash.ts';
import { workspaceId } from '../domain/workspace.ts';
import { nothing, operation } from './operation.ts';

export const commentsOperations = {
  /**
   * In reading order. Without a `window` all of it, however long; a window has fewer comments than its limit where
   * those are long.
   */
  'comments.thread': operation({
    input: z.object({ workspaceId, md5, window: threadWindow.optional() }),
    output: commentThread,
    reads: true,
    refreshedBy: { 'comments.changed': ['workspaceId', 'md5'] },
  }),
  /**
   * Asks the service for comments that are older than the kept ones, of which it listed too many. `before`: how many of
   * the oldest are meant; of these it gives the newest, in the service's order. They are shown, and not kept.
   */
  'comments.older': operation({
    input: z.object({ workspaceId, md5, before: z.number().int().positive() }),
    output: olderComments,
    asksAService: true,
  }),
  /** What the host has of an unsent comment, without the thread. */
  'comments.draft': operation({ input: z.object({ workspaceId, md5 }), output: commentDraft, reads: true }),
  /**
   * Written if the host has one of the drafts that this one is based on. `stored` is what it has then: another one came
   * from elsewhere, and nothing was written.
   */
  'comments.saveDraft': operation({
    input: z.object({ workspaceId, md5, draft: commentDraft, basedOn: z.array(commentDraft).min(1).max(4) }),
    output: z.object({ stored: commentDraft }),
  }),
  /**
   * Answers when it is settled; until then the thread shows it as pending. Fails only where nothing was begun. What is
   * kept of an unsent comment goes where it is the same; another one stays. `keepsDraft`: what the page keeps of an
   * unsent comment is another text, and stays.
   */
  'comments.send': operation({
    input: z.object({ workspaceId, md5, draft: commentDraft, keepsDraft: z.boolean().optional() }),
    output: z.object({ id: ownCommentId }),
  }),
  /** Sends a `failed` one again. */
  'comments.sendAgain': operation({ input: z.object({ id: ownCommentId }), output: nothing }),
  /** Asks the service whether one that may have arrived did. */
  'comments.settle': operation({ input: z.object({ id: ownCommentId }), output: nothing }),
  /** Forgets one that is not on its way and was not confirmed. */
  'comments.discard': operation({ input: z.object({ id: ownCommentId }), output: nothing }),
  /** Over all samples of a workspace, latest first. `find` is words of the text or the author. */
  'comments.list': operation({
    input: z.object({
      workspaceId,
      find: z.string().max(200, 'at most 200 characters'),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(200),
    }),
    output: z.object({ comments: z.array(listedComment), total: z.number().int() }),
    reads: true,
    refreshedBy: { 'comments.changed': ['workspaceId'] },
    refreshEveryMs: 500,
  }),
} as const;
