import type { Job } from '../../shared/domain/job.ts';
import { fail } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';

/** A job as it stands. @throws FailureError `job-missing` */
export async function jobNumbered({ ask }: Pick<CommandRun, 'ask'>, id: number): Promise<Job> {
  const { jobs } = await ask('jobs.list', {});
  return jobs.find((job) => job.id === id) ?? fail({ kind: 'job-missing', id });
}
