import { TriangleAlert, VolumeX } from 'lucide-react';
import { useMemo } from 'react';
import type { ListedRule, RuleRow, RuleSort } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useSettings } from '../../../app/use-settings.ts';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import type { GridMemory } from '../../../components/data-grid/use-grid-place.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './rules.module.css';
import { text } from './text.ts';
import { extraColumns, gridSortOf, ruleSortOf } from './rule-columns.tsx';
import type { RuleWindows } from './use-rule-windows.ts';

const rowHeight = 44;
const longestFile = 28;
const ruleColumn: GridColumn<ListedRule> = {
  id: 'rule',
  title: text.column,
  width: { flex: 1, min: 180 },
  isRowHeader: true,
  isSortable: true,
  cell: (rule) => <RuleLine rule={rule} />,
};

export interface RuleListProps {
  windows: RuleWindows;
  /** Beside the rule itself. */
  columns: readonly string[];
  sort: RuleSort;
  onSort(sort: RuleSort): void;
  /** Its number. */
  chosen: number | null;
  onChoose(rule: RuleRow): void;
  /** The rule that was chosen is found no more, and this one has its place and the focus. */
  onReplaced(rule: RuleRow): void;
  /** Enter: on to its source. */
  onOpen(): void;
  memory: GridMemory;
}

/** Moving to a rule shows it. */
export function RuleList({
  windows,
  columns,
  sort,
  onSort,
  chosen,
  onChoose,
  onReplaced,
  onOpen,
  memory,
}: RuleListProps) {
  const { values } = useSettings();
  const shown = useMemo(() => [ruleColumn, ...extraColumns(columns)], [columns]);
  return (
    <DataGrid
      label={text.list}
      columns={shown}
      sort={gridSortOf(sort)}
      onSort={(next) => onSort(ruleSortOf(next, sort))}
      count={windows.total ?? memory.spot.count ?? 0}
      rowAt={windows.rowAt}
      keyOf={({ number }) => number}
      onRange={windows.onRange}
      currentKey={chosen}
      onCurrent={onChoose}
      onReplaced={onReplaced}
      onOpen={onOpen}
      memory={memory}
      letters={values.singleLetterKeys}
      rowHeight={rowHeight}
    />
  );
}

function RuleLine({ rule: { name, file, line, description, broken, isMuted, warnings, asks } }: { rule: ListedRule }) {
  return (
    <div className={layout.stack1}>
      <p className={classNames(layout.baseline8, styles.entryLine)}>
        <code className={classNames(typography.cut, styles.entryName)}>
          <bdi>{visibleText(name)}</bdi>
        </code>
        {isMuted && (
          <span className={classNames(layout.row4, typography.smallNote, styles.mark)}>
            <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.muted}
          </span>
        )}
        {warnings.length > 0 && (
          <span
            className={classNames(layout.row4, typography.smallNote, styles.mark, styles.warned)}
            title={warnings.join(', ')}
          >
            <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
            {warnings.some((code) => code.includes('slow')) ? text.slow : text.warned}
          </span>
        )}
        {asks !== undefined && (
          <span className={classNames(layout.row4, typography.smallNote, styles.mark)}>{text.asks(asks)}</span>
        )}
        {broken !== null && (
          <span className={classNames(layout.row4, typography.smallNote, styles.mark, styles.bad)}>
            <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.broken}
          </span>
        )}
      </p>
      <p className={classNames(layout.baseline8, styles.entryLine)}>
        <bdi className={styles.place} title={visibleText(file)}>
          {text.place(visibleText(cutMiddle(file, longestFile)), line)}
        </bdi>
        {description !== null && <bdi className={styles.description}>{visibleText(description)}</bdi>}
      </p>
    </div>
  );
}
