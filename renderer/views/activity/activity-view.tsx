import { Activity, ListChecks, ScanSearch } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isAsleep, isFinalJob, type Job, settledItems } from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../components/data-grid/grid-column.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { formatMinute, formatNumber } from '../../components/format.ts';
import { endSentence, formatJobState, jobShare, jobStateWithin, jobTitle } from '../../components/jobs/job-format.ts';
import { OutcomeBar } from '../../components/jobs/outcome-bar.tsx';
import { JobActions, JobLine, useJobActions } from '../../features/jobs/job-actions.tsx';
import { JobPanel } from '../../features/jobs/job-panel.tsx';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { useKnownJobs, useWatchedJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces, WorkspaceName } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './activity.module.css';

/** Every job, running and past, and the chosen one with all its items. */
export function ActivityView() {
  const { all, byId, isKnown, failure } = useKnownJobs();
  const { chosenJob, chooseJob } = useNavigation();
  const view = useRef<HTMLDivElement>(null);
  const onKeyDown = useLetterButtons(view);
  useKeptFocus(view);
  const chosen = (chosenJob === null ? undefined : byId.get(chosenJob)) ?? all[0] ?? null;
  const chosenId = chosen?.id ?? null;
  // The job that is read stays the one that is read when a newer one begins.
  useEffect(() => {
    if (chosenId !== null && chosenId !== chosenJob) chooseJob(chosenId);
  }, [chosenId, chosenJob, chooseJob]);
  const past = all.filter(isFinalJob).length;
  const still = all.filter(({ state }) => state === 'paused');
  const waiting = all.filter(isAsleep).length;
  const halted = still.filter(({ failure: why }) => why !== null).length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of the buttons inside
    <div ref={view} className={layout.view} onKeyDown={onKeyDown}>
      {failure && (
        <div className={layout.inset}>
          <ReadFailure failure={failure} of="jobs.list" />
        </div>
      )}
      {isKnown && all.length === 0 && <NoJob />}
      {chosen !== null && (
        <div className={classNames(layout.panes, styles.panes)}>
          <section className={classNames(layout.pane, styles.list)} data-pane aria-label={text.list}>
            <header className={classNames(layout.wrapRow, layout.top, styles.listHead)}>
              <h1 className={classNames(layout.fixed, typography.viewTitle)}>{text.title}</h1>
              <span className={classNames(typography.cutNote, styles.line)} data-figures>
                {text.line({
                  running: all.length - past - still.length - waiting,
                  waiting,
                  halted,
                  paused: still.length - halted,
                  ended: past,
                })}
              </span>
            </header>
            <JobList jobs={all} chosen={chosen.id} onChoose={chooseJob} />
          </section>
          <ChosenJob key={chosen.id} job={chosen} />
        </div>
      )}
    </div>
  );
}

function NoJob() {
  const { openView } = useNavigation();
  return (
    <div data-pane>
      <header className={classNames(layout.wrapRow, layout.top, styles.listHead)}>
        <h1 className={classNames(layout.fixed, typography.viewTitle)}>{text.title}</h1>
      </header>
      <EmptyState
        icon={<Activity size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={
          <Button look="primary" onPress={() => openView('bulk-download')}>
            {text.emptyAction}
          </Button>
        }
      />
    </div>
  );
}

/** English of the activity. */
export const text = {
  title: 'Activity',
  line: (counts: Readonly<Record<'running' | 'waiting' | 'halted' | 'paused' | 'ended', number>>) =>
    Object.entries(counts)
      .flatMap(([word, count]) => (count === 0 ? [] : `${count} ${word}`))
      .join(', '),
  list: 'Jobs',
  column: 'Job',
  emptyTitle: 'No jobs yet',
  emptySentence:
    'Bulk downloads, scans and exports run as jobs. Their progress and results are shown here, even after a restart.',
  emptyAction: 'Start bulk download',
  job: (id: number) => `Job ${id}`,
  results: 'Show results',
  table: 'Show table',
  of: (settled: string, items: string) => `${settled} of ${items}`,
} as const;

const rowHeight = 72;
const columns: readonly GridColumn<Job>[] = [
  {
    id: 'job',
    title: text.column,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (job) => <ListedJob job={job} />,
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

function ListedJob({ job }: { job: Job }) {
  const share = jobShare(job);
  const sleeps = isAsleep(job);
  return (
    <div className={layout.stack2}>
      <p className={layout.spread}>
        <span className={classNames(typography.name, typography.ellipsis)}>
          {jobTitle(job)} {job.id}
        </span>
        <span className={styles.entryState}>
          {/* The time would leave no place for the name of the job. */}
          {formatJobState(sleeps ? { ...job, resumesAt: null } : job)}
          {!isFinalJob(job) && !sleeps && job.step === undefined && share !== null && ` ${share} %`}
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
          {formatMinute(new Date(job.started ?? job.created))}
        </time>
      </p>
      <p className={classNames(typography.ellipsis, styles.entryCounts)}>
        {isFinalJob(job) ? endSentence(job) : text.of(formatNumber(settledItems(job)), formatNumber(job.items))}
        {sleeps && `, ${jobStateWithin(job)}`}
      </p>
      <OutcomeBar
        kind={job.task.kind}
        counts={job.counts}
        items={job.items}
        active={isFinalJob(job) ? [] : job.active}
        size="tiny"
      />
    </div>
  );
}

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

/** What a scan found is read in Scan, and the table of many hashes in Look up, in the workspace it was made in. */
function ShowResults({ job: { id, task, workspaceId } }: { job: Job }) {
  const { openScan, openView } = useNavigation();
  const { openMany } = useLookupStore();
  const { current } = useWorkspaces();
  if (workspaceId !== current?.id) return null;
  if (task.kind === 'triage')
    return (
      <Button
        onPress={() => {
          openMany(id);
          openView('lookup');
        }}
      >
        <ListChecks size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.table}
      </Button>
    );
  if (task.kind !== 'scan' && task.kind !== 'hunt') return null;
  return (
    <Button onPress={() => openScan(id)}>
      <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.results}
    </Button>
  );
}
