import { ArrowDown, ArrowUp, Check } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './data-grid.module.css';
import type { GridColumn, GridSort } from './grid-column.ts';

/** English of the table. */
const text = {
  tickAll: 'Select all',
  someTicked: 'Some are selected',
  notLoaded: '…',
} as const;

export interface GridRowProps<Row> {
  row: Row | undefined;
  index: number;
  /** As `aria-rowindex` counts: the row of column heads is the first. */
  rowIndex: number;
  /** CSS pixels from the top of the first row. */
  top: number;
  height: number;
  columns: readonly GridColumn<Row>[];
  /** null where rows are not ticked. */
  isTicked: boolean | null;
  /** Whether a tick tints the row. */
  isTinted: boolean;
  isCurrent: boolean;
  isTabStop: boolean;
}

/** One row. It draws again only when something of its own changes: clicks and keys are the table's. */
function Row<R>({
  row,
  index,
  rowIndex,
  top,
  height,
  columns,
  isTicked,
  isTinted,
  isCurrent,
  isTabStop,
}: GridRowProps<R>): ReactNode {
  const firstColumn = isTicked === null ? 1 : 2;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={isTicked ?? undefined}
      aria-current={isCurrent || undefined}
      aria-busy={row === undefined || undefined}
      data-index={index}
      tabIndex={isTabStop ? 0 : -1}
      className={classNames(styles.row, isTicked === true && isTinted && styles.ticked, isCurrent && styles.current)}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      {isTicked !== null && (
        <div role="gridcell" aria-colindex={1} className={styles.tick} data-tick>
          <TickBox state={isTicked ? 'all' : 'none'} />
        </div>
      )}
      {cellsOf(row, columns).map(({ column, at, content, span }) => (
        <div
          key={column.id}
          role={column.isRowHeader === true ? 'rowheader' : 'gridcell'}
          aria-colindex={at + firstColumn}
          aria-colspan={span > 1 ? span : undefined}
          className={classNames(
            typography.cut,
            span > 1 && styles.wide,
            column.align === 'end' && styles.end,
            column.isRowHeader === true && styles.name,
          )}
        >
          {content}
        </div>
      ))}
    </div>
  );
}

export const GridRow = memo(Row);

interface Cell<R> {
  column: GridColumn<R>;
  at: number;
  content: ReactNode;
  /** Columns it takes. */
  span: number;
}

function cellsOf<R>(row: R | undefined, columns: readonly GridColumn<R>[]): Cell<R>[] {
  const cells = columns.map((column, at) => ({
    column,
    at,
    content: row === undefined ? column.isRowHeader === true && text.notLoaded : column.cell(row),
    span: 1,
  }));
  return cells.flatMap((cell, at) => {
    const hasSpace = (index: number): boolean =>
      row !== undefined && columns[index]?.spills === true && cells[index + 1]?.content === null;
    if (hasSpace(at - 1)) return [];
    return hasSpace(at) ? [{ ...cell, span: 2 }] : [cell];
  });
}

export function TickBox({ state }: { state: 'all' | 'some' | 'none' }) {
  return (
    <span className={classNames(layout.middle, styles.box, state !== 'none' && styles.filled)} aria-hidden="true">
      {state === 'all' && <Check size={12} strokeWidth={2.4} />}
      {state === 'some' && <span className={styles.dash} />}
    </span>
  );
}

interface GridHeadProps<Row> {
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
