import { useMemo } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { RowSelection } from '../../components/data-grid/row-selection.ts';
import type { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { useLookupDesk } from '../lookup-desk.tsx';
import { useNavigation } from '../navigation.tsx';
import { useSettings } from '../use-settings.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { activeByPosition, itemColumns, itemSortColumn, type ShownItem } from './item-columns.tsx';
import styles from './job-items.module.css';
import { readPositions } from './read-items.ts';
import { text } from './text.ts';
import type { ItemQuestion, ItemWindows } from './use-item-windows.ts';

export interface JobItemsTableProps {
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
        <div className={styles.told}>
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
        empty={total === 0 && <NoItem isNarrowed={isNarrowed} onShowAll={onShowAll} />}
      />
    </>
  );
}

function NoItem({ isNarrowed, onShowAll }: { isNarrowed: boolean; onShowAll(): void }) {
  return (
    <div className={styles.none}>
      <p>{isNarrowed ? text.noneSuch : text.none}</p>
      {isNarrowed && (
        <Button size="small" onPress={onShowAll}>
          {text.showAll}
        </Button>
      )}
    </div>
  );
}

/**
 * Shows the sample of an item. Another workspace's repository is not asked for it: there the hash only fills the field.
 */
function useOpenItem(job: Job): (item: ShownItem) => void {
  const { ask, setText } = useLookupDesk();
  const { openRoom } = useNavigation();
  const { current } = useWorkspaces();
  return ({ hash, md5 }) => {
    openRoom('lookup');
    if (current !== null && current.id === (job.workspaceId ?? current.id)) ask(md5 ?? hash);
    else setText(md5 ?? hash);
  };
}
