import { isFinalJob, type Job, settledItems } from '../../../../shared/domain/job.ts';
import { noHitsOfJob } from '../../../../shared/domain/scan-format.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { numberWords } from '../../../components/byte-words.ts';
import { jobStateWords } from '../../../components/jobs/job-words.ts';
import { SampleName } from '../../../components/sample-name.tsx';
import { minuteWords } from '../../../components/utc-time.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './list.module.css';
import { text } from './text.ts';

const longestName = 32;

/** A scan or a hunt in two lines: what it looked at, and what it found. */
export function EarlierLine({ job }: { job: Job }) {
  const { created } = job;
  return (
    <div className={layout.stack1}>
      <p className={classNames(layout.spread, styles.line)}>
        <span className={classNames(typography.cutName, styles.name)}>
          <WhatOf job={job} />
        </span>
        {job.task.kind === 'hunt' && (
          <span className={classNames(typography.cut, typography.smallHint, styles.fact)}>
            {text.byRules(job.task.rules)}
          </span>
        )}
      </p>
      <p className={classNames(layout.spread, styles.line)}>
        <span className={classNames(typography.cut, typography.smallHint, styles.fact)}>
          {isFinalJob(job) ? (
            <Found job={job} />
          ) : (
            `${jobStateWords(job)}, ${text.progress(numberWords(settledItems(job)), numberWords(job.items))}`
          )}
        </span>
        <time className={classNames(typography.cut, typography.smallHint, styles.fact)} dateTime={created}>
          {minuteWords(new Date(created))}
        </time>
      </p>
    </div>
  );
}

function WhatOf({ job: { task, items } }: { job: Job }) {
  if (task.kind === 'scan' && task.name !== null) return <SampleName name={task.name} longest={longestName} />;
  return task.kind === 'hunt' ? `${text.hunt}, ${text.samples(items)}` : `${text.scan}, ${text.files(items)}`;
}

/** Only of those in sight: each is asked about by itself. */
function Found({ job }: { job: Job }) {
  const { id, task, state } = job;
  const { data } = useOperation('scans.summary', { jobId: id }, { staleTime: Number.POSITIVE_INFINITY });
  const cancelled = state === 'cancelled' ? [jobStateWords({ state, failure: null })] : [];
  if (data === undefined) return cancelled.join('');
  const hits =
    task.kind === 'hunt' && data.added > 0
      ? [text.added(data.added)]
      : data.withHits > 0
        ? [text.hits(data.withHits)]
        : data.clean > 0
          ? [noHitsOfJob(job)]
          : [];
  const found = [...hits, ...(data.trouble > 0 ? [text.trouble(data.trouble)] : [])];
  return [...cancelled, ...(found.length === 0 ? [text.nothing] : found)].join(', ');
}
