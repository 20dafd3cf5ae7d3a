import { FilePlus2 } from 'lucide-react';
import type { Job } from '../../../shared/domain/job.ts';
import { JobActions } from '../../app/job-actions.tsx';
import { JobPanel } from '../../app/job-items/job-panel.tsx';
import { JobLine } from '../../app/job-line.tsx';
import { useWatchedJob } from '../../app/jobs.tsx';
import { useUploadDesk } from '../../app/uploads/upload-desk.tsx';
import { useJobActions } from '../../app/use-job-actions.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { text } from './text.ts';
import { UploadHead } from './upload-head.tsx';

/** What was sent, as it goes. What was left out is one press away. */
export function UploadJob({ job, left }: { job: Job; left: number }) {
  const { leaveJob } = useUploadDesk();
  const acts = useJobActions(job.id);
  useWatchedJob(job.id);
  return (
    <>
      <UploadHead
        state={
          <p className={typography.cutNote} data-figures>
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
      <section className={layout.view} data-pane>
        <JobPanel job={job} acts={acts} />
      </section>
    </>
  );
}
