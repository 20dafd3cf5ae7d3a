import { isFinalJob, type Job } from '../../shared/domain/job.ts';
import { secondWords } from '../components/format.ts';
import { jobStateWords } from '../components/jobs/job-format.ts';
import { text } from './text.ts';
import { WorkspaceName } from './workspace-name.tsx';

/** A job in one line: its number, how it stands, when it ran, and whose it is, whichever workspace is current. */
export function JobLine({ job }: { job: Job }) {
  const { id, started, ended } = job;
  const state = jobStateWords(job).toLowerCase();
  return (
    <>
      {text.job(id)}, {!isFinalJob(job) && `${state}, `}
      {started === null ? (
        text.notStarted
      ) : (
        <>
          {text.started} <time dateTime={started}>{secondWords(new Date(started))}</time>
        </>
      )}
      ,{' '}
      {ended !== null && isFinalJob(job) && (
        <>
          {state} <time dateTime={ended}>{timeAfter(ended, started)}</time>,{' '}
        </>
      )}
      <WorkspaceName id={job.workspaceId} />
    </>
  );
}

/** The day is said once. */
function timeAfter(time: string, before: string | null): string {
  const words = secondWords(new Date(time));
  return before !== null && secondWords(new Date(before)).slice(0, dayLength) === words.slice(0, dayLength)
    ? words.slice(dayLength).trim()
    : words;
}

const dayLength = 10;
