import { FolderOpen } from 'lucide-react';
import { isFinalJob, type Job, settledItems } from '../../../../shared/domain/job.ts';
import { noHitsOfJob } from '../../../../shared/domain/scan-table.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatMinute, formatNumber } from '../../../components/format.ts';
import { formatJobState } from '../../../components/jobs/job-format.ts';
import { SampleName } from '../../../components/service-text.tsx';
import { JobActions, useJobActions } from '../../../features/jobs/job-actions.tsx';
import { useNextScan } from '../../../features/scans/scan-store.tsx';
import { useKnownJobs } from '../../../state/jobs.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './earlier-scans.module.css';
import { text } from './earlier-strings.ts';

/** A scan or a hunt in two lines: what it looked at, and what it found. */
function EarlierLine({ job }: { job: Job }) {
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
            `${formatJobState(job)}, ${text.progress(formatNumber(settledItems(job)), formatNumber(job.items))}`
          )}
        </span>
        <time className={classNames(typography.cut, typography.smallHint, styles.fact)} dateTime={created}>
          {formatMinute(new Date(created))}
        </time>
      </p>
    </div>
  );
}

function WhatOf({ job: { task, items } }: { job: Job }) {
  if (task.kind === 'scan' && task.name !== null) return <SampleName name={task.name} />;
  return task.kind === 'hunt' ? `${text.hunt}, ${text.samples(items)}` : `${text.scan}, ${text.files(items)}`;
}

/** Only of those in sight: each is asked about by itself. */
function Found({ job }: { job: Job }) {
  const { id, task, state } = job;
  const { data } = useOperation('scans.summary', { jobId: id }, { staleTime: Number.POSITIVE_INFINITY });
  const cancelled = state === 'cancelled' ? [formatJobState({ state, resumesAt: null, failure: null })] : [];
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

const rowHeight = 44;
const columns: readonly GridColumn<Job>[] = [
  {
    id: 'scan',
    title: text.column,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (job) => <EarlierLine job={job} />,
  },
];

/** The scans and hunts of a workspace, newest first. */
export function EarlierScans({ workspaceId }: { workspaceId: string }) {
  const { all, isKnown } = useKnownJobs();
  const { openScan } = useNavigation();
  const { values } = useSettings();
  const [{ earlier, earlierGrid }, note] = useNextScan(workspaceId);
  const scans = all
    .filter(({ task, workspaceId: of }) => (task.kind === 'scan' || task.kind === 'hunt') && of === workspaceId)
    .toSorted((one, other) => other.id - one.id);
  const chosen = scans.find(({ id }) => id === earlier) ?? null;
  if (scans.length === 0) return isKnown && <p className={classNames(typography.note, layout.inset)}>{text.none}</p>;
  return (
    <div className={layout.view}>
      <DataGrid
        label={text.list}
        columns={columns}
        count={scans.length}
        rowAt={(index) => scans[index]}
        keyOf={({ id }) => id}
        currentKey={chosen?.id ?? null}
        onCurrent={({ id }) => note({ earlier: id })}
        onOpen={({ id }) => openScan(id)}
        memory={earlierGrid}
        letters={values.singleLetterKeys}
        rowHeight={rowHeight}
        hasHead={false}
      />
      {chosen !== null && <ChosenScan key={chosen.id} job={chosen} />}
    </div>
  );
}

function ChosenScan({ job }: { job: Job }) {
  const { openScan } = useNavigation();
  const acts = useJobActions(job.id);
  return (
    <>
      {acts.failure !== null && (
        <div className={styles.reported}>
          <FailureNotice failure={acts.failure} />
        </div>
      )}
      <div className={classNames(layout.wrapRow, layout.bottom, styles.foot)}>
        <Button onPress={() => openScan(job.id)}>
          <FolderOpen size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.open}
        </Button>
        <JobActions job={job} acts={acts} />
      </div>
    </>
  );
}
