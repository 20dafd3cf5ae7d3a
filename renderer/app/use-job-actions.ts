import { useCallback, useMemo, useRef, useState } from 'react';
import type { OperationInput } from '../../shared/contract.ts';
import type { TriableState } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { failureWords } from '../components/failure-format.ts';
import { useToast } from '../components/toasts.tsx';
import { text } from './text.ts';
import { useNowShown } from './use-now-shown.ts';

type JobAction = 'jobs.pause' | 'jobs.resume' | 'jobs.cancel' | 'jobs.forget' | 'jobs.retry';

export interface JobActs {
  pause(): void;
  resume(): void;
  cancel(): void;
  forget(): void;
  retry(states: readonly TriableState[]): void;
  /** Why the last one was not done. */
  failure: Failure | null;
}

/** What can be done with one job. What comes of it the host tells. */
export function useJobActions(id: number): JobActs {
  const bridge = useBridge();
  const toast = useToast();
  // While one is on its way another one of that job is not sent; the buttons stay as they are, and keep the focus.
  const busy = useRef(new Set<number>());
  const shownId = useNowShown(id);
  const [last, setLast] = useState<{ id: number; failure: Failure | null } | null>(null);
  const act = useCallback(
    async <N extends JobAction>(name: N, input: OperationInput<N>): Promise<void> => {
      if (busy.current.has(input.id)) return;
      busy.current.add(input.id);
      const answer = await bridge.call(name, input);
      busy.current.delete(input.id);
      if (shownId() === input.id) setLast({ id: input.id, failure: answer.ok ? null : answer.failure });
      else if (!answer.ok)
        toast({
          meaning: 'bad',
          text: text.jobNotDone(input.id, failureWords(answer.failure).what),
          failure: answer.failure,
        });
    },
    [bridge, toast, shownId],
  );
  const failure = last?.id === id ? last.failure : null;
  return useMemo(
    () => ({
      pause: () => void act('jobs.pause', { id }),
      resume: () => void act('jobs.resume', { id }),
      cancel: () => void act('jobs.cancel', { id }),
      forget: () => void act('jobs.forget', { id }),
      retry: (states) => void act('jobs.retry', { id, states: [...states] }),
      failure,
    }),
    [act, id, failure],
  );
}
