import { lineDifference, type NumberedLines } from '../../../shared/domain/line-difference.ts';
import type { RuleDifference } from '../../../shared/domain/publication.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { ruleAt, textOf } from '../library/rule-rows.ts';
import { type HeldSource, heldSource } from '../library/rule-source.ts';

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
