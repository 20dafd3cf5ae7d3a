import type { LibraryRow, LibrarySortBy } from '../../../../shared/domain/library.ts';
import { type GridColumn, inOrder, visibleColumns } from '../../../components/data-grid/grid-column.ts';
import { text } from '../strings.ts';
import {
  CountCell,
  HashCell,
  NameCell,
  type RowPreviews,
  SeenCell,
  SeverityCell,
  SizeCell,
  StripCell,
  TagLine,
  type TagSpace,
  TlpCell,
  VaultCell,
  WordCell,
} from './cells.tsx';

/** What cells need besides their row: the same objects as long as the table is there. */
interface CellParts {
  previews: RowPreviews;
  tagSpace: TagSpace;
  /** Of the Gregorian calendar, in UTC. */
  thisYear: number;
  onFetch(row: LibraryRow): void;
}

interface ColumnParts extends CellParts {
  /** Beside the name, where it has no column of its own. */
  marksSeverity: boolean;
}

type Column = Omit<GridColumn<LibraryRow>, 'id' | 'title' | 'isSortable'>;

/**
 * In CSS pixels, both: beside the inspector at 1280 every usual column fits. A name has some twenty characters then,
 * cut in its middle; tags have a chip and the number of the rest.
 */
const [leastName, leastTags] = [122, 124];

/** Bytes, the times and the hits are dropped first when space is short; fixed columns never are. */
function columnsOf({
  previews,
  tagSpace,
  thisYear,
  onFetch,
  marksSeverity,
}: ColumnParts): Readonly<Record<ColumnId, Column>> {
  return {
    hash: { width: 88, isRowHeader: true, cell: (row) => <HashCell row={row} /> },
    name: { width: { flex: 3, min: leastName }, cell: (row) => <NameCell row={row} marksSeverity={marksSeverity} /> },
    bytes: { width: 60, leaves: 9, cell: (row) => <StripCell row={row} previews={previews} /> },
    size: { width: 68, align: 'end', leaves: 1, cell: ({ sizeBytes }) => <SizeCell bytes={sizeBytes} /> },
    type: { width: { flex: 1, min: 88 }, leaves: 4, cell: ({ type }) => <WordCell word={type} /> },
    tags: {
      width: { flex: 3, min: leastTags },
      leaves: 2,
      cell: ({ tags, serviceTags }) => <TagLine tags={tags} serviceTags={serviceTags} space={tagSpace} />,
    },
    tlp: { width: 104, leaves: 3, cell: (row) => <TlpCell row={row} /> },
    severity: { width: 84, leaves: 3.5, cell: (row) => <SeverityCell row={row} /> },
    threat: { width: { flex: 2, min: 104 }, leaves: 5, cell: ({ threat }) => <WordCell word={threat} /> },
    hits: { width: 28, align: 'end', leaves: 6, cell: ({ hits }) => <CountCell count={hits} /> },
    comments: { width: 68, align: 'end', leaves: 6, cell: ({ comments }) => <CountCell count={comments} /> },
    firstSeen: {
      width: 78,
      align: 'end',
      leaves: 8,
      cell: ({ firstSeen }) => <SeenCell time={firstSeen} thisYear={thisYear} />,
    },
    lastSeen: {
      width: 78,
      align: 'end',
      leaves: 7,
      cell: ({ lastSeen }) => <SeenCell time={lastSeen} thisYear={thisYear} />,
    },
    vault: { width: 80, leaves: 10, cell: (row) => <VaultCell row={row} onFetch={onFetch} /> },
  };
}

export function libraryColumns(ids: readonly ColumnId[], parts: CellParts): readonly GridColumn<LibraryRow>[] {
  const columns = columnsOf({ ...parts, marksSeverity: !ids.includes('severity') });
  return ids.map((id) => ({ id, title: text.columns[id], isSortable: id !== 'bytes', ...columns[id] }));
}

/** null: nothing is ordered by it. */
export const sortByColumn = (id: string): LibrarySortBy | null => sorted.find((column) => column === id) ?? null;
const sorted: readonly LibrarySortBy[] = [
  'hash',
  'name',
  'size',
  'type',
  'tags',
  'tlp',
  'severity',
  'threat',
  'hits',
  'comments',
  'firstSeen',
  'lastSeen',
  'vault',
];

export type ColumnId = LibrarySortBy | 'bytes';

/** In their usual order. */
export const columnIds: readonly ColumnId[] = [
  'hash',
  'name',
  'bytes',
  'size',
  'type',
  'tags',
  'tlp',
  'severity',
  'threat',
  'hits',
  'comments',
  'firstSeen',
  'lastSeen',
  'vault',
];

/** A row without its hash or its name could not be identified. */
export const fixedColumns: readonly ColumnId[] = ['hash', 'name'];

export const orderedColumns = (order: readonly string[]): ColumnId[] => inOrder(columnIds, order);

/** The columns that are shown, in their order. */
export const shownColumns = (order: readonly string[], hidden: readonly string[]): ColumnId[] =>
  visibleColumns(columnIds, { order, hidden }, fixedColumns);
