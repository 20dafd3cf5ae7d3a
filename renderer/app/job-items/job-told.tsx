import { isFinalJob, type Job, type JobKind } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FailureRemedy, meaningOf } from '../failure-remedy.tsx';
import type { JobActs } from '../use-job-actions.ts';
import { ChangeTold } from './change-told.tsx';
import styles from './job-items.module.css';
import { text } from './text.ts';
import { WrittenTold } from './written-told.tsx';

/** Kinds of which more is told than how far they are. */
const saysMore: ReadonlySet<JobKind> = new Set([
  'export',
  'library-change',
  'case-export',
  'bundle',
  'bundle-import',
  'backup',
]);

/**
 * What is to be said of a job as a whole, before its numbers: why it halted, what belongs to no item, where it wrote.
 */
export function JobTold({ job, acts }: { job: Job; acts: JobActs }) {
  if (job.failure === null && acts.failure === null && job.noticeCount === 0 && !saysMore.has(job.task.kind))
    return null;
  return (
    <div className={styles.told}>
      {job.failure && <Halt job={job} acts={acts} failure={job.failure} />}
      {acts.failure && <FailureNotice failure={acts.failure} />}
      <WrittenTold job={job} />
      <ChangeTold job={job} />
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
          {!isFinalJob(job) && job.state === 'paused' && (
            <Button size="small" onPress={acts.resume}>
              {text.resume}
            </Button>
          )}
          <FailureRemedy failure={failure} />
        </>
      }
    />
  );
}

/** Failures that belong to no item: an archive entry nobody asked for, or a file that was gone before a scan began. */
function JobNotices({ job }: { job: Job }) {
  const { notices, noticeCount } = job;
  if (noticeCount === 0) return null;
  return (
    <details className={styles.notices}>
      <summary>{titleOf(job)(noticeCount)}</summary>
      <ul>
        {notices.map((notice, index) => {
          const { what, then } = failureWords(notice);
          // Two notices may say the same, and they only ever grow at the end.
          return (
            <li key={index}>
              <bdi dir="ltr">{`${what}. ${then}`}</bdi>
            </li>
          );
        })}
        {noticeCount > notices.length && <li>{text.moreNotices(noticeCount - notices.length)}</li>}
      </ul>
    </details>
  );
}

const gone = new Set<Failure['kind']>(['file-gone', 'file-changed', 'file-unreadable']);

/** Where all that is told is of one kind, it is said at once. */
function titleOf({ task, notices, noticeCount }: Job): (count: number) => string {
  // Of more than a job keeps, nobody knows what the others are.
  if (noticeCount > notices.length) return text.notices;
  if (task.kind === 'scan' && notices.every(({ kind }) => gone.has(kind))) return text.notScanned;
  if (notices.every(({ kind }) => kind === 'scan-rule-left-out')) return text.rulesLeftOut;
  if (notices.every(({ kind }) => kind === 'scan-variables-unknown')) return () => text.variablesUnknown;
  return text.notices;
}
