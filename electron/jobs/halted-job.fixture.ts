import { expect, vi } from 'vitest';
import { isAtRest, type Job } from '../../shared/domain/job.ts';
import type { JobRunner } from './job-runner.ts';

const unfinished = new Error('a job goes on');

/**
 * The job when it is over, halted or asleep, and none is running. Its row is read only then: an expectation that fails
 * every few milliseconds takes the processor from the job.
 */
export function haltedJob(
  jobs: JobRunner,
  id: number,
  often: { timeout?: number; interval?: number } = {},
): Promise<Job> {
  return vi.waitFor(
    () => {
      if (jobs.running > 0) throw unfinished;
      const job = jobs.get(id);
      expect(isAtRest(job), job.state).toBe(true);
      return job;
    },
    { timeout: 30_000, interval: 5, ...often },
  );
}
