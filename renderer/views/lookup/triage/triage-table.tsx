import {
  Ban,
  Bookmark,
  CircleDashed,
  CircleQuestionMark,
  CircleSlash,
  Cloud,
  Loader,
  type LucideIcon,
  ShieldCheck,
  TriangleAlert,
} from 'lucide-react';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { HashKind } from '../../../../shared/domain/hash.ts';
import { hashKindOf, md5 } from '../../../../shared/domain/hash.ts';
import type { Job } from '../../../../shared/domain/job.ts';
import { type TriageRow, type TriageSortBy, triageSortBy, type TriageState } from '../../../../shared/domain/triage.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import { type ColumnLayout, ColumnsButton } from '../../../components/data-grid/columns-button.tsx';
import { type GridColumn, inOrder, visibleColumns } from '../../../components/data-grid/grid-column.ts';
import { noRows } from '../../../components/data-grid/row-selection.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { formatCount, formatNumber } from '../../../components/format.ts';
import { SampleName, TagChip } from '../../../components/service-text.tsx';
import { severityLevel, SeverityWord } from '../../../components/severity.tsx';
import { chipsThatFit } from '../../../components/tag-field/tag-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { allRowsFilter, newMoment, useTriageStore } from '../../../features/lookup/triage-store.tsx';
import { useLookupStore } from '../../../features/lookup/lookup-store.tsx';
import { useLatest } from '../../../state/presence.ts';
import { useSettings } from '../../../state/settings.ts';
import { shortWorkspaceName } from '../../../state/workspaces.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { useAddHash } from './not-looked-up.tsx';
import { text } from './strings.ts';
import { shortHash, type TriageWindows } from './triage-rows.ts';
import styles from './triage.module.css';

/** A row, and whether its record is being fetched right now. */
interface ShownRow extends TriageRow {
  isActive?: boolean;
}

interface TriageTableProps {
  job: Job | null;
  workspace: string;
  windows: TriageWindows;
  /** The position of the row that the actions mean. */
  current: number | null;
  onCurrent(row: TriageRow): void;
}

/** Every hash in the order of the text; an answer fills its row in place. */
export function TriageTable({ job, workspace, windows, current, onCurrent }: TriageTableProps) {
  const { place, note } = useTriageStore();
  const { choose } = useLookupStore();
  const { values } = useSettings();
  const open = useLatest((hash: string) => choose({ kind: hashKindOf(hash) ?? 'md5', value: hash }));
  const active = useMemo(
    () => new Set(job?.state === 'running' ? job.active.map(({ position }) => position) : []),
    [job],
  );
  const [md5For, setMd5For] = useState<string | null>(null);
  const { shown } = useTriageColumns();
  const columns = useMemo(() => columnsFor(shown, workspace, setMd5For), [shown, workspace]);
  const rowAt = (index: number): ShownRow | undefined => {
    const row = windows.rowAt(index);
    return row?.state === 'waiting' && active.has(row.position) ? { ...row, isActive: true } : row;
  };
  const { sort } = place;
  const grid = (
    <DataGrid
      label={text.table}
      columns={columns}
      count={windows.total ?? place.grid.spot.count ?? 0}
      rowAt={rowAt}
      keyOf={({ position }) => position}
      onRange={windows.onRange}
      sort={sort.by === 'position' ? null : { column: sort.by, descending: sort.descending }}
      onSort={({ column, descending }) => {
        const by = sortColumn(column);
        // A third press on a column leads back to the order of the text.
        const isBack = by === sort.by && sort.descending && !descending;
        if (by !== null)
          note({
            sort: isBack ? { by: 'position', descending: false } : { by, descending },
            moment: newMoment(),
          });
      }}
      selection={place.selection}
      onSelect={(selection) => note({ selection })}
      keysBetween={windows.positionsBetween}
      onOpen={({ hash }) => open(hash)}
      onCurrent={onCurrent}
      currentKey={current}
      memory={place.grid}
      letters={values.singleLetterKeys}
      empty={windows.total === 0 && <NoRow />}
    />
  );
  return (
    <>
      {grid}
      {md5For !== null && <Md5Dialog hash={md5For} workspace={workspace} onClose={() => setMd5For(null)} />}
    </>
  );
}

interface Md5DialogProps {
  hash: string;
  workspace: string;
  onClose(): void;
}

/** The MD5 of a hash by which the repository does not find its sample. */
function Md5Dialog({ hash, workspace, onClose }: Md5DialogProps) {
  const add = useAddHash();
  const [value, setValue] = useState('');
  const [isTried, setTried] = useState(false);
  const parsed = md5.safeParse(value.trim().toLowerCase());
  const submit = (): void => {
    setTried(true);
    if (parsed.success) void add(parsed.data).then((isIn) => isIn && onClose());
  };
  return (
    <Dialog
      title={text.md5Title(hash.slice(0, shortHash))}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" onPress={submit}>
            {text.add}
          </Button>
        </>
      }
    >
      <p>{text.md5Sentence(workspace, hashKindOf(hash) ?? 'sha256')}</p>
      <TextField
        label={text.md5Field}
        mono
        takesFocus
        value={value}
        onChange={setValue}
        problem={isTried && !parsed.success ? text.md5Wrong : null}
        onEnter={submit}
      />
    </Dialog>
  );
}

type ColumnId = keyof typeof text.columns;
const columnIds: readonly ColumnId[] = triageSortBy.options.filter((by) => by !== 'position');
/** A row without its hash or its status means nothing. */
const fixedColumns: readonly ColumnId[] = ['hash', 'state'];

function useTriageColumns(): { order: ColumnId[]; shown: ColumnId[]; change(to: ColumnLayout): void } {
  const { layouts } = useTriageStore();
  const stored = useSyncExternalStore(layouts.subscribe, layouts.snapshot);
  return useMemo(
    () => ({
      order: inOrder(columnIds, stored.order),
      shown: visibleColumns(columnIds, stored, fixedColumns),
      change: (to) => void layouts.change(to),
    }),
    [layouts, stored],
  );
}

/** Which columns the table has, as the person arranged them. */
export function TriageColumns() {
  const { order, shown, change } = useTriageColumns();
  return (
    <ColumnsButton
      size="small"
      titles={text.columns}
      order={order}
      shown={shown}
      fixed={fixedColumns}
      onArrange={change}
      onReset={() => change({ order: [], hidden: [] })}
    />
  );
}

function NoRow() {
  const { note } = useTriageStore();
  return (
    <div className={classNames(layout.row12, layout.inset, typography.muted)}>
      <p>{text.noneSuch}</p>
      <Button size="small" onPress={() => note({ filter: allRowsFilter, selection: noRows, moment: newMoment() })}>
        {text.showAll}
      </Button>
    </div>
  );
}

const sortColumn = (id: string): TriageSortBy | null => triageSortBy.options.find((by) => by === id) ?? null;

type Column = Omit<GridColumn<ShownRow>, 'id' | 'title' | 'isSortable'>;

function columnsFor(
  ids: readonly ColumnId[],
  workspace: string,
  onMd5: (hash: string) => void,
): readonly GridColumn<ShownRow>[] {
  const columns = columnsOf(workspace, onMd5);
  return ids.map((id) => ({ id, title: text.columns[id], isSortable: true, ...columns[id] }));
}

const columnsOf = (workspace: string, onMd5: (hash: string) => void): Readonly<Record<ColumnId, Column>> => ({
  hash: {
    width: 88,
    isRowHeader: true,
    cell: ({ hash, state }) => (
      <code className={classNames(typography.code, state === 'waiting' && typography.faint)} title={hash}>
        {hash.slice(0, shortHash)}
      </code>
    ),
  },
  name: {
    width: { flex: 3, min: 156 },
    cell: (row) => <NameCell row={row} workspace={workspace} onMd5={onMd5} />,
  },
  state: { width: 108, cell: (row) => <StateCell row={row} /> },
  severity: {
    width: 84,
    cell: ({ sample }) => sample && <SeverityWord level={severityLevel(sample.severity, sample.isRecorded)} />,
  },
  threat: { width: { flex: 2, min: 80 }, leaves: 2, cell: ({ sample }) => <Word of={sample?.threat} /> },
  type: {
    width: { flex: 1, min: 86 },
    leaves: 4,
    cell: ({ sample }) => <Word of={sample?.type} shown={shortType} />,
  },
  size: {
    width: 72,
    align: 'end',
    cell: ({ sample }) => (sample === null || sample.sizeBytes === null ? null : formatNumber(sample.sizeBytes)),
  },
  firstSeen: {
    width: 82,
    leaves: 3,
    cell: ({ firstSeen }) =>
      firstSeen && <span title={visibleText(firstSeen)}>{visibleText(firstSeen.slice(0, 10))}</span>,
  },
  tags: { width: tagsWidth, leaves: 1, cell: ({ sample }) => sample && <Tags {...sample} /> },
  hits: { width: 28, align: 'end', cell: (row) => <HitsCell row={row} /> },
});

function NameCell({ row, workspace, onMd5 }: { row: ShownRow; workspace: string; onMd5(hash: string): void }) {
  const { sample, state, hash, failure, conflicts } = row;
  if (sample !== null)
    return (
      <span className={classNames(layout.row4, styles.nameCell)}>
        {conflicts.length > 0 && (
          <TriangleAlert className={typography.warn} size={14} strokeWidth={1.6} aria-label={text.contradicts} />
        )}
        {sample.name === null || sample.name === '' ? (
          <span className={typography.faint}>{text.unnamed}</span>
        ) : (
          <span className={styles.name} title={visibleText(sample.name)}>
            <SampleName name={sample.name} />
          </span>
        )}
      </span>
    );
  if (state === 'unknown')
    return (
      <span className={typography.faint} title={text.notFound(workspace)}>
        {text.notFound(shortWorkspaceName(workspace))}
      </span>
    );
  if (state === 'forbidden') return <span className={typography.faint}>{text.notAllowed(workspace)}</span>;
  if (state === 'failed' && failure !== null)
    return <bdi className={typography.faint}>{describeFailure(failure).what}</bdi>;
  const kind: HashKind = hashKindOf(hash) ?? 'sha256';
  return state === 'needs-md5' ? (
    <span className={typography.faint} title={text.only(kind)}>
      <Button look="inline" size="small" excludeFromTabOrder onPress={() => onMd5(hash)}>
        {text.enterMd5}
      </Button>
    </span>
  ) : null;
}

const icons: Readonly<Record<TriageState | 'active', LucideIcon>> = {
  vault: ShieldCheck,
  known: Bookmark,
  repository: Cloud,
  unknown: CircleQuestionMark,
  'needs-md5': CircleQuestionMark,
  forbidden: Ban,
  failed: TriangleAlert,
  waiting: CircleDashed,
  cancelled: CircleSlash,
  active: Loader,
};

function StateCell({ row: { state, failure, sample, isActive = false } }: { row: ShownRow }) {
  const shown = isActive ? 'active' : state;
  const Icon = icons[shown];
  // Its name and its facts are shown in place of what went wrong.
  const why = failure !== null && sample !== null ? describeFailure(failure).what : null;
  return (
    <span
      className={classNames(layout.row6, shown === 'waiting' && typography.faint)}
      title={why === null ? undefined : text.fetchFailed(text.stateWords[state], why)}
    >
      <Icon className={styles[`icon-${shown}`] ?? ''} size={14} strokeWidth={1.6} aria-hidden="true" />
      {isActive ? text.active : text.stateWords[state]}
    </span>
  );
}

/** Most media types begin alike. */
const shortType = (type: string): string => visibleText(type.replace(/^application\//i, ''));

/** Text of a service. */
function Word({ of: word, shown = visibleText }: { of: string | null | undefined; shown?: (word: string) => string }) {
  if (word === undefined) return null;
  if (word === null || word === '') return <span className={typography.faint}>–</span>;
  return <bdi title={visibleText(word)}>{shown(word)}</bdi>;
}

/** All rows alike: what fits is worked out, and no row is measured. */
const tagsWidth = 132;
const characterWidth = 6;
const aroundTag = 13;

function Tags({ tags, serviceTags }: { tags: readonly string[]; serviceTags: readonly string[] }) {
  const all = [...tags, ...serviceTags];
  const fit = chipsThatFit(
    all.map((tag) => visibleText(tag).length * characterWidth + aroundTag),
    tagsWidth,
  );
  const shown = Math.max(1, fit);
  const rest = all.slice(shown);
  return (
    <span className={classNames(layout.row4, styles.tags)}>
      {all.slice(0, shown).map((tag, at) => (
        <TagChip key={`${at < tags.length ? 'own' : 'service'} ${tag}`} tag={tag} isForeign={at >= tags.length} />
      ))}
      {rest.length > 0 && (
        <span
          className={classNames(typography.smallHint, layout.fixed)}
          title={rest.map((tag) => visibleText(tag)).join(', ')}
        >
          {text.moreTags(rest.length)}
        </span>
      )}
    </span>
  );
}

function HitsCell({ row: { sample, isScanned } }: { row: ShownRow }) {
  if (sample === null) return null;
  if (!isScanned)
    return (
      <span className={typography.faint} title={text.notScanned}>
        –
      </span>
    );
  return (
    <span className={sample.hits === 0 ? typography.faint : typography.strong} title={formatNumber(sample.hits)}>
      {formatCount(sample.hits)}
    </span>
  );
}
