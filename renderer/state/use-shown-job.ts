import { useCallback, useState } from 'react';
import { isFinalJob, type Job, type JobKind } from '../../shared/domain/job.ts';
import { useJob, useJobs } from './jobs.tsx';

export interface ShownJob {
  job: Job | null;
  showJob(id: number): void;
  leaveJob(): void;
}

/**
 * The job that was begun in a room; else, after the page was loaded again, the newest of that kind in the workspace
 * that is not over. `workspaceId` null: none is looked for.
 */
export function useShownJob(kind: JobKind, workspaceId: string | null): ShownJob {
  const jobs = useJobs();
  const [id, showJob] = useState<number | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const running =
    workspaceId === null
      ? undefined
      : jobs.find(
          (known) =>
            known.task.kind === kind && known.workspaceId === workspaceId && !isFinalJob(known) && !left.has(known.id),
        );
  // Kept from then on: its end is read where it was watched.
  if (id === null && running !== undefined) showJob(running.id);
  const leaveJob = useCallback(() => {
    // Those that run are in Activity: none of them comes back here by itself.
    setLeft(new Set(jobs.map((known) => known.id)));
    showJob(null);
  }, [jobs]);
  return { job: useJob(id), showJob, leaveJob };
}
