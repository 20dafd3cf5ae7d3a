import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import type { Download } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useEvent } from '../../bridge/operations.ts';

/** What the repository of a workspace did when it was last asked: a failure, or null when it answered. */
export interface LastAnswer {
  workspaceId: string;
  failure: Failure | null;
}

interface LastAnswers {
  /** Of whichever repository was asked last. */
  lastAnswer: LastAnswer | null;
  answerOf(workspaceId: string): LastAnswer | null;
  note(answer: LastAnswer): void;
}

const LastAnswerContext = createContext<LastAnswers | null>(null);

export function useLastAnswer(): LastAnswers {
  const answers = useContext(LastAnswerContext);
  if (!answers) throw new TypeError('useLastAnswer outside of LastAnswerProvider');
  return answers;
}

/**
 * A caller in the page that asks a repository notes the result itself; the results of jobs, downloads and drafts of
 * uploads are noted here.
 */
export function LastAnswerProvider({ children }: { children: ReactNode }) {
  /** One a workspace, the newest first. */
  const [answers, setAnswers] = useState<readonly LastAnswer[]>([]);
  const note = useCallback((answer: LastAnswer) => setAnswers((before) => withAnswer(before, answer)), []);
  useEvent('job.changed', (job) => {
    const answer = answerIn(job);
    if (answer !== null) note(answer);
  });
  useEvent('uploads.asked', ({ workspaceId, failure }) => {
    if (failure === null || isOfRepository(failure)) note({ workspaceId, failure });
  });
  useEvent('download.progress', (download) => {
    const answer = answerToDownload(download);
    if (answer !== null) note(answer);
  });
  const value = useMemo(
    (): LastAnswers => ({
      lastAnswer: answers[0] ?? null,
      answerOf: (id) => answers.find(({ workspaceId }) => workspaceId === id) ?? null,
      note,
    }),
    [answers, note],
  );
  return <LastAnswerContext value={value}>{children}</LastAnswerContext>;
}

function withAnswer(before: readonly LastAnswer[], answer: LastAnswer): readonly LastAnswer[] {
  if (isSame(before[0], answer)) return before;
  return [answer, ...before.filter(({ workspaceId }) => workspaceId !== answer.workspaceId)];
}

const isSame = (before: LastAnswer | undefined, { workspaceId, failure }: LastAnswer): boolean =>
  before?.workspaceId === workspaceId &&
  (before.failure === failure || (failure !== null && before.failure?.kind === failure.kind));

/** null: it is under way, or what ended it was not the repository. */
function answerToDownload({ workspaceId, state, failure }: Download): LastAnswer | null {
  if (state === 'done') return { workspaceId, failure: null };
  return isOfRepository(failure) ? { workspaceId, failure } : null;
}

const isOfRepository = (failure: Failure | null): boolean =>
  failure !== null && 'service' in failure && failure.service === 'repository';

/** null: the job has asked nothing yet, or what halted it was not the repository. */
function answerIn(job: Job): LastAnswer | null {
  const { workspaceId, state, failure } = job;
  if (workspaceId === null) return null;
  if (failure !== null) return isOfRepository(failure) ? { workspaceId, failure } : null;
  return wasAnswered(job) && (state === 'running' || state === 'done') ? { workspaceId, failure: null } : null;
}

/** Whether a repository answered a request of a job. A bulk download sends no request for what it has already. */
export function wasAnswered({ task: { kind }, counts }: Pick<Job, 'task' | 'counts'>): boolean {
  if (kind !== 'bulk-download' && kind !== 'upload' && kind !== 'triage') return false;
  const { done, unknown, forbidden, mismatch, refused, vanished } = counts;
  return (
    done + unknown + forbidden + mismatch + refused + vanished + (kind === 'upload' ? counts['already-here'] : 0) > 0
  );
}
