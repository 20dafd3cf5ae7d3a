import type { Job } from '../../../shared/domain/job.ts';
import { JobActions } from '../../app/job-actions.tsx';
import { JobPanel } from '../../app/job-items/job-panel.tsx';
import { useWatchedJob } from '../../app/jobs.tsx';
import { useJobActions } from '../../app/use-job-actions.ts';
import { jobStateWords, jobTitle } from '../../components/jobs/job-words.ts';
import { secondWords } from '../../components/utc-time.ts';
import styles from './activity.module.css';
import { text } from './text.ts';
import { WorkspaceName } from './workspace-name.tsx';

export function ChosenJob({ job }: { job: Job }) {
  const acts = useJobActions(job.id);
  useWatchedJob(job.id);
  return (
    <section className={styles.job} data-pane aria-label={text.job(job.id)}>
      <header className={styles.head}>
        <h2 className={styles.title}>{jobTitle(job)}</h2>
        <p className={styles.line} data-figures>
          {text.job(job.id)}, {jobStateWords(job).toLowerCase()}, <StartedWords job={job} />, <WorkspaceName id={job.workspaceId} />
        </p>
        <div className={styles.actions}><JobActions job={job} acts={acts} /></div>
      </header>
      <JobPanel job={job} acts={acts} />
    </section>
  );
}

function StartedWords({ job: { started } }: { job: Job }) {
  if (started === null) return text.notStarted;
  return <>{text.started} <time dateTime={started}>{secondWords(new Date(started))}</time></>;
}
