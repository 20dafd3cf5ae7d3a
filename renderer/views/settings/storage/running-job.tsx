import type { Job } from '../../../../shared/domain/job.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { JobProgress } from '../../../components/jobs/job-progress.tsx';
import { useNavigation } from '../../../state/navigation.tsx';

/** A job that this section began, how far it is, and the way to it. */
export function RunningJob({ job, label }: { job: Job; label: string }) {
  const { openJob } = useNavigation();
  return (
    <>
      <JobProgress job={job} />
      {job.failure && <FailureNotice failure={job.failure} />}
      <div>
        <Button size="small" look="quiet" onPress={() => openJob(job.id)}>
          {label}
        </Button>
      </div>
    </>
  );
}
