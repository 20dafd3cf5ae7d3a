import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import { type CommentThread, isNumbered, type OwnComment, type ThreadComment } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { failed, type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/operations.ts';
import { text } from './strings.ts';

interface ShownThread {
  /** Those of the record until the joined thread is here. */
  comments: readonly ThreadComment[];
  /** undefined until the host has answered. */
  stored: CommentThread | undefined;
  failure: Failure | null;
  /** Reads it again. @returns what it holds now */
  refetch(): Promise<readonly ThreadComment[]>;
}

const none: readonly Comment[] = [];

/**
 * The comments on a sample: the service's and this computer's, in one thread. Read again when the host reports a
 * change.
 */
export function useThread(workspaceId: string, md5: string, ofRecord: readonly Comment[] = none): ShownThread {
  const bridge = useBridge();
  const { data, error, refetch } = useQuery<CommentThread, Failure>({
    queryKey: ['comments.thread', { workspaceId, md5 }],
    queryFn: ({ signal }) => valueOf(wholeThread(bridge, { workspaceId, md5 }, signal)),
    staleTime: 0,
  });
  const fromRecord = useMemo(() => ofRecord.map(ofService), [ofRecord]);
  const again = useCallback(async () => (await refetch()).data?.comments ?? [], [refetch]);
  return { comments: data?.comments ?? fromRecord, stored: data, failure: error, refetch: again };
}

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

interface OlderShown {
  /** With what was read of the older ones. */
  comments: readonly ThreadComment[];
  /** How many are still older. */
  left: number;
  isReading: boolean;
  failure: Failure | null;
  /** Reads some of them from the service. */
  read(): void;
}

/**
 * A thread with the older comments that a person wants to see of those that are not kept. They are shown until the
 * service lists others than before.
 */
export function useOlder(
  workspaceId: string,
  md5: string,
  comments: readonly ThreadComment[],
  omitted: number,
): OlderShown {
  const bridge = useBridge();
  const [state, setState] = useState({ omitted, left: omitted, above: none, below: none });
  const [reading, setReading] = useState<{ isOn: boolean; failure: Failure | null }>({ isOn: false, failure: null });
  const current = state.omitted === omitted ? state : { omitted, left: omitted, above: none, below: none };
  const read = async (): Promise<void> => {
    setReading({ isOn: true, failure: null });
    const answer = await bridge.call('comments.older', { workspaceId, md5, before: current.left });
    setReading({ isOn: false, failure: answer.ok ? null : answer.failure });
    if (!answer.ok) return;
    const { comments: came, before: left, isNewestFirst } = answer.value;
    const more = isNewestFirst ? { below: [...current.below, ...came] } : { above: [...came, ...current.above] };
    setState({ ...current, left, ...more });
  };
  const whole = useMemo(
    () => [...current.above.map(ofService), ...comments, ...current.below.map(ofService)],
    [current.above, current.below, comments],
  );
  const { isOn: isReading, failure } = reading;
  return { comments: whole, left: current.left, isReading, failure, read: () => void read() };
}

const ofService = (comment: Comment): ThreadComment => ({ ...comment, own: null });

/** The author of a comment of this computer is the reader: "you". */
export const authorOf = ({ author, own }: ThreadComment): string | null => (own === null ? author : text.you);

/** In a sentence: "to analyst-4". */
export const nameOf = ({ author, own }: ThreadComment): string =>
  own === null ? (author ?? text.someone) : text.toYou;

/**
 * Whether the service knows a comment by an id, so that it can be answered: the one text of a service without a list
 * has none.
 */
export function canBeAnswered({ id, own }: ThreadComment, listsComments: boolean): boolean {
  return own === null ? listsComments && isNumbered(id) : own.state === 'sent';
}

const whyOf = ({ failure }: OwnComment): string => (failure === null ? '' : sentenceFor(failure).what);

/** What became of comments of this computer between two readings of the thread, for those who do not see it. */
function settledWords(before: readonly ThreadComment[], after: readonly ThreadComment[]): string[] {
  const states = new Map(before.flatMap(({ own }) => (own === null ? [] : [[own.id, own.state] as const])));
  return after.flatMap(({ own }) => {
    if (own === null || own.state === 'pending' || states.get(own.id) === own.state) return [];
    return [wordsOf(own, states.get(own.id) === 'may-have-arrived')];
  });
}

function wordsOf(own: OwnComment, wasUncertain: boolean): string {
  const { reported } = text;
  if (own.state === 'sent') return wasUncertain ? reported.arrived : reported.sent;
  if (own.state === 'failed') return wasUncertain ? reported.notArrived(whyOf(own)) : reported.failed(whyOf(own));
  return reported.mayHaveArrived;
}

interface ReportedOutcomes {
  /** The thread as it was read last. */
  comments: readonly ThreadComment[] | undefined;
  words: string;
  /** What is to be in sight: the one that was meant from outside, until one is begun here. */
  meant: string | null;
  marked: string | null;
}

/**
 * What became of this computer's comments since the thread was opened, once each, for a live region; and the comment
 * that is brought into sight: `marked`, or the one that was begun since.
 */
export function useReportedOutcomes(
  comments: readonly ThreadComment[] | undefined,
  marked: string | null,
): { words: string; meant: string | null; report(words: string): void } {
  const [reported, setReported] = useState<ReportedOutcomes>({ comments, words: '', meant: marked, marked });
  if (reported.comments !== comments || reported.marked !== marked) setReported(updated(reported, comments, marked));
  const report = useCallback((words: string) => setReported((before) => ({ ...before, words })), []);
  return { words: reported.words, meant: reported.meant, report };
}

function updated(
  before: ReportedOutcomes,
  comments: readonly ThreadComment[] | undefined,
  marked: string | null,
): ReportedOutcomes {
  const meant = before.marked === marked ? before.meant : marked;
  // What was there when the thread was opened is no news.
  if (before.comments === undefined || comments === undefined) return { ...before, comments, meant, marked };
  const words = settledWords(before.comments, comments);
  const known = new Set(before.comments.map(({ own }) => own?.id));
  const begun = comments.findLast(({ own }) => own !== null && !known.has(own.id));
  return { comments, words: words.length === 0 ? before.words : words.join('. '), meant: begun?.id ?? meant, marked };
}
