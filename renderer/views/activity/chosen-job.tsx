import { ScanSearch } from 'lucide-react';
import type { Job } from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { jobTitle } from '../../components/jobs/job-words.ts';
import { JobActions, JobLine, useJobActions } from '../../features/jobs/job-actions.tsx';
import { JobPanel } from '../../features/jobs/job-panel.tsx';
import { useWatchedJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import styles from './activity.module.css';
import { text } from './text.ts';

export function ChosenJob({ job }: { job: Job }) {
  const acts = useJobActions(job.id);
  useWatchedJob(job.id);
  return (
    <section className={styles.job} data-pane aria-label={text.job(job.id)}>
      <header className={styles.head}>
        <h2 className={styles.title}>{jobTitle(job)}</h2>
        <p className={styles.line} data-figures>
          <JobLine job={job} />
        </p>
        <div className={styles.actions}>
          <ShowResults job={job} />
          <JobActions job={job} acts={acts} />
        </div>
      </header>
      <JobPanel job={job} acts={acts} />
    </section>
  );
}

/** What a scan found is read in Scan, in the workspace it was made in. */
function ShowResults({ job: { id, task, workspaceId } }: { job: Job }) {
  const { openScan } = useNavigation();
  const { current } = useWorkspaces();
  if ((task.kind !== 'scan' && task.kind !== 'hunt') || workspaceId !== current?.id) return null;
  return (
    <Button onPress={() => openScan(id)}>
      <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.results}
    </Button>
  );
}
