import type { OperationInput } from '../../../shared/contract.ts';
import type { CommentThread } from '../../../shared/domain/comment.ts';
import { failed, type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';

/** Some milliseconds' worth: an answer is checked in one go. */
const commentsAWindow = 500;

/**
 * A thread of any length, read window by window, so that the page has turns in between. Fails with `cancelled` when it
 * is given up.
 */
export async function wholeThread(
  bridge: Pick<Bridge<File>, 'call'>,
  of: Pick<OperationInput<'comments.thread'>, 'workspaceId' | 'md5'>,
  signal: AbortSignal,
): Promise<Result<CommentThread>> {
  const moment = crypto.randomUUID();
  const comments: CommentThread['comments'] = [];
  for (let offset = 0; ;) {
    const answer = await bridge.call('comments.thread', { ...of, window: { moment, offset, limit: commentsAWindow } });
    if (!answer.ok) return answer;
    const { next, ...thread } = answer.value;
    comments.push(...thread.comments);
    if (next === undefined) return success({ ...thread, comments });
    if (signal.aborted) return failed({ kind: 'cancelled' });
    offset = next;
  }
}
