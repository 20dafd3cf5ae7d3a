import { useQueryClient } from '@tanstack/react-query';
import { isFinalJob } from '../../../shared/domain/job.ts';
import { useEvent } from '../../bridge/use-event.ts';

/** Asks anew, by the name of the question, when the records of samples were read. */
export function useReadRecords(question: string): void {
  const client = useQueryClient();
  useEvent('job.changed', (job) => {
    if (
      job.task.kind === 'library-change' &&
      job.task.what === 'records' &&
      (isFinalJob(job) || job.state === 'paused')
    )
      void client.invalidateQueries({ queryKey: [question] });
  });
}
