import type { Job } from '../../../shared/domain/job.ts';
import { JobActions } from '../../app/job-actions.tsx';
import { JobPanel } from '../../app/job-items/job-panel.tsx';
import { JobLine } from '../../app/job-line.tsx';
import { useWatchedJob } from '../../app/jobs.tsx';
import { useJobActions } from '../../app/use-job-actions.ts';
import { jobTitle } from '../../components/jobs/job-words.ts';
import styles from './activity.module.css';
import { text } from './text.ts';

export function ChosenJob({ job }: { job: Job }) {
  const acts = useJobActions(job.id);
  useWatchedJob(job.id);
  return (
    <section className={styles.job} data-pane aria-label={text.job(job.id)}>
      <header className={styles.head}>
        <h2 className={styles.title}>{jobTitle(job)}</h2>
        <p className={styles.line} data-figures><JobLine job={job} /></p>
        <div className={styles.actions}><JobActions job={job} acts={acts} /></div>
      </header>
      <JobPanel job={job} acts={acts} />
    </section>
  );
}
