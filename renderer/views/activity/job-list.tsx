import { isFinalJob, type Job, settledItems } from '../../../shared/domain/job.ts';
import { useSettings } from '../../app/use-settings.ts';
import { WorkspaceName } from '../../app/workspace-name.tsx';
import { numberWords } from '../../components/byte-words.ts';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../components/data-grid/grid-column.ts';
import { endSentence, jobShare, jobStateWords, jobTitle } from '../../components/jobs/job-words.ts';
import { OutcomeBar } from '../../components/jobs/outcome-bar.tsx';
import { minuteWords } from '../../components/utc-time.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './activity.module.css';
import { text } from './text.ts';

const rowHeight = 72;
const columns: readonly GridColumn<Job>[] = [
  {
    id: 'job',
    title: text.column,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (job) => <JobLine job={job} />,
  },
];

/** Those that are not over first, then the newest. Moving to a job shows it. */
export function JobList({
  jobs,
  chosen,
  onChoose,
}: {
  jobs: readonly Job[];
  chosen: number;
  onChoose(id: number): void;
}) {
  const { values } = useSettings();
  return (
    <DataGrid
      label={text.list}
      columns={columns}
      count={jobs.length}
      rowAt={(index) => jobs[index]}
      keyOf={({ id }) => id}
      currentKey={chosen}
      onCurrent={({ id }) => onChoose(id)}
      letters={values.singleLetterKeys}
      rowHeight={rowHeight}
      hasHead={false}
    />
  );
}

function JobLine({ job }: { job: Job }) {
  const share = jobShare(job);
  return (
    <div className={layout.stack2}>
      <p className={layout.spread}>
        <span className={classNames(typography.name, typography.ellipsis)}>
          {jobTitle(job)} {job.id}
        </span>
        <span className={styles.entryState}>
          {jobStateWords(job)}
          {!isFinalJob(job) && job.step === undefined && share !== null && ` ${share} %`}
        </span>
      </p>
      <p className={layout.spread}>
        <span className={classNames(typography.smallHint, typography.ellipsis, styles.entryFact)}>
          <WorkspaceName id={job.workspaceId} />
        </span>
        <time
          dateTime={job.started ?? job.created}
          className={classNames(typography.smallHint, typography.ellipsis, styles.entryFact)}
        >
          {minuteWords(new Date(job.started ?? job.created))}
        </time>
      </p>
      <p className={classNames(typography.ellipsis, styles.entryCounts)}>
        {isFinalJob(job) ? endSentence(job) : text.of(numberWords(settledItems(job)), numberWords(job.items))}
      </p>
      <OutcomeBar kind={job.task.kind} counts={job.counts} items={job.items} active={job.active.length} size="tiny" />
    </div>
  );
}
