import { FilePlus2 } from 'lucide-react';
import type { Job } from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { JobActions, JobLine, useJobActions } from '../../features/jobs/job-actions.tsx';
import { JobPanel } from '../../features/jobs/job-panel.tsx';
import { useUploadStore } from '../../features/uploads/upload-store.tsx';
import { useWatchedJob } from '../../state/jobs.tsx';
import { text } from './text.ts';
import { UploadHead } from './upload-head.tsx';
import styles from './upload.module.css';

/** What was sent, as it goes. What was left out is one press away. */
export function UploadJob({ job, left }: { job: Job; left: number }) {
  const { leaveJob } = useUploadStore();
  const acts = useJobActions(job.id);
  useWatchedJob(job.id);
  return (
    <>
      <UploadHead
        state={
          <p className={styles.jobLine} data-figures>
            <JobLine job={job} />
          </p>
        }
        actions={
          <>
            <JobActions job={job} acts={acts} />
            {/* Behind what changes when the job ends: a press must not land beside it. */}
            <Button look="quiet" onPress={leaveJob}>
              <FilePlus2 size={14} strokeWidth={1.6} aria-hidden="true" />
              {left === 0 ? text.newDraft : text.backToDraft(left)}
            </Button>
          </>
        }
      />
      <section className={styles.job} data-pane>
        <JobPanel job={job} acts={acts} />
      </section>
    </>
  );
}
