import type { DifferenceLine } from '../../../../shared/domain/publication.ts';

/**
 * One row of a text difference: a line, or lines that are the same and not shown. Indexes count the lines of the
 * difference.
 */
export type DiffRow = { kind: 'line'; line: DifferenceLine } | { kind: 'fold'; from: number; count: number };

/** One row of a text difference in two columns. */
export type DiffPair =
  | { kind: 'pair'; left: DifferenceLine | null; right: DifferenceLine | null }
  | { kind: 'fold'; from: number; count: number };

/** Lines that stay in sight around a change. */
const context = 3;
/** Fewer are not worth a fold. */
const leastFolded = 4;

/**
 * Long runs that are the same are folded, unless the fold that begins there was opened. A difference without a change
 * is shown whole.
 */
export function diffRows(lines: readonly DifferenceLine[], opened: ReadonlySet<number>): DiffRow[] {
  const rows: DiffRow[] = [];
  const isChanged = lines.some(({ kind }) => kind !== 'same');
  for (let at = 0; at < lines.length;) {
    const end = endOfRun(lines, at);
    const from = at === 0 ? 0 : at + context;
    const to = end === lines.length ? end : end - context;
    const folds = isChanged && lines[at]?.kind === 'same' && to - from >= leastFolded && !opened.has(from);
    if (folds) {
      rows.push(...shown(lines, at, from), { kind: 'fold', from, count: to - from }, ...shown(lines, to, end));
    } else {
      rows.push(...shown(lines, at, end));
    }
    at = end;
  }
  return rows;
}

/** Where the lines of the same kind as the one at `at` end. */
function endOfRun(lines: readonly DifferenceLine[], at: number): number {
  let end = at + 1;
  while (end < lines.length && lines[end]?.kind === lines[at]?.kind) end += 1;
  return end;
}

const shown = (lines: readonly DifferenceLine[], from: number, to: number): DiffRow[] =>
  lines.slice(from, to).map((line) => ({ kind: 'line', line }));

/** What was removed stands beside what was added in its place. */
export function pairsOf(rows: readonly DiffRow[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DifferenceLine[] = [];
  let added: DifferenceLine[] = [];
  const settle = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      pairs.push({ kind: 'pair', left: removed[at] ?? null, right: added[at] ?? null });
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.kind === 'line' && row.line.kind === 'removed') {
      // Removed after added begins the next change.
      if (added.length > 0) settle();
      removed.push(row.line);
    } else if (row.kind === 'line' && row.line.kind === 'added') {
      added.push(row.line);
    } else {
      settle();
      pairs.push(row.kind === 'fold' ? row : { kind: 'pair', left: row.line, right: row.line });
    }
  }
  settle();
  return pairs;
}
