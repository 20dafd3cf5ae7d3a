import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { Button } from '../../components/button.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { FailureRemedy, meaningOf } from '../failure-remedy.tsx';
import type { JobActs } from '../use-job-actions.ts';
import styles from './job-items.module.css';
import { text } from './text.ts';

/** What is to be said of a job as a whole, before its numbers: why it halted, what belongs to no item, where it wrote. */
export function JobTold({ job, acts }: { job: Job; acts: JobActs }) {
  if (job.failure === null && acts.failure === null && job.noticeCount === 0 && job.task.kind !== 'export') return null;
  return (
    <div className={styles.told}>
      {job.failure && <Halt job={job} acts={acts} failure={job.failure} />}
      {acts.failure && <FailureNotice failure={acts.failure} />}
      <ExportPlace job={job} />
      <JobNotices job={job} />
    </div>
  );
}

function Halt({ job, acts, failure }: { job: Job; acts: JobActs; failure: NonNullable<Job['failure']> }) {
  return (
    <FailureNotice
      failure={failure}
      after={isFinalJob(job) ? undefined : text.haltedThen(job.counts.waiting)}
      meaning={meaningOf(failure)}
      action={
        <>
          {!isFinalJob(job) && job.state === 'paused' && <Button size="small" onPress={acts.resume}>{text.resume}</Button>}
          <FailureRemedy failure={failure} />
        </>
      }
    />
  );
}

function ExportPlace({ job: { task, state } }: { job: Job }) {
  if (task.kind !== 'export') return null;
  const path = task.result === null ? task.folder : within(task.folder, task.result);
  return (
    <p className={styles.result}>
      <span>{task.result === null && state !== 'done' ? text.exportsTo : text.exportedTo}</span>
      <code className={styles.path} title={visibleText(path)}><bdi dir="ltr">{visibleText(path)}</bdi></code>
      <CopyIcon text={path} label={text.copyPath} />
    </p>
  );
}

/** As the host's system writes paths. */
function within(folder: string, name: string): string {
  const separator = folder.includes('\\') ? '\\' : '/';
  return `${folder}${folder.endsWith(separator) ? '' : separator}${name}`;
}

/** Failures that belong to no item, such as an archive entry nobody asked for. */
function JobNotices({ job: { notices, noticeCount } }: { job: Job }) {
  if (noticeCount === 0) return null;
  return (
    <details className={styles.notices}>
      <summary>{text.notices(noticeCount)}</summary>
      <ul>
        {notices.map((notice, index) => {
          const { what, then } = sentenceFor(notice);
          // Two notices may say the same, and they only ever grow at the end.
          return <li key={index}><bdi>{visibleText(`${what}. ${then}`)}</bdi></li>;
        })}
        {noticeCount > notices.length && <li>{text.moreNotices(noticeCount - notices.length)}</li>}
      </ul>
    </details>
  );
}
