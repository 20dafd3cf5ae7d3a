import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { Download } from '../../shared/domain/download.ts';
import type { Job } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';
import { useEvent } from '../bridge/use-event.ts';

/** What the repository of a workspace did when it was last asked: a failure, or null when it answered. */
export interface LastAnswer {
  workspaceId: string;
  failure: Failure | null;
}

interface LastAnswers {
  lastAnswer: LastAnswer | null;
  note(answer: LastAnswer): void;
}

const LastAnswerContext = createContext<LastAnswers | null>(null);

export function useLastAnswer(): LastAnswers {
  const answers = useContext(LastAnswerContext);
  if (!answers) throw new TypeError('useLastAnswer outside of LastAnswerProvider');
  return answers;
}

/** Whoever asks a repository from the page notes what came of it; what jobs and downloads meet is noted here. */
export function LastAnswerProvider({ children }: { children: ReactNode }) {
  const [lastAnswer, setLastAnswer] = useState<LastAnswer | null>(null);
  const note = useCallback((answer: LastAnswer) => setLastAnswer((before) => (isSame(before, answer) ? before : answer)), []);
  useEvent('job.changed', (job) => {
    const answer = answerIn(job);
    if (answer !== null) note(answer);
  });
  useEvent('download.progress', (download) => {
    const answer = answerToDownload(download);
    if (answer !== null) note(answer);
  });
  return <LastAnswerContext value={useMemo(() => ({ lastAnswer, note }), [lastAnswer, note])}>{children}</LastAnswerContext>;
}

const isSame = (before: LastAnswer | null, { workspaceId, failure }: LastAnswer): boolean =>
  before?.workspaceId === workspaceId && (before.failure === failure || (failure !== null && before.failure?.kind === failure.kind));

/** null: it is under way, or what ended it was not the repository. */
function answerToDownload({ workspaceId, state, failure }: Download): LastAnswer | null {
  if (state === 'done') return { workspaceId, failure: null };
  return failure !== null && 'service' in failure ? { workspaceId, failure } : null;
}

/** null: the job has asked nothing yet, or what halted it was not the repository. */
function answerIn({ task, workspaceId, state, failure, counts }: Job): LastAnswer | null {
  if (task.kind === 'export' || workspaceId === null) return null;
  if (failure !== null) return 'service' in failure ? { workspaceId, failure } : null;
  const isAnswered = counts.done + counts.unknown + counts.forbidden + counts.mismatch + counts.refused + counts.vanished > 0;
  return isAnswered && (state === 'running' || state === 'done') ? { workspaceId, failure: null } : null;
}
