import type { DifferenceCounts, DifferenceRow } from '../../../../shared/domain/publication.ts';

export type ChangeKind = DifferenceRow['kind'];

/** Lines of one kind under their heading. */
export interface ChangeGroup {
  kind: ChangeKind;
  /** Index of its first line among all lines. */
  first: number;
  count: number;
}

const order: readonly ChangeKind[] = ['broken', 'changed', 'added', 'removed', 'moved'];

/** In the order in which the lines of a difference come; kinds without one are left out. */
export function groupsOf(counts: DifferenceCounts): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  let first = 0;
  for (const kind of order) {
    if (counts[kind] > 0) groups.push({ kind, first, count: counts[kind] });
    first += counts[kind];
  }
  return groups;
}

/** A list of lines and headings: what stands at a place of it. */
export type ChangeItem = { kind: 'heading'; group: ChangeGroup } | { kind: 'line'; index: number };

export const itemCount = (groups: readonly ChangeGroup[]): number => groups.reduce((sum, { count }) => sum + count + 1, 0);

export function itemAt(groups: readonly ChangeGroup[], place: number): ChangeItem | null {
  const at = groups.findLastIndex(({ first }, before) => first + before <= place);
  const group = groups[at];
  if (group === undefined) return null;
  const index = place - at - 1;
  return index < group.first ? { kind: 'heading', group } : { kind: 'line', index };
}

/** Where a line stands among lines and headings. */
export function placeOf(groups: readonly ChangeGroup[], index: number): number {
  return index + groups.filter(({ first }) => first <= index).length;
}
