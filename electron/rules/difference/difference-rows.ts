import { lineCounts, lineDifference, type NumberedLines } from '../../../shared/domain/line-difference.ts';
import type { ChangedPart, DifferenceRow, RuleDifference } from '../../../shared/domain/publication.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { RulePrints } from '../file-reading.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { asksOf, type HeldSource, heldSource, linesOf, ruleAt, textOf } from '../library/rule-views.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { DifferenceReview } from './difference-review.ts';
import { type DifferenceEntry, type PackageDifference, packageDifference } from './package-difference.ts';

type LineCounts = Pick<DifferenceRow, 'addedLines' | 'removedLines'>;
const noLines: LineCounts = { addedLines: 0, removedLines: 0 };

/** The difference of two packages. The lines of a rule are compared when its row is asked for, and once. */
export class DifferenceRows {
  readonly from: IndexedPackage | null;
  readonly to: IndexedPackage;
  readonly counts: PackageDifference['counts'];
  readonly #entries: readonly DifferenceEntry[];
  readonly #rows = new Map<DifferenceEntry, DifferenceRow>();
  #review: DifferenceReview | null = null;

  constructor(from: IndexedPackage | null, to: IndexedPackage) {
    const { counts, entries } = packageDifference(from, to);
    this.from = from;
    this.to = to;
    this.counts = counts;
    this.#entries = entries;
  }

  /** Made when it is first asked for. */
  get review(): DifferenceReview {
    this.#review ??= new DifferenceReview({
      to: this.to,
      entries: this.#entries.map((entry) => ({ entry, place: placeOf(entry) })),
      rowOf: (entry) => this.#row(entry),
    });
    return this.#review;
  }

  get total(): number {
    return this.#entries.length;
  }

  window({ offset, limit }: { offset: number; limit: number }): DifferenceRow[] {
    return this.#entries.slice(offset, offset + limit).map((entry) => this.#row(entry));
  }

  #row(entry: DifferenceEntry): DifferenceRow {
    const known = this.#rows.get(entry);
    if (known !== undefined) return known;
    const row = { ...placeOf(entry), ...this.#lineCounts(entry), ...this.#asks(entry) };
    this.#rows.set(entry, row);
    return row;
  }

  #asks({ old, new: next }: DifferenceEntry): Pick<DifferenceRow, 'asks'> {
    if (next !== null) return asksOf(this.to, next);
    return old === null || this.from === null ? {} : asksOf(this.from, old);
  }

  #lineCounts({ kind, old, new: next }: DifferenceEntry): LineCounts {
    if (kind === 'added') return { ...noLines, addedLines: heightOf(next) };
    if (kind === 'removed') return { ...noLines, removedLines: heightOf(old) };
    if (kind !== 'changed' || this.from === null || old === null || next === null) return noLines;
    const { added, removed } = lineCounts(
      [...linesOf(textOf(this.from, old), old)],
      [...linesOf(textOf(this.to, next), next)],
    );
    return { addedLines: added, removedLines: removed };
  }
}

const heightOf = (rule: ParsedRule | null): number => (rule === null ? 0 : rule.endLine - rule.line + 1);

/** A removed rule is where it was; a broken one where it is said to be broken. */
function placeOf({ kind, old, new: next, broken }: DifferenceEntry): Omit<DifferenceRow, keyof LineCounts> {
  const place = kind === 'removed' ? old : kind === 'broken' ? broken : next;
  const isMoved = (kind === 'changed' || kind === 'moved') && old !== null && old.file !== next?.file;
  return {
    kind,
    name: next?.name ?? old?.name ?? broken?.rule ?? '',
    file: place?.file ?? '',
    line: place?.line ?? 0,
    old: old?.number ?? null,
    new: next?.number ?? null,
    movedFrom: isMoved ? old.file : null,
    parts: kind === 'changed' && old !== null && next !== null ? changedParts(old.prints, next.prints) : [],
    broken,
  };
}

const parts = ['modifiers', 'tags', 'meta', 'strings', 'condition'] as const satisfies readonly (keyof RulePrints &
  ChangedPart)[];

/** Of two rules whose texts differ: where their tokens do; `layout` where none does. */
function changedParts(old: RulePrints, next: RulePrints): ChangedPart[] {
  const changed: ChangedPart[] = parts.filter((part) => old[part] !== next[part]);
  return changed.length === 0 ? ['layout'] : changed;
}

/**
 * One rule in two packages, line by line, as far as a page may have it. A number that is null has no source. Fails with
 * `rule-missing`.
 */
export function ruleDifference(
  from: IndexedPackage | null,
  to: IndexedPackage,
  rules: { old: number | null; new: number | null },
): RuleDifference {
  const old = sourceOf(from, rules.old);
  const next = sourceOf(to, rules.new);
  return {
    old: old?.source ?? null,
    new: next?.source ?? null,
    lines: lineDifference(numberedLines(old), numberedLines(next)),
  };
}

function sourceOf(pack: IndexedPackage | null, number: number | null): HeldSource | null {
  if (number === null) return null;
  if (pack === null) throw new FailureError({ kind: 'rule-missing', name: `#${number}` });
  const rule = ruleAt(pack, number);
  return heldSource(rule, textOf(pack, rule));
}

const numberedLines = (held: HeldSource | null): NumberedLines => ({
  first: held?.source.line ?? 1,
  lines: held?.lines ?? [],
});
