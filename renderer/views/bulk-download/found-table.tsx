import { useMemo, useState } from 'react';
import type { BulkVerdict } from '../../../shared/operations/samples.ts';
import type { ExtractedHash } from '../../../shared/domain/hash-extraction.ts';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { verdictAt } from '../../app/bulk-tally.ts';
import { useSettings } from '../../app/use-settings.ts';
import { numberWords } from '../../components/byte-words.ts';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { figuresWidth, type GridColumn } from '../../components/data-grid/grid-column.ts';
import { OutcomeIcon } from '../../components/jobs/outcome-icon.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './bulk-download.module.css';
import { text } from './text.ts';
import { useWindows } from './use-windows.ts';

interface FoundRow extends ExtractedHash {
  /** From 1. */
  number: number;
  verdict: BulkVerdict | undefined;
}

const icons = { fetch: 'waiting', 'already-here': 'already-here', 'needs-md5': 'needs-md5' } as const;

const columnsFor = (count: number, lines: number): readonly GridColumn<FoundRow>[] => [
  {
    id: 'number',
    title: text.columns.number,
    width: figuresWidth(count),
    align: 'end',
    leaves: 1,
    cell: ({ number }) => <span className={typography.faint}>{numberWords(number)}</span>,
  },
  {
    id: 'hash',
    title: text.columns.hash,
    width: { flex: 1, min: 236 },
    isRowHeader: true,
    cell: ({ value }) => <code title={value}>{value}</code>,
  },
  { id: 'kind', title: text.columns.kind, width: 60, leaves: 3, cell: ({ kind }) => text.kinds[kind] },
  {
    id: 'verdict',
    title: text.columns.verdict,
    width: 124,
    cell: ({ verdict }) =>
      verdict && (
        <span className={classNames(layout.inline6, styles.verdict)}>
          <OutcomeIcon state={icons[verdict]} />
          {text.verdicts[verdict]}
        </span>
      ),
  },
  {
    id: 'line',
    title: text.columns.line,
    width: figuresWidth(lines),
    align: 'end',
    leaves: 2,
    cell: ({ line }) => <span className={typography.faint}>{numberWords(line)}</span>,
  },
];

/** Every hash of the text, once, with what the host says will become of it. */
export function FoundTable({ count, lines }: { count: number; lines: number }) {
  const {
    found,
    check: { tally },
  } = useBulkDesk();
  const { values } = useSettings();
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const hashAt = useWindows(found, range[0], range[1]);
  const columns = useMemo(() => columnsFor(count, lines), [count, lines]);
  const rowAt = (index: number): FoundRow | undefined => {
    const hash = hashAt(index);
    return hash && { ...hash, number: index + 1, verdict: verdictAt(tally, index) };
  };
  return (
    <div className={classNames(layout.fill, styles.table)}>
      <DataGrid
        label={text.table}
        columns={columns}
        count={count}
        rowAt={rowAt}
        keyOf={({ number }) => number}
        onRange={(first, last) => setRange([first, last])}
        letters={values.singleLetterKeys}
      />
    </div>
  );
}
