import { useCallback, useEffect, useMemo, useState } from 'react';
import type { LibraryRow, LibrarySort } from '../../../../shared/domain/library.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { RowSelection } from '../../../components/data-grid/row-selection.ts';
import type { GridMemory } from '../../../components/data-grid/use-grid-place.ts';
import { useLatest } from '../../../state/presence.ts';
import { useSettings } from '../../../state/settings.ts';
import type { LibraryRows } from '../library-rows.ts';
import { text } from '../strings.ts';
import { RowPreviews, TagSpace } from './cells.tsx';
import { type ColumnId, libraryColumns, sortByColumn } from './library-columns.tsx';

interface LibraryTableProps {
  rows: LibraryRows;
  columns: readonly ColumnId[];
  sort: LibrarySort;
  onSort(sort: LibrarySort): void;
  selection: RowSelection<string>;
  onSelect(selection: RowSelection<string>): void;
  /** By its hash. */
  current: string | null;
  onCurrent(row: LibraryRow): void;
  /** The current row is no more, and this one has its place. */
  onReplaced(row: LibraryRow): void;
  onOpen(row: LibraryRow): void;
  onFetch(row: LibraryRow): void;
  memory: GridMemory;
}

/** What the query finds. */
export function LibraryTable({
  rows,
  columns,
  sort,
  onSort,
  selection,
  onSelect,
  current,
  onCurrent,
  onReplaced,
  onOpen,
  onFetch,
  memory,
}: LibraryTableProps) {
  const { values } = useSettings();
  const { windows, found, hashesBetween } = rows;
  const [tagSpace] = useState(() => new TagSpace());
  const [thisYear] = useState(() => new Date().getUTCFullYear());
  const { previews, onRange } = usePreviews(rows);
  const fetchRow = useLatest(onFetch);
  const shown = useMemo(
    () => libraryColumns(columns, { previews, tagSpace, thisYear, onFetch: fetchRow }),
    [columns, previews, tagSpace, thisYear, fetchRow],
  );
  const sorted = useMemo(() => ({ column: sort.by, descending: sort.descending }), [sort.by, sort.descending]);
  return (
    <DataGrid
      label={text.list}
      columns={shown}
      count={found?.total ?? memory.spot.count ?? 0}
      rowAt={windows.rowAt}
      keyOf={hashOf}
      onRange={onRange}
      sort={sorted}
      onSort={({ column, descending }) => {
        const by = sortByColumn(column);
        if (by !== null) onSort({ by, descending });
      }}
      selection={selection}
      onSelect={onSelect}
      keysBetween={hashesBetween}
      currentKey={current}
      onCurrent={onCurrent}
      onReplaced={onReplaced}
      onOpen={onOpen}
      memory={memory}
      letters={values.singleLetterKeys}
    />
  );
}

const hashOf = ({ hash }: LibraryRow): string => hash;

/** The byte previews of the visible rows, once those rows are there. */
function usePreviews({ windows }: LibraryRows): { previews: RowPreviews; onRange(first: number, last: number): void } {
  const bridge = useBridge();
  const previews = useMemo(() => new RowPreviews(bridge), [bridge]);
  const [[first, last], setRange] = useState<readonly [number, number]>([0, -1]);
  const { rowAt, onRange: reportRange } = windows;
  useEffect(() => {
    const inSight = Array.from({ length: last - first + 1 }, (_, step) => rowAt(first + step));
    previews.want(inSight.filter((row) => row !== undefined));
  });
  const onRange = useCallback(
    (from: number, to: number) => {
      reportRange(from, to);
      setRange([from, to]);
    },
    [reportRange],
  );
  return { previews, onRange };
}
