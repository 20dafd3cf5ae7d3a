import { useMemo } from 'react';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import {
  type ActiveItem,
  isFinalJob,
  type ItemSort,
  type ItemState,
  type Job,
  type JobItem,
  type JobKind,
} from '../../../shared/domain/job.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { figuresWidth, type GridColumn } from '../../components/data-grid/grid-column.ts';
import type { RowSelection } from '../../components/data-grid/row-selection.ts';
import type { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { describeFailure } from '../../components/failure-format.ts';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { formatNumber, formatSize } from '../../components/format.ts';
import { formatOutcome, jobStateWithin, phaseNames, sizePair } from '../../components/jobs/job-format.ts';
import { OutcomeIcon } from '../../components/jobs/outcome-bar.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { useLookupStore } from '../lookup/lookup-store.tsx';
import { type ItemQuestion, type ItemWindows, readPositions } from './item-windows.ts';
import styles from './job-items.module.css';
import { text } from './strings.ts';

interface JobItemsTableProps {
  job: Job;
  question: ItemQuestion;
  windows: ItemWindows;
  /** How many items there are, or were before one left; null until it is known. */
  total: number | null;
  /** By position: an item's number never changes. */
  selection: RowSelection<number>;
  onSelect(selection: RowSelection<number>): void;
  onSort(sort: ItemQuestion['sort']): void;
  /** Takes the narrowing back. */
  onShowAll(): void;
  memory: GridMemory;
}

/** Every item of a job with its outcome and the reason for it; what is under way is shown as it goes. */
export function JobItemsTable({
  job,
  question,
  windows,
  total,
  selection,
  onSelect,
  onSort,
  onShowAll,
  memory,
}: JobItemsTableProps) {
  const bridge = useBridge();
  const { values } = useSettings();
  const { itemAt, onRange, failure } = windows;
  const columns = useMemo(() => itemColumns(job.task.kind, job.items), [job.task.kind, job.items]);
  const active = useMemo(() => activeByPosition(job), [job]);
  const open = useOpenItem(job);
  const rowAt = (index: number): ShownItem | undefined => {
    const item = itemAt(index);
    const work = item === undefined ? undefined : active.get(item.position);
    return item === undefined || work === undefined ? item : { ...item, active: work };
  };
  const isNarrowed = question.filter.states.length > 0 || question.filter.find !== '';
  return (
    <>
      {failure && (
        <div className={classNames(layout.stack8, styles.reported)}>
          <ReadFailure failure={failure} of="jobs.items" />
        </div>
      )}
      <DataGrid
        label={text.table(job.id)}
        columns={columns}
        count={total ?? 0}
        rowAt={rowAt}
        keyOf={({ position }) => position}
        onRange={onRange}
        sort={question.sort}
        onSort={({ column, descending }) => {
          const by = itemSortColumn(column);
          if (by !== null) onSort({ column: by, descending });
        }}
        selection={selection}
        onSelect={onSelect}
        keysBetween={(first, last) => readPositions(bridge, question, first, last)}
        onOpen={open}
        memory={memory}
        letters={values.singleLetterKeys}
        empty={total === 0 && <NoItem job={job} isNarrowed={isNarrowed} onShowAll={onShowAll} />}
      />
    </>
  );
}

/** While the job runs there may be some later: that is no end, and what it waits for is named. */
function NoItem({ job, isNarrowed, onShowAll }: { job: Job; isNarrowed: boolean; onShowAll(): void }) {
  const words = isNarrowed ? text.noneSuch : text.none;
  return (
    <div className={classNames(layout.row12, layout.inset, typography.muted)}>
      <p>{isFinalJob(job) ? words.final : text.noneYet(words.yet, awaited(job))}</p>
      {isNarrowed && (
        <Button size="small" onPress={onShowAll}>
          {text.showAll}
        </Button>
      )}
    </div>
  );
}

/** What has to happen before a job that is not over has (more) items with an outcome. */
function awaited(job: Job): string {
  const { active, counts, state } = job;
  if (state !== 'running' || job.step !== undefined) return jobStateWithin(job);
  if (counts.waiting === 0) return text.preparing;
  return text.inFlight(formatNumber(active.length), formatNumber(Math.max(0, counts.waiting - active.length)));
}

/**
 * Shows the sample of an item. Another workspace's repository is not asked for it: there the hash only fills the field.
 */
function useOpenItem(job: Job): (item: ShownItem) => void {
  const { lookUpText, setText } = useLookupStore();
  const { openView } = useNavigation();
  const { current } = useWorkspaces();
  return ({ hash, md5 }) => {
    openView('lookup');
    if (current !== null && current.id === (job.workspaceId ?? current.id)) lookUpText(md5 ?? hash);
    else setText(md5 ?? hash);
  };
}

/** An item, and what is being done with it right now. */
type ShownItem = JobItem & { active?: ActiveItem };

const sortedBy: readonly ItemSort['column'][] = ['position', 'hash', 'state', 'sizeBytes'];
const itemSortColumn = (id: string): ItemSort['column'] | null => sortedBy.find((column) => column === id) ?? null;

/** The items of an export and of a check have no names, so the hash gets the width; elsewhere the name gets it. */
const hashWidths = {
  'bulk-download': 96,
  triage: { flex: 4, min: 232 },
  export: { flex: 4, min: 232 },
  upload: 96,
  scan: 96,
  hunt: 96,
  'vault-check': { flex: 4, min: 232 },
  'library-add': 96,
  'library-change': { flex: 4, min: 232 },
  'case-export': 96,
  bundle: 96,
  'bundle-import': 96,
  backup: 96,
} as const;

const hasNames = (kind: JobKind): boolean =>
  kind === 'bulk-download' || kind === 'upload' || kind === 'scan' || kind === 'hunt';

function itemColumns(kind: JobKind, items: number): readonly GridColumn<ShownItem>[] {
  return [
    {
      id: 'position',
      title: text.columns.position,
      width: figuresWidth(items),
      align: 'end',
      isSortable: true,
      leaves: 2,
      cell: ({ position }) => <span className={typography.faint}>{formatNumber(position)}</span>,
    },
    ...(hasNames(kind) && kind !== 'bulk-download' ? [nameColumn] : []),
    {
      id: 'hash',
      title: text.columns.hash,
      width: hashWidths[kind],
      isSortable: true,
      isRowHeader: true,
      cell: ({ hash }) => (
        <code title={hash} className={styles.hash}>
          {hash}
        </code>
      ),
    },
    ...(kind === 'bulk-download' ? [{ ...nameColumn, title: text.columns.sample }] : []),
    {
      id: 'state',
      title: text.columns.state,
      width: 112,
      isSortable: true,
      cell: (item) => <Outcome item={item} kind={kind} />,
    },
    {
      id: 'reason',
      title: text.columns.reason,
      width: { flex: 1, min: 136 },
      leaves: 1,
      spills: true,
      cell: (item) => <Reason item={item} kind={kind} />,
    },
    {
      id: 'sizeBytes',
      title: text.columns.sizeBytes,
      width: 80,
      align: 'end',
      isSortable: true,
      leaves: 3,
      cell: ({ sizeBytes }) => (sizeBytes === null ? null : formatNumber(sizeBytes)),
    },
  ];
}

const nameColumn: GridColumn<ShownItem> = {
  id: 'name',
  title: text.columns.name,
  width: { flex: 2, min: 120 },
  cell: ({ name }) => name !== null && <SampleName name={name} />,
};

function Outcome({ item: { state, active }, kind }: { item: ShownItem; kind: JobKind }) {
  return (
    <span className={classNames(layout.inline6, styles.outcome)}>
      <OutcomeIcon state={active === undefined ? state : 'active'} />
      {active === undefined ? formatOutcome(state, kind) : phaseNames[active.phase]}
    </span>
  );
}

function Reason({ item, kind }: { item: ShownItem; kind: JobKind }) {
  if (item.active !== undefined) return <span className={typography.muted}>{progressWords(item.active)}</span>;
  if (item.state === 'needs-md5')
    return <span className={typography.muted}>{text.md5Unknown(text.kinds[hashKindOf(item.hash) ?? 'sha256'])}</span>;
  if (item.failure === null) return <span className={typography.muted}>{wordsOf(item.state, kind)}</span>;
  const { what, then } = describeFailure(item.failure);
  // The refusal is shown beside it; the reason is in the service's own words.
  return (
    <bdi dir="ltr" className={typography.muted} title={`${what}. ${then}`}>
      {item.failure.kind === 'upload-refused' ? then : what}
    </bdi>
  );
}

function wordsOf(state: ItemState, kind: JobKind): string | null {
  if (state === 'done') return text.doneBy[kind];
  return state === 'already-here' ? text.hereBy[kind] : null;
}

function progressWords({ receivedBytes, totalBytes }: ActiveItem): string | null {
  if (totalBytes !== null) return sizePair(receivedBytes, totalBytes);
  return receivedBytes === 0 ? null : formatSize(receivedBytes);
}

/** What is under way, by position; nothing of a job that is over. */
function activeByPosition(job: Job): ReadonlyMap<number, ActiveItem> {
  return new Map(isFinalJob(job) ? [] : job.active.map((active) => [active.position, active]));
}
