import { isFinalJob, type Job, settledItems } from '../../../shared/domain/job.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { formatDuration, formatNumber, formatSize } from '../format.ts';
import { endSentence, formatMissing, sizePair } from './job-format.ts';
import styles from './jobs.module.css';
import { OutcomeBar } from './outcome-bar.tsx';
import { text } from './strings.ts';

/** How far a job is, in one line over its bar. A job that is over is a sentence. */
export function JobProgress({ job }: { job: Job }) {
  const settled = settledItems(job);
  const { numbers, words } =
    job.items === 0 ? text.notCounted : text.progress(formatNumber(settled), formatNumber(job.items));
  const missing = formatMissing(job);
  return (
    <div className={layout.stack8}>
      <div className={classNames(layout.baselineWrap, styles.headline)} data-figures data-landing tabIndex={-1}>
        <p className={classNames(layout.baselineWrap, styles.reported)} role="status">
          {isFinalJob(job) && (
            <>
              <strong className={typography.headline}>{endSentence(job)}</strong>
              {missing !== '' && <span className={typography.muted}>{missing}</span>}
            </>
          )}
        </p>
        {!isFinalJob(job) && (
          <p className={classNames(layout.baselineWrap, styles.reported)}>
            <strong className={typography.headline}>{numbers}</strong>
            {words !== '' && <span className={typography.muted}>{words}</span>}
          </p>
        )}
        <JobFigures job={job} />
      </div>
      <div
        role="progressbar"
        aria-label={text.progressLabel}
        aria-valuemin={0}
        // A range of nothing has no value: nothing is counted yet.
        {...(job.items > 0 && { 'aria-valuemax': job.items, 'aria-valuenow': settled })}
        aria-valuetext={`${numbers} ${words}`.trim()}
      >
        <OutcomeBar
          kind={job.task.kind}
          counts={job.counts}
          items={job.items}
          active={isFinalJob(job) ? [] : job.active}
        />
      </div>
    </div>
  );
}

function JobFigures({ job }: { job: Job }) {
  const { bytes, expectedBytes, bytesPerSecond, secondsLeft, step } = job;
  const runs = job.state === 'running';
  const known = expectedBytes !== null && expectedBytes > 0 && !isFinalJob(job);
  return (
    <p className={classNames(typography.note, styles.figures)}>
      {runs && step !== undefined && <span>{text.steps[step]}</span>}
      {(bytes > 0 || known) && <span>{known ? sizePair(bytes, expectedBytes) : formatSize(bytes)}</span>}
      {runs && bytesPerSecond > 0 && <span>{text.rate(formatSize(bytesPerSecond))}</span>}
      {runs && secondsLeft !== null && <strong>{text.left(formatDuration(secondsLeft))}</strong>}
    </p>
  );
}
