import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { classNames } from '../styles/class-names.ts';
import { defang } from '../../shared/domain/defang.ts';
import type { Json } from '../../shared/domain/sample.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { childrenShown, isBranch, type JsonRow, jsonRows } from './json-rows.ts';
import styles from './json-tree.module.css';
import { moveInTree } from './json-tree-keys.ts';
import { words } from './words.ts';

const charactersShown = 2000;

/**
 * Fields of unknown shape, as the service named them. One tab stop; the arrows move, open and close, as in any tree
 * (WAI-ARIA tree pattern). What it draws is bounded, whatever was sent.
 */
export function JsonTree({ label, value }: { label: string; value: { readonly [key: string]: Json } }) {
  const id = useId();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<ReadonlyMap<string, number>>(new Map());
  const [current, setCurrent] = useState(0);
  const rows = useMemo(() => jsonRows(value, open, shown), [value, open, shown]);
  const at = Math.min(current, rows.length - 1);

  const act = (row: JsonRow): void => {
    if (row.kind === 'branch') setOpen(toggled(open, row.path));
    if (row.kind === 'more')
      setShown(new Map(shown).set(row.name, (shown.get(row.name) ?? childrenShown) + childrenShown));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moveInTree(rows, at, event.key);
    if (move === null) return;
    event.preventDefault();
    event.stopPropagation();
    setCurrent(move.to);
    const row = rows[move.to];
    if (move.acts && row) act(row);
    document.getElementById(`${id}-${move.to}`)?.scrollIntoView?.({ block: 'nearest' });
  };

  return (
    // The rows are not tab stops of their own: the tree is one, and says which row is the current one.
    <div
      role="tree"
      aria-label={label}
      tabIndex={0}
      className={classNames(typography.body, styles.tree)}
      onKeyDown={onKeyDown}
      aria-activedescendant={`${id}-${at}`}
    >
      {rows.map((row, index) => (
        <TreeRow
          key={row.path}
          id={`${id}-${index}`}
          row={row}
          isCurrent={index === at}
          onPress={() => {
            setCurrent(index);
            act(row);
          }}
        />
      ))}
    </div>
  );
}

function TreeRow({ id, row, isCurrent, onPress }: { id: string; row: JsonRow; isCurrent: boolean; onPress(): void }) {
  const isBranchRow = row.kind === 'branch';
  return (
    // The tree holds the focus and the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={isBranchRow ? row.expanded : undefined}
      aria-selected={isCurrent}
      className={classNames(layout.flex8, styles.row, isCurrent && styles.current)}
      style={{ paddingInlineStart: `${(Math.min(row.depth, 12) - 1) * 16}px` }}
      onClick={onPress}
    >
      <span className={styles.twist} aria-hidden="true">
        {isBranchRow &&
          (row.expanded ? <ChevronDown size={14} strokeWidth={1.6} /> : <ChevronRight size={14} strokeWidth={1.6} />)}
      </span>
      {row.kind === 'more' ? (
        <span className={typography.accent}>{words.more(row.size)}</span>
      ) : (
        <>
          <code className={styles.name}>
            <bdi>{visibleText(row.name)}</bdi>
          </code>
          <ValueText row={row} />
        </>
      )}
    </div>
  );
}

function ValueText({ row: { kind, value, size } }: { row: JsonRow }) {
  if (kind === 'branch') return <span className={typography.faint}>{words.entries(size)}</span>;
  if (isBranch(value)) return <span className={typography.faint}>{size === 0 ? words.empty : words.tooDeep}</span>;
  if (typeof value !== 'string')
    return <code className={classNames(typography.breaks, styles.value)}>{String(value)}</code>;
  if (value === '') return <span className={typography.faint}>{words.empty}</span>;
  const text = defang(visibleText(value.slice(0, charactersShown)));
  return (
    <span className={classNames(typography.breaks, styles.value)}>
      <bdi>{value.length > charactersShown ? `${text}…` : text}</bdi>
    </span>
  );
}

function toggled(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(path)) next.add(path);
  return next;
}
