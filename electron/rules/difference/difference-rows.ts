import { lineCounts } from '../../../shared/domain/line-difference.ts';
import type { DifferenceRow } from '../../../shared/domain/publication.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { linesOf } from '../library/rule-lines.ts';
import { asksOf, textOf } from '../library/rule-rows.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { changedParts } from './changed-parts.ts';
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
