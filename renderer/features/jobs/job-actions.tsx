import { Pause, Play, Trash2, X } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import { isFinalJob, type Job, type TriableState } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { formatSecond } from '../../components/format.ts';
import { jobStateWithin } from '../../components/jobs/job-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useNowShown } from '../../state/presence.ts';
import { WorkspaceName } from '../../state/workspaces.tsx';
import { text } from './strings.ts';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** What can be done with a job as a whole, at the head of a view. */
export function JobActions({ job, acts }: { job: Job; acts: JobActs }) {
  if (isFinalJob(job)) return <ForgetJob job={job} acts={acts} />;
  // The cause of a halt, and how to resume, is shown above the items.
  const isHalted = job.state === 'paused' && job.failure !== null;
  const isPaused = job.state === 'paused';
  return (
    <>
      {/* One button: a person who pauses by keyboard can resume with the next press. */}
      {!isHalted && (
        <Button look={isPaused ? 'primary' : 'default'} onPress={isPaused ? acts.resume : acts.pause}>
          {isPaused ? <Play {...icon} /> : <Pause {...icon} />}
          {isPaused ? text.resume : text.pause}
        </Button>
      )}
      <Button onPress={acts.cancel}>
        <X {...icon} />
        {text.cancelJob}
      </Button>
    </>
  );
}

/** Its list of outcomes cannot be brought back, so it asks. */
function ForgetJob({ job, acts }: { job: Job; acts: JobActs }) {
  const [asks, setAsks] = useState(false);
  const close = (): void => setAsks(false);
  const forget = (): void => {
    close();
    acts.forget();
  };
  return (
    <>
      <Button look="quiet" onPress={() => setAsks(true)}>
        <Trash2 {...icon} />
        {text.forget}
      </Button>
      {asks && (
        <Dialog
          title={text.forgetTitle(job.id)}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close} takesFocus>
                {text.keepJob}
              </Button>
              <Button look="danger" onPress={forget}>
                {text.forgetJob}
              </Button>
            </>
          }
        >
          <p>{text.forgetSentence}</p>
        </Dialog>
      )}
    </>
  );
}

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

/** The actions of one job. The host reports their results. */
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
          text: text.jobNotDone(input.id, describeFailure(answer.failure).what),
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

/** A job in one line: its number, its state, when it ran, and its workspace, whichever workspace is current. */
export function JobLine({ job }: { job: Job }) {
  const { id, started, ended } = job;
  const state = jobStateWithin(job);
  return (
    <>
      {text.job(id)}, {!isFinalJob(job) && `${state}, `}
      {started === null ? (
        text.notStarted
      ) : (
        <>
          {text.started} <time dateTime={started}>{formatSecond(new Date(started))}</time>
        </>
      )}
      ,{' '}
      {ended !== null && isFinalJob(job) && (
        <>
          {state} <time dateTime={ended}>{timeAfter(ended, started)}</time>,{' '}
        </>
      )}
      <WorkspaceName id={job.workspaceId} />
    </>
  );
}

/** The day is said once. */
function timeAfter(time: string, before: string | null): string {
  const words = formatSecond(new Date(time));
  return before !== null && formatSecond(new Date(before)).slice(0, dayLength) === words.slice(0, dayLength)
    ? words.slice(dayLength).trim()
    : words;
}

const dayLength = 10;
