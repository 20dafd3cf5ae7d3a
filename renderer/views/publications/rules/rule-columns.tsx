import { Columns3 } from 'lucide-react';
import type { ListedRule, RuleRow, RuleSort } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { IconButton } from '../../../components/button.tsx';
import { ChoiceMenu } from '../../../components/choice-menu.tsx';
import type { GridColumn, GridSort } from '../../../components/data-grid/grid-column.ts';
import { formatMinute, timeWidth } from '../../../components/format.ts';
import typography from '../../../styles/typography.module.css';
import { CostCell } from './rule-costs.tsx';
import { text } from './strings.ts';

const figures = [
  { id: 'hits', text: text.hits },
  { id: 'last-hit', text: text.lastHit },
  { id: 'cost', text: text.costChoice },
] as const;
const metaPrefix = 'meta.';
const mostMeta = 4;

const metaOf = (id: string): string | null => (id.startsWith(metaPrefix) ? id.slice(metaPrefix.length) : null);

/** Keys of meta among the columns, in their order. */
export const metaKeysIn = (columns: readonly string[]): string[] =>
  columns.flatMap((id) => metaOf(id) ?? []).slice(0, mostMeta);

/** Chooses columns. A fifth key of meta takes the place of the first. */
export function ColumnsMenu({
  columns,
  metaKeys,
  onChange,
}: {
  columns: readonly string[];
  metaKeys: readonly string[];
  onChange(columns: readonly string[]): void;
}) {
  const keys = [...new Set([...metaKeysIn(columns), ...metaKeys])];
  const choices = [...figures, ...keys.map((key) => ({ id: `${metaPrefix}${key}`, text: visibleText(key) }))];
  const change = (chosen: readonly string[]): void => {
    const added = chosen.filter((id) => !columns.includes(id));
    const all = [...columns.filter((id) => chosen.includes(id)), ...added];
    const meta = all.filter((id) => metaOf(id) !== null).slice(-mostMeta);
    // Figures at the end, as in every list.
    onChange([...meta, ...figures.map(({ id }) => id).filter((id) => all.includes(id))]);
  };
  const trigger = (
    <IconButton label={text.columns}>
      <Columns3 size={14} strokeWidth={1.6} aria-hidden="true" />
    </IconButton>
  );
  return (
    <ChoiceMenu
      trigger={trigger}
      label={text.columns}
      choices={choices}
      chosen={columns}
      of="several"
      onChange={change}
    />
  );
}

export function extraColumns(columns: readonly string[]): GridColumn<ListedRule>[] {
  const meta = metaKeysIn(columns);
  return columns.map((id) => {
    const key = metaOf(id);
    if (id === 'hits')
      return {
        id,
        title: text.hits,
        width: 48,
        align: 'end',
        isSortable: true,
        leaves: 1,
        cell: (rule) => (
          <span data-figures title={notReported(rule) ?? undefined}>
            {formatHits(rule)}
          </span>
        ),
      };
    if (id === 'cost')
      return {
        id,
        title: text.costColumn,
        width: 72,
        align: 'end',
        isSortable: true,
        leaves: 2,
        cell: ({ cost }) => <CostCell cost={cost} />,
      };
    if (key === null)
      return {
        id,
        title: text.lastHit,
        get width() {
          return timeWidth(128);
        },
        isSortable: true,
        leaves: 3,
        cell: ({ lastHit }) => <span data-figures>{lastHit === null ? '' : formatMinute(new Date(lastHit))}</span>,
      };
    const place = meta.indexOf(key);
    return {
      id,
      title: visibleText(key),
      width: 96,
      isSortable: true,
      leaves: 4 + place,
      cell: ({ values }) => (
        <bdi className={typography.cut} title={visibleText(values[place] ?? '')}>
          {visibleText(values[place] ?? '')}
        </bdi>
      ),
    };
  });
}

/** Why no hit of a rule can be there; null: one can. */
export const notReported = ({ broken, isPrivate }: RuleRow): string | null =>
  broken !== null ? text.notRun : isPrivate ? text.privateHits : null;

/** A rule that finds nothing because it cannot has no count. */
const formatHits = (rule: ListedRule): string =>
  rule.hits === 0 && notReported(rule) !== null ? '–' : rule.hits.toLocaleString('en');

export function gridSortOf({ by, direction }: RuleSort): GridSort | null {
  const descending = direction === 'descending';
  switch (by.column) {
    case 'place':
      return null;
    case 'name':
      return { column: 'rule', descending };
    case 'meta':
      return { column: `${metaPrefix}${by.key}`, descending };
    default:
      return { column: by.column, descending };
  }
}

/** The rule column is sorted by name, then backwards, then by file and line again. Figures begin with the most. */
export function ruleSortOf({ column, descending }: GridSort, before: RuleSort): RuleSort {
  const key = metaOf(column);
  if (key !== null) return { by: { column: 'meta', key }, direction: descending ? 'descending' : 'ascending' };
  if (column === 'hits' || column === 'last-hit' || column === 'cost')
    return { by: { column }, direction: before.by.column !== column || descending ? 'descending' : 'ascending' };
  if (before.by.column === 'name' && before.direction === 'descending')
    return { by: { column: 'place' }, direction: 'ascending' };
  return { by: { column: 'name' }, direction: descending ? 'descending' : 'ascending' };
}
