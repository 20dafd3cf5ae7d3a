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

/**
 * Compares the rules in use with another package. `from` null: there were none. Prints are compared and no text is
 * read.
 */
export function packageDifference(from: IndexedPackage | null, to: IndexedPackage): PackageDifference {
  const pairs = pairRules(from === null ? [] : [...from.usable.values()], [...to.usable.values()]);
  const found = {
    broken: brokenEntries(pairs.gone, to),
    removed: removedEntries(pairs.gone, to),
    ...standing(pairs.before, to),
  };
  const { broken, changed, added, removed, moved } = found;
  const same = to.usable.size - changed.length - added.length - moved.length;
  return {
    counts: {
      added: added.length,
      removed: removed.length,
      changed: changed.length,
      moved: moved.length,
      broken: broken.length,
      same,
    },
    entries: [...broken, ...changed, ...added, ...removed, ...moved],
  };
}

interface Pairs {
  /** By the newer rule. */
  before: ReadonlyMap<ParsedRule, ParsedRule>;
  /** Older ones that have no newer one, in their order. */
  gone: readonly ParsedRule[];
}

/**
 * Of rules with one name those of one file belong together, and then the others in their order. In a file in use a name
 * is there once.
 */
function pairRules(old: readonly ParsedRule[], next: readonly ParsedRule[]): Pairs {
  const before = new Map<ParsedRule, ParsedRule>();
  const left = new Map<string, Map<string, ParsedRule>>();
  for (const rule of old) {
    const named = left.get(rule.name) ?? new Map<string, ParsedRule>();
    left.set(rule.name, named.set(rule.file, rule));
  }
  const take = (rule: ParsedRule, found: ParsedRule | undefined): void => {
    if (found === undefined) return;
    before.set(rule, found);
    left.get(rule.name)?.delete(found.file);
  };
  for (const rule of next) take(rule, left.get(rule.name)?.get(rule.file));
  for (const rule of next) if (!before.has(rule)) take(rule, left.get(rule.name)?.values().next().value);
  const taken = new Set(before.values());
  return { before, gone: old.filter((rule) => !taken.has(rule)) };
}

/** Rules in use in the newer package. Their numbers rise, so each group is in order by file and line. */
function standing(old: Pairs['before'], to: IndexedPackage): Record<'changed' | 'added' | 'moved', DifferenceEntry[]> {
  const found: Record<'changed' | 'added' | 'moved', DifferenceEntry[]> = { changed: [], added: [], moved: [] };
  for (const rule of to.usable.values()) {
    const before = old.get(rule);
    if (before === undefined) found.added.push({ kind: 'added', old: null, new: rule, broken: null });
    else if (!isSameText(before, rule)) found.changed.push({ kind: 'changed', old: before, new: rule, broken: null });
    else if (before.file !== rule.file) found.moved.push({ kind: 'moved', old: before, new: rule, broken: null });
  }
  return found;
}

/** Rules of one reading need no print. */
const isSameText = (old: ParsedRule, next: ParsedRule): boolean =>
  old.prints === next.prints || old.prints.text === next.prints.text;

function removedEntries(gone: readonly ParsedRule[], to: IndexedPackage): DifferenceEntry[] {
  if (gone.length === 0) return [];
  const broken = Map.groupBy(to.broken, ({ rule }) => rule?.name);
  return gone.map((rule) => {
    const named = broken.get(rule.name) ?? [];
    const now = named.find((place) => place.rule?.file === rule.file) ?? named[0];
    return { kind: 'removed', old: rule, new: now?.rule ?? null, broken: now?.broken ?? null };
  });
}

/** A broken rule is listed with the one that was in use before, if no other took its place. */
function brokenEntries(gone: readonly ParsedRule[], { broken }: IndexedPackage): DifferenceEntry[] {
  const byName = Map.groupBy(gone, ({ name }) => name);
  return broken.map(({ broken: each, rule }) => {
    const named = rule === null ? [] : (byName.get(rule.name) ?? []);
    const before = named.find(({ file }) => file === rule?.file) ?? named[0];
    return { kind: 'broken', old: before ?? null, new: rule, broken: each };
  });
}
