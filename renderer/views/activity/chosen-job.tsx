import { ScanSearch } from 'lucide-react';
import type { Job } from '../../../shared/domain/job.ts';
import { JobActions } from '../../app/job-actions.tsx';
import { JobPanel } from '../../app/job-items/job-panel.tsx';
import { JobLine } from '../../app/job-line.tsx';
import { useWatchedJob } from '../../app/jobs.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useJobActions } from '../../app/use-job-actions.ts';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { Button } from '../../components/button.tsx';
import { jobTitle } from '../../components/jobs/job-words.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './activity.module.css';
import { text } from './text.ts';

export function ChosenJob({ job }: { job: Job }) {
  const acts = useJobActions(job.id);
  useWatchedJob(job.id);
  return (
    <section className={layout.pane} data-pane aria-label={text.job(job.id)}>
      <header className={classNames(layout.wrapRow, layout.top, styles.head)}>
        <h2 className={classNames(layout.fixed, typography.viewTitle)}>{jobTitle(job)}</h2>
        <p className={classNames(typography.cutNote, styles.line)} data-figures>
          <JobLine job={job} />
        </p>
        <div className={classNames(layout.flex8, layout.fixed)}>
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
