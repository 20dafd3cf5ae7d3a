import { TriangleAlert, VolumeX } from 'lucide-react';
import { useId, useMemo } from 'react';
import type { ListedRule, RuleRow, RuleSort } from '../../../../shared/domain/publication.ts';
import {
  longestRuleQuery,
  ruleFields,
  type RuleQueryProblem,
  ruleQuerySentence,
} from '../../../../shared/domain/rule-query.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import type { GridMemory } from '../../../components/data-grid/use-grid-place.ts';
import { FindField } from '../../../components/find-field.tsx';
import { cutMiddle } from '../../../components/format.ts';
import { QueryHelp, QueryProblemLine } from '../../../components/query-parts.tsx';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../../state/row-windows.ts';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { extraColumns, gridSortOf, ruleSortOf } from './rule-columns.tsx';
import styles from './rules.module.css';
import { text } from './strings.ts';

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

interface RuleListProps {
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

/** With what it answers: rows are numbered in their own package. */
export interface RuleWindow extends RowWindow<ListedRule> {
  sha256: string;
  find: string;
  /** The most frequent ones of the package. */
  metaKeys: readonly string[];
}
type RuleWindows = RowWindows<RuleWindow>;

interface RuleListQuestion {
  find: string;
  sort: RuleSort;
  /** Keys of meta. The same array as long as it does not change. */
  columns: string[];
}

/** The rules of the active package in sight that a search finds. */
export function useRuleWindows(workspaceId: string, { find, sort, columns }: RuleListQuestion): RuleWindows {
  const bridge = useBridge();
  const source = useMemo(
    (): RowSource<RuleWindow> => ({
      name: 'publications.rules',
      question: { workspaceId, find, sort, columns },
      read: async (offset, limit) => {
        const answer = await bridge.call('publications.rules', { workspaceId, find, sort, columns, offset, limit });
        return answer.ok ? success({ ...answer.value, find }) : answer;
      },
    }),
    [bridge, workspaceId, find, sort, columns],
  );
  return useRowWindows(source);
}

interface RuleQueryFieldProps {
  value: string;
  problem: RuleQueryProblem | null;
  /** The query whose rules are shown while this one cannot be read. */
  shown: string;
  onChange(value: string): void;
  /** On to what was found. */
  onDown(): void;
}

const fields = ruleFields.map(({ name, does, example }) => ({
  name: name === 'meta' ? 'meta.KEY' : name,
  does,
  example,
}));

/** The search over rules, with what is wrong with it below, and its fields in a dialog. */
export function RuleQueryField({ value, problem, shown, onChange, onDown }: RuleQueryFieldProps) {
  const id = useId();
  return (
    <>
      <div className={classNames(layout.row4, styles.queryField)}>
        <FindField
          label={text.find}
          placeholder={text.findShort}
          value={value}
          longest={longestRuleQuery + 100}
          {...(problem === null ? {} : { problemId: id })}
          onChange={onChange}
          onDown={onDown}
        />
        <QueryHelp
          title={text.fieldHelp}
          sentence={text.fieldHelpSentence}
          columns={text.fieldHelpColumns}
          fields={fields}
        />
      </div>
      {problem !== null && (
        <div className={styles.queryProblem}>
          <QueryProblemLine id={id} problem={ruleQuerySentence(problem)} shown={shown} allShown={text.allShown} />
        </div>
      )}
    </>
  );
}
