import { useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useMemo, useState } from 'react';
import { addedDepth, type AddedFile, addedPlace, type AddedState } from '../../../shared/domain/addition.ts';
import { isFinalJob, type ItemState, type Job } from '../../../shared/domain/job.ts';
import { remarkText } from '../../../shared/domain/opened-archive.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent, useOperation } from '../../bridge/operations.ts';
import { paced } from '../../bridge/paced.ts';
import { CountToggle } from '../../components/count-toggle.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../components/data-grid/grid-column.ts';
import { describeFailure } from '../../components/failure-format.ts';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { formatNumber } from '../../components/format.ts';
import { jobStateWithin } from '../../components/jobs/job-format.ts';
import { JobProgress } from '../../components/jobs/job-progress.tsx';
import { OutcomeIcon } from '../../components/jobs/outcome-bar.tsx';
import { ThroughputLine } from '../../components/jobs/throughput-line.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { type RowSource, type RowWindow, useRowWindows } from '../../state/row-windows.ts';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import type { JobActs } from '../jobs/job-actions.tsx';
import items from '../jobs/job-items.module.css';
import { JobReport } from '../jobs/job-report.tsx';
import { usePanelPlace } from '../jobs/panel-places.tsx';
import styles from './additions.module.css';
import { text } from './strings.ts';

const refreshEveryMs = 500;
/** What became of each file that was added, members below their archive. */
export function AddedPanel({ job, acts }: { job: Job; acts: JobActs }) {
  const [place] = usePanelPlace(job.id);
  const [toSee, setToSee] = useState(false);
  const { values } = useSettings();
  const { openSample } = useOpenSample();
  const { windows, all, review } = useAdded(job.id, toSee);
  return (
    <div className={layout.view}>
      <JobReport job={job} acts={acts} />
      <div className={classNames(layout.stack12, items.summary)}>
        <JobProgress job={job} />
        <ThroughputLine job={job} />
      </div>
      <div className={classNames(layout.between, items.narrowing)}>
        <div className={layout.flex4} role="group" aria-label={text.narrow}>
          <CountToggle count={all} words={text.all} isSelected={!toSee} onChange={() => setToSee(false)} />
          <CountToggle count={review} words={text.toSee} isSelected={toSee} onChange={() => setToSee(true)} />
        </div>
      </div>
      {windows.failure !== null && <ReadFailure failure={windows.failure} of="library.added" />}
      <DataGrid
        label={text.table(job.id)}
        columns={columns}
        count={windows.total ?? 0}
        rowAt={windows.rowAt}
        keyOf={({ rank }) => rank}
        onRange={windows.onRange}
        onOpen={({ sha256 }) => sha256 !== null && openSample(sha256)}
        memory={place.grid}
        letters={values.singleLetterKeys}
        empty={
          windows.total === 0 && (
            <p className={classNames(layout.inset, typography.muted)}>
              {isFinalJob(job) ? text.noFile : text.noFileYet(jobStateWithin(job))}
            </p>
          )
        }
      />
    </div>
  );
}

/** In the library, where all is that is known of it. */
function useOpenSample(): { openSample(sha256: string): void } {
  const { openView, openSample } = useNavigation();
  return {
    openSample: (sha256) => {
      openView('library');
      openSample(sha256);
    },
  };
}

function useAdded(job: number, toSee: boolean) {
  const bridge = useBridge();
  const client = useQueryClient();
  const source = useMemo(
    (): RowSource<RowWindow<AddedFile>> => ({
      name: 'library.added',
      question: { job, toSee },
      read: async (offset, limit) => {
        const answer = await bridge.call('library.added', { job, toSee, offset, limit });
        return answer.ok ? success({ rows: answer.value.files, total: answer.value.total }) : answer;
      },
    }),
    [bridge, job, toSee],
  );
  const windows = useRowWindows(source);
  const { data } = useOperation('library.added', { job, offset: 0, limit: 1 });
  const refresh = useMemo(
    () => paced(refreshEveryMs, () => client.invalidateQueries({ queryKey: ['library.added'] })),
    [client],
  );
  useEvent('job.changed', (changed) => changed.id === job && refresh());
  // Members come without their job being another.
  useEvent('library.changed', refresh);
  const { states, closed } = data?.counts ?? { states: null, closed: 0 };
  return { windows, all: data?.total ?? 0, review: (states?.failed ?? 0) + (states?.empty ?? 0) + closed };
}

const icons: Record<AddedState, ItemState> = {
  stored: 'done',
  'already-here': 'already-here',
  opened: 'done',
  empty: 'failed',
  failed: 'failed',
  waiting: 'waiting',
};

const columns: readonly GridColumn<AddedFile>[] = [
  {
    id: 'name',
    title: text.columns.name,
    width: { flex: 3, min: 176 },
    isRowHeader: true,
    cell: (file) => <FileName file={file} />,
  },
  {
    id: 'outcome',
    title: text.columns.outcome,
    width: 112,
    cell: ({ state }) => (
      <span className={classNames(layout.inline6, styles.outcome)}>
        <OutcomeIcon state={icons[state]} />
        {text.outcomes[state]}
      </span>
    ),
  },
  {
    id: 'reason',
    title: text.columns.reason,
    width: { flex: 4, min: 176 },
    leaves: 1,
    cell: (file) => <Reason file={file} />,
  },
  {
    id: 'type',
    title: text.columns.type,
    width: { flex: 1, min: 96 },
    leaves: 4,
    cell: ({ mime }) => <span className={typography.muted}>{mime}</span>,
  },
  {
    id: 'sha256',
    title: text.columns.sha256,
    width: 96,
    leaves: 3,
    cell: ({ sha256 }) => (
      <code className={typography.mono} title={sha256 ?? ''}>
        {sha256}
      </code>
    ),
  },
  {
    id: 'size',
    title: text.columns.size,
    width: 80,
    align: 'end',
    leaves: 2,
    cell: ({ sizeBytes, state }) => (state === 'failed' && sizeBytes === 0 ? null : formatNumber(sizeBytes)),
  },
];

function FileName({ file }: { file: AddedFile }) {
  const depth: CSSProperties & Record<'--depth', number> = { '--depth': addedDepth(file) };
  return (
    <span className={classNames(typography.cut, styles.file)} style={depth} title={visibleText(addedPlace(file))}>
      <SampleName name={file.name} />
    </span>
  );
}

function Reason({ file: { failure, archive, remarks } }: { file: AddedFile }) {
  const why = failure ?? archive?.failure ?? null;
  const words = [
    ...(archive === null || archive.state === 'open' ? [] : [text.closed[archive.state]]),
    ...(why === null ? [] : [describeFailure(why).what]),
    ...(archive === null ? [] : [text.members(archive.members)]),
    ...[...(archive?.remarks ?? []), ...remarks].map(remarkText),
  ].join('; ');
  return (
    <bdi dir="ltr" className={typography.muted} title={words}>
      {words}
    </bdi>
  );
}
