import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';

/** A comment for a sample that is known at the repository. */
export interface Posting {
  /** The file of the draft. */
  id: number;
  name: string;
  md5: string;
  text: string;
}

export type PostingState = 'sending' | 'sent' | 'failed' | 'may-have-arrived';

export interface PostingOutcome {
  /** What was sent. */
  text: string;
  state: PostingState;
  failure: Failure | null;
}

/**
 * What became of comments, by file of the draft. It outlives the dialog: nothing is posted twice by opening it again.
 */
export type PostingOutcomes = Map<number, PostingOutcome>;

/** Sent just so, or perhaps: it is not sent once more. */
export const isOver = (outcome: PostingOutcome | undefined, { text }: Pick<Posting, 'text'>): boolean =>
  outcome !== undefined && outcome.text === text && outcome.state !== 'failed';

export interface PostingRun {
  outcomes: ReadonlyMap<number, PostingOutcome>;
  isRunning: boolean;
  /** How many were to be sent, over all runs. */
  planned: number;
  /** Sends them one after the other. */
  post(postings: readonly Posting[]): void;
  /** The one under way comes to its end. */
  stop(): void;
}

/** Sends comments one by one, and tells what became of each. */
export function usePosting(workspaceId: string, kept: PostingOutcomes): PostingRun {
  const bridge = useBridge();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, PostingOutcome>>(() => new Map(kept));
  const [isRunning, setRunning] = useState(false);
  const [planned, setPlanned] = useState<ReadonlySet<number>>(() => new Set(kept.keys()));
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const run = async (postings: readonly Posting[]): Promise<void> => {
    isStopped.current = false;
    setRunning(true);
    setPlanned((before) => new Set([...before, ...postings.map(({ id }) => id)]));
    const note = (id: number, outcome: PostingOutcome): void => {
      kept.set(id, outcome);
      setOutcomes(new Map(kept));
    };
    for (const posting of postings) {
      if (isStopped.current) break;
      note(posting.id, { text: posting.text, state: 'sending', failure: null });
      // One after the other: a service that refuses one is not asked for all of them at once.
      note(posting.id, { text: posting.text, ...(await send(bridge, workspaceId, posting)) });
    }
    setRunning(false);
  };
  return {
    outcomes,
    isRunning,
    planned: planned.size,
    post: (postings) => void run(postings),
    stop: () => {
      isStopped.current = true;
    },
  };
}

async function send(
  bridge: Bridge<File>,
  workspaceId: string,
  { md5, text }: Posting,
): Promise<Omit<PostingOutcome, 'text'>> {
  const begun = await bridge.call('comments.send', { workspaceId, md5, draft: { text, parentId: null } });
  if (!begun.ok) return { state: 'failed', failure: begun.failure };
  const thread = await bridge.call('comments.thread', { workspaceId, md5 });
  if (!thread.ok) return { state: 'may-have-arrived', failure: thread.failure };
  const own = thread.value.comments.find(({ own: each }) => each?.id === begun.value.id)?.own ?? null;
  if (own === null || own.state === 'sent') return { state: 'sent', failure: null };
  return { state: own.state === 'failed' ? 'failed' : 'may-have-arrived', failure: own.failure };
}
