import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { type JournalFormat, type JournalWords, journalWords } from '../../../shared/domain/journal-words.ts';
import type { JournalBreak, JournalFilter, JournalLine, JournalRow } from '../../../shared/domain/journal.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { figuresWidth, type GridColumn } from '../../components/data-grid/grid-column.ts';
import type { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import {
  formatExactSize,
  formatNumber,
  formatSecond,
  formatSize,
  readTime,
  timeWidth,
} from '../../components/format.ts';
import { journalRowHeight } from '../../features/journal/journal-place.tsx';
import { useAsker } from '../../features/library/library-reads.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../state/row-windows.ts';
import { useSettings } from '../../state/settings.ts';
import { WorkspaceName } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './journal.module.css';
import { text } from './strings.ts';

/** As many digits as tables show. */
const shortHash = 12;
/** More than a wide row holds. */
const longestDetail = 300;

interface JournalListProps {
  windows: JournalWindows;
  /** What the check found broken; null: nothing is known. */
  broken: JournalBreak | null;
  /** The row that is shown whole. */
  chosen: JournalLine | null;
  onChoose(line: JournalLine): void;
  /** The row that was chosen is in the list no more, and this one has its place and the focus. */
  onReplaced(line: JournalLine): void;
  /** Enter: on to the whole of the row. */
  onOpen(): void;
  memory: GridMemory;
}

/** The rows, newest first. */
export function JournalList({ windows, broken, chosen, onChoose, onReplaced, onOpen, memory }: JournalListProps) {
  const { values } = useSettings();
  const count = windows.total ?? memory.spot.count ?? 0;
  const most = windows.rowAt(0)?.number ?? count;
  const columns = useMemo(() => columnsFor(most, broken), [most, broken]);
  return (
    <DataGrid
      label={text.list}
      columns={columns}
      count={count}
      rowAt={windows.rowAt}
      keyOf={({ number }) => number}
      onRange={windows.onRange}
      currentKey={chosen?.number ?? null}
      onCurrent={onChoose}
      onReplaced={onReplaced}
      onOpen={onOpen}
      memory={memory}
      letters={values.singleLetterKeys}
      rowHeight={journalRowHeight}
    />
  );
}

function columnsFor(most: number, broken: JournalBreak | null): readonly GridColumn<JournalLine>[] {
  const mark = broken && markOf(broken);
  return [
    {
      id: 'number',
      title: text.columns.number,
      width: figuresWidth(most) + (mark === null ? 18 : 36),
      align: 'end',
      isRowHeader: true,
      cell: ({ number }) => <RowNumber number={number} mark={mark?.number === number ? mark.words : null} />,
    },
    {
      id: 'time',
      title: text.columns.time,
      get width() {
        return timeWidth(148);
      },
      cell: ofRow(({ time }) => <span className={typography.faint}>{formatTime(time)}</span>),
    },
    {
      id: 'operation',
      title: text.columns.operation,
      width: 88,
      spills: true,
      cell: ({ row }) => (row === null ? <span className={styles.bad}>{text.noRow}</span> : wordsOf(row).operation),
    },
    {
      id: 'hash',
      title: text.columns.hash,
      width: 92,
      cell: ofRow(
        ({ hash }) =>
          hash !== null && (
            <code className={typography.mono} title={visibleText(hash)}>
              {visibleText(hash.slice(0, shortHash))}
            </code>
          ),
      ),
    },
    {
      id: 'workspace',
      title: text.columns.workspace,
      width: { flex: 1, min: 88 },
      leaves: 2,
      cell: ofRow(({ workspaceId }) => workspaceId !== null && <WorkspaceName id={workspaceId} />),
    },
    {
      id: 'outcome',
      title: text.columns.outcome,
      width: { flex: 1, min: 88 },
      cell: ofRow((row) => <bdi>{wordsOf(row).outcome}</bdi>),
    },
    {
      id: 'detail',
      title: text.columns.detail,
      width: { flex: 3, min: 120 },
      leaves: 1,
      cell: ofRow((row) => <DetailLine line={wordsOf(row).line.slice(0, longestDetail)} />),
    },
  ];
}

/** Where it is cut, all of it is in its title. */
const DetailLine = ({ line }: { line: string }) => (
  <bdi className={typography.faint} title={line}>
    {line}
  </bdi>
);

const ofRow =
  (cell: (row: JournalRow) => React.ReactNode) =>
  ({ row }: JournalLine): React.ReactNode =>
    row === null ? null : cell(row);

/** The row that is broken; where rows are gone, the one before them. */
function markOf(broken: JournalBreak): { number: number; words: string } | null {
  if (broken.number === null) return null;
  const isGone = broken.reason === 'removed' || broken.reason === 'cut-off';
  return isGone ? { number: broken.number - 1, words: text.goneAfter } : { number: broken.number, words: text.broken };
}

function RowNumber({ number, mark }: { number: number; mark: string | null }) {
  if (mark === null) return formatNumber(number);
  return (
    <span className={classNames(styles.bad, layout.inline4, styles.marked)} title={mark}>
      <TriangleAlert size={14} strokeWidth={1.6} role="img" aria-label={mark} />
      {formatNumber(number)}
    </span>
  );
}

interface JournalWindow extends RowWindow<JournalLine> {
  /** Number of the first row of the list; null: there is none. */
  newest: number | null;
  /** Rows that came since, and are held back. */
  newer: number;
}
export type JournalWindows = RowWindows<JournalWindow>;

/** The rows of a filter, window by window, in their current state; rows behind `upTo` are held back. */
export function useJournalWindows(filter: JournalFilter, upTo: number | null): JournalWindows {
  const bridge = useBridge();
  const key = JSON.stringify(filter);
  const asker = useAsker(key);
  const source = useMemo(
    (): RowSource<JournalWindow> => ({
      name: 'journal.list',
      question: { filter, upTo },
      read: async (offset, limit) => {
        const answer = await asker.ask(key, () =>
          bridge.call('journal.list', { asker: asker.id, filter, ...(upTo !== null && { upTo }), offset, limit }),
        );
        if (!answer.ok) return answer;
        const { lines: rows, ...facts } = answer.value;
        return success({ rows, ...facts });
      },
    }),
    [bridge, asker, filter, key, upTo],
  );
  return useRowWindows(source);
}

/** To the second: rows of one minute are many. */
export function formatTime(time: string): string {
  const read = readTime(time);
  return read.kind === 'utc' ? formatSecond(new Date(read.iso)) : visibleText(time);
}

const format: JournalFormat = { time: formatTime, size: formatSize };
const exactFormat: JournalFormat = { time: formatTime, size: formatExactSize };

const wordsOf = (row: JournalRow): JournalWords => journalWords(row, format);
/** Of an entry that is shown whole. */
export const exactWordsOf = (row: JournalRow): JournalWords => journalWords(row, exactFormat);
