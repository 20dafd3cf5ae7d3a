import type { BrokenRule, DifferenceCounts, DifferenceRow } from '../../../shared/domain/publication.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import type { ParsedRule } from '../parsed-package.ts';

/** What a row of a difference is made of. */
export interface DifferenceEntry {
  kind: DifferenceRow['kind'];
  old: ParsedRule | null;
  new: ParsedRule | null;
  broken: BrokenRule | null;
}

export interface PackageDifference {
  counts: DifferenceCounts;
  /** In the order of their rows. */
  entries: readonly DifferenceEntry[];
}

const nothing: ReadonlyMap<string, ParsedRule> = new Map();

/** What becomes of the rules in use, by name. `from` null: there were none. Prints are compared and no text is read. */
export function packageDifference(from: IndexedPackage | null, to: IndexedPackage): PackageDifference {
  const old = from?.usable ?? nothing;
  const found = { broken: brokenEntries(old, to), removed: removedEntries(old, to), ...standing(old, to) };
  const { broken, changed, added, removed, moved } = found;
  const same = to.usable.size - changed.length - added.length - moved.length;
  return {
    counts: { added: added.length, removed: removed.length, changed: changed.length, moved: moved.length, broken: broken.length, same },
    entries: [...broken, ...changed, ...added, ...removed, ...moved],
  };
}

/** Rules in use in the newer package. Their numbers rise, so each group is in order by file and line. */
function standing(old: ReadonlyMap<string, ParsedRule>, to: IndexedPackage): Record<'changed' | 'added' | 'moved', DifferenceEntry[]> {
  const found: Record<'changed' | 'added' | 'moved', DifferenceEntry[]> = { changed: [], added: [], moved: [] };
  for (const [name, rule] of to.usable) {
    const before = old.get(name);
    if (before === undefined) found.added.push({ kind: 'added', old: null, new: rule, broken: null });
    else if (!isSameText(before, rule)) found.changed.push({ kind: 'changed', old: before, new: rule, broken: null });
    else if (before.file !== rule.file) found.moved.push({ kind: 'moved', old: before, new: rule, broken: null });
  }
  return found;
}

/** Rules of one reading need no print. */
const isSameText = (old: ParsedRule, next: ParsedRule): boolean => old.prints === next.prints || old.prints.text === next.prints.text;

function removedEntries(old: ReadonlyMap<string, ParsedRule>, to: IndexedPackage): DifferenceEntry[] {
  const gone = [...old.values()].filter(({ name }) => !to.usable.has(name));
  if (gone.length === 0) return [];
  const broken = new Map(to.broken.toReversed().map((place) => [place.rule?.name, place]));
  return gone.map((rule) => {
    const now = broken.get(rule.name);
    return { kind: 'removed', old: rule, new: now?.rule ?? null, broken: now?.broken ?? null };
  });
}

/** A broken rule is told with the one that was in use before, if no other took its name. */
const brokenEntries = (old: ReadonlyMap<string, ParsedRule>, { broken, usable }: IndexedPackage): DifferenceEntry[] =>
  broken.map(({ broken: each, rule }) => {
    const before = rule === null || usable.has(rule.name) ? undefined : old.get(rule.name);
    return { kind: 'broken', old: before ?? null, new: rule, broken: each };
  });
