import type { ListedRule, RuleRow, RuleView } from '../../../shared/domain/publication.ts';
import { conventionalVariables } from '../../../shared/domain/rule-variable.ts';
import { FailureError } from '../../../shared/failure.ts';
import { namesIn } from '../engine/variable-literals.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { cutText } from './cut-text.ts';
import { type IndexedPackage, keyIn } from './indexed-package.ts';
import { heldSource } from './rule-source.ts';

/** Mutes are the host's. */
export type PackageRuleRow = Omit<RuleRow, 'isMuted'>;
export type PackageRuleView = Omit<RuleView, 'row'> & { row: PackageRuleRow };

/** Hits are the host's too. */
export interface FoundRules {
  rows: (PackageRuleRow & Pick<ListedRule, 'warnings' | 'values'>)[];
  total: number;
  metaKeys: readonly string[];
}

const mostWarnings = 100;
const longestDescription = 300;
const longestMeta = 2000;
/** No one reads more of one rule; a package from outside may hold any number. */
const mostEntries = 1000;

/** Fails with `rule-missing`. */
export function ruleAt({ parsed }: IndexedPackage, number: number): ParsedRule {
  const rule = parsed.rules[number];
  if (rule === undefined) throw new FailureError({ kind: 'rule-missing', name: `#${number}` });
  return rule;
}

export function ruleRow(pack: IndexedPackage, rule: ParsedRule): PackageRuleRow {
  const { number, name, file, line, isPrivate, isGlobal } = rule;
  return {
    number,
    name,
    key: keyIn(pack, rule),
    file,
    line,
    tags: rule.tags.slice(0, mostEntries),
    isPrivate,
    isGlobal,
    description: descriptionOf(rule),
    broken: pack.brokenOf.get(number) ?? null,
    ...asksOf(pack, rule),
  };
}

/** The variables that its condition mentions, where it mentions any. */
export function asksOf(pack: IndexedPackage, rule: ParsedRule): { asks?: string[] } {
  const asks = namesIn(textOf(pack, rule).slice(rule.start, rule.end), conventionalVariables);
  return asks.length === 0 ? {} : { asks };
}

/** Fails with `rule-missing`. */
export function ruleView(pack: IndexedPackage, number: number): PackageRuleView {
  const rule = ruleAt(pack, number);
  const meta = rule.meta
    .slice(0, mostEntries)
    .map(({ key, value }) => ({ key: cutText(key, longestMeta), value: cutText(value, longestMeta) }));
  return {
    row: ruleRow(pack, rule),
    warnings: (pack.warningsOf.get(number) ?? []).slice(0, mostWarnings),
    meta,
    imports: [...new Set(pack.files.get(rule.file)?.imports.map(({ value }) => value))],
    source: heldSource(rule, textOf(pack, rule)).source,
  };
}

/** Of the file that the rule is in. */
export const textOf = ({ files }: IndexedPackage, { file }: ParsedRule): string => files.get(file)?.text ?? '';

/** Cut; null: there is none. */
export function descriptionOf({ meta }: ParsedRule): string | null {
  const entry = meta.find(({ key }) => key.length === 'description'.length && key.toLowerCase() === 'description');
  return entry === undefined ? null : cutText(entry.value, longestDescription);
}
