import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo } from 'react';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './data-grid.module.css';
import type { GridColumn, GridSort } from './grid-column.ts';
import { TickBox } from './grid-row.tsx';
import { text } from './text.ts';

export interface GridHeadProps<Row> {
  columns: readonly GridColumn<Row>[];
  sort: GridSort | null;
  /** null where rows are not ticked. */
  ticks: 'all' | 'some' | 'none' | null;
  /** The column head that is the table's tab stop; null while a row is. */
  tabStop: number | null;
}

/**
 * The row of column heads. Its clicks and keys are the table's: left and right, Enter sorts. Rows that come or are
 * walked among do not draw it again.
 */
function Head<Row>({ columns, sort, ticks, tabStop }: GridHeadProps<Row>) {
  const before = ticks === null ? 0 : 1;
  const cell = (at: number) => ({
    role: 'columnheader' as const,
    'aria-colindex': at + 1,
    'data-head': at,
    tabIndex: tabStop === at ? 0 : -1,
  });
  return (
    <div role="rowgroup" className={styles.heads}>
      <div role="row" aria-rowindex={1} className={styles.head}>
        {ticks !== null && (
          <div
            {...cell(0)}
            aria-selected={ticks === 'all'}
            aria-description={ticks === 'some' ? text.someTicked : undefined}
            className={styles.tick}
          >
            <span className={aloud.only}>{text.tickAll}</span>
            <TickBox state={ticks} />
          </div>
        )}
        {columns.map((column, index) => (
          <div
            key={column.id}
            {...cell(index + before)}
            aria-sort={sortOf(column, sort)}
            className={classNames(
              layout.row4,
              styles.title,
              column.align === 'end' && styles.end,
              column.isSortable === true && styles.sortable,
            )}
          >
            <span className={typography.cut}>{column.title}</span>
            <SortArrow isShown={sort?.column === column.id} descending={sort?.descending ?? false} />
          </div>
        ))}
      </div>
    </div>
  );
}

export const GridHead = memo(Head);

function sortOf<Row>(
  { id, isSortable }: GridColumn<Row>,
  sort: GridSort | null,
): 'ascending' | 'descending' | 'none' | undefined {
  if (isSortable !== true) return undefined;
  if (sort?.column !== id) return 'none';
  return sort.descending ? 'descending' : 'ascending';
}

function SortArrow({ isShown, descending }: { isShown: boolean; descending: boolean }) {
  if (!isShown) return null;
  const Arrow = descending ? ArrowDown : ArrowUp;
  return <Arrow size={12} strokeWidth={2} aria-hidden="true" />;
}
