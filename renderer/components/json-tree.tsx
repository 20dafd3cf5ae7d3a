import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { defang } from '../../shared/domain/defang.ts';
import type { Json } from '../../shared/domain/sample.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { words } from './format.ts';
import styles from './json-tree.module.css';
import { TextPieces } from './service-text.tsx';

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
    // The rows are not tab stops of their own: the tree is one, and indicates the current row.
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
      <bdi>
        <TextPieces text={value.length > charactersShown ? `${text}…` : text} />
      </bdi>
    </span>
  );
}

function toggled(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(path)) next.add(path);
  return next;
}

/** One line of the tree. `path` is its identity; `depth` counts from 1, as `aria-level` does. */
interface JsonRow {
  path: string;
  name: string;
  depth: number;
  kind: 'leaf' | 'branch' | 'more';
  /** A leaf's value as text, a branch's count of entries, or how many a bound leaves out. */
  value: Json;
  size: number;
  position: number;
  siblings: number;
  expanded: boolean;
}

/** Bounds: a hostile record may hold a million entries, or a thousand levels. */
export const childrenShown = 200;
export const deepestShown = 32;
const rowsShown = 5_000;

type Branch = Json[] | { [key: string]: Json };

export function isBranch(value: Json): value is Branch {
  return typeof value === 'object' && value !== null;
}

/** The lines that are visible with these paths open, in order, never more than a bounded number. */
export function jsonRows(
  root: { readonly [key: string]: Json },
  open: ReadonlySet<string>,
  shown: ReadonlyMap<string, number> = new Map(),
): JsonRow[] {
  const rows: JsonRow[] = [];
  // Not recursive: depth is the sender's choice.
  const stack: JsonRow[] = childRows({ path: '', depth: 0, value: root }, open, shown).toReversed();
  for (let row = stack.pop(); row !== undefined && rows.length < rowsShown; row = stack.pop()) {
    rows.push(row);
    if (row.kind === 'branch' && row.expanded) stack.push(...childRows(row, open, shown).toReversed());
  }
  return rows;
}

function childRows(
  parent: { path: string; depth: number; value: Json },
  open: ReadonlySet<string>,
  shown: ReadonlyMap<string, number>,
): JsonRow[] {
  if (!isBranch(parent.value)) return [];
  const limit = shown.get(parent.path) ?? childrenShown;
  const entries = entriesOf(parent.value, limit);
  const total = sizeOf(parent.value);
  const siblings = entries.length + (total > entries.length ? 1 : 0);
  const depth = parent.depth + 1;
  const rows = entries.map(([name, value], index): JsonRow => {
    const path = `${parent.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const size = isBranch(value) ? sizeOf(value) : 0;
    const kind = isBranch(value) && size > 0 && depth < deepestShown ? 'branch' : 'leaf';
    return { path, name, depth, kind, value, size, position: index + 1, siblings, expanded: open.has(path) };
  });
  if (total <= entries.length) return rows;
  return [
    ...rows,
    {
      path: `${parent.path}/~more`,
      name: parent.path,
      depth,
      kind: 'more',
      value: null,
      size: total - entries.length,
      position: siblings,
      siblings,
      expanded: false,
    },
  ];
}

function entriesOf(branch: Branch, limit: number): [string, Json][] {
  if (Array.isArray(branch)) return branch.slice(0, limit).map((value, index) => [String(index), value]);
  return Object.entries(branch).slice(0, limit);
}

function sizeOf(branch: Branch): number {
  return Array.isArray(branch) ? branch.length : Object.keys(branch).length;
}

interface TreeMove {
  to: number;
  /** Opens, closes or loads the row it goes to. */
  acts: boolean;
}

/** What a key does in a tree whose current row is `at`; null when the key is not the tree's (WAI-ARIA tree pattern). */
export function moveInTree(rows: readonly JsonRow[], at: number, key: string): TreeMove | null {
  const row = rows[at];
  if (!row) return null;
  const go = (to: number): TreeMove => ({ to: Math.max(0, Math.min(rows.length - 1, to)), acts: false });
  const act: TreeMove = { to: at, acts: true };
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'Enter':
    case ' ':
      return row.kind === 'leaf' ? go(at) : act;
    case 'ArrowRight':
      if (row.kind !== 'branch') return go(at);
      return row.expanded ? go(at + 1) : act;
    case 'ArrowLeft':
      return row.kind === 'branch' && row.expanded ? act : go(parentOf(rows, at));
    default:
      return null;
  }
}

function parentOf(rows: readonly JsonRow[], at: number): number {
  const depth = rows[at]?.depth ?? 1;
  for (let index = at - 1; index >= 0; index -= 1) if ((rows[index]?.depth ?? 0) < depth) return index;
  return at;
}
