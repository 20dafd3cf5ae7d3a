import { longestLine } from '../../../shared/domain/line-difference.ts';
import type { ListedRule, RuleRow, RuleSource, RuleView } from '../../../shared/domain/publication.ts';
import { familyOf } from '../../../shared/domain/rule-names.ts';
import { longestTrial, type RuleToTry } from '../../../shared/domain/rule-trial.ts';
import { conventionalVariables } from '../../../shared/domain/rule-variable.ts';
import { cutText } from '../../../shared/domain/visible-text.ts';
import { FailureError } from '../../../shared/failure.ts';
import { namesIn } from '../engine/variable-literals.ts';
import type { MetaEntry } from '../file-reading.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { type RuleInstance, usedBy } from '../rule-binding.ts';
import { type IndexedPackage, keyIn } from './indexed-package.ts';

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

const mostLines = 5000;
const mostBytes = 256 * 1024;

/** A rule's text as a page may have it. */
export interface HeldSource {
  source: RuleSource;
  /** The lines of `source` before they were cut: what is compared. */
  lines: readonly string[];
}

/** `fileText`: of the file that the rule is in. */
export function heldSource(rule: ParsedRule, fileText: string): HeldSource {
  const lines: string[] = [];
  const shown: string[] = [];
  let bytes = 0;
  for (const line of linesOf(fileText, rule)) {
    const cut = cutText(line, longestLine);
    bytes += Buffer.byteLength(cut) + 1;
    if (lines.length === mostLines || bytes > mostBytes) break;
    lines.push(line);
    shown.push(cut);
  }
  const total = rule.endLine - rule.line + 1;
  const isCut = lines.length < total || shown.some((line, index) => line !== lines[index]);
  return { source: { file: rule.file, line: rule.line, text: shown.join('\n'), lines: total, isCut }, lines };
}

/**
 * In its first namespace: the rules that it uses, the global rules that bind it, and what those use. A broken rule
 * comes alone.
 */
export function ruleToTry(pack: IndexedPackage, rule: ParsedRule): RuleToTry {
  const sourceOf = ({ file, start, end }: ParsedRule): string => pack.files.get(file)?.text.slice(start, end) ?? '';
  const instance = pack.instances.find((one) => one.rule === rule) ?? null;
  const needed = instance === null ? new Set<RuleInstance>() : closureOf(pack, instance);
  const others = [...new Set(pack.instances.filter((one) => needed.has(one)).map((one) => one.rule))].filter(
    (one) => one !== rule,
  );
  const rules = [...others, rule];
  const imports = new Set(rules.flatMap(({ file }) => pack.files.get(file)?.imports.map(({ value }) => value) ?? []));
  const text = [...Array.from(imports, (module) => `import "${module}"`), rules.map(sourceOf).join('\n\n')].join('\n');
  return { text: text.length > longestTrial ? null : text, others: others.map((one) => keyIn(pack, one)) };
}

function closureOf({ instances }: IndexedPackage, instance: RuleInstance): Set<RuleInstance> {
  const needed = new Set([instance, ...instances.filter(({ isGlobal }) => isGlobal)]);
  for (const one of needed) for (const used of [...usedBy(one), ...one.guards]) needed.add(used);
  return needed;
}

/** What is kept of a rule that was hit, whatever becomes of its package. */
export interface RuleFacts {
  /** Its key: see shared/domain/rule-names.ts. */
  name: string;
  number: number;
  file: string;
  /** One-based. */
  line: number;
  tags: string[];
  /** The first 50 entries, 500 characters of each. */
  meta: MetaEntry[];
  family: string | null;
}

const mostKeptTags = 50;
const longestKeptTag = 200;
const mostKeptEntries = 50;
const longestKeptMeta = 500;

export function factsOf(ruleKey: string, { number, file, line, tags, meta }: ParsedRule): RuleFacts {
  return {
    name: ruleKey,
    number,
    file,
    line,
    tags: tags.slice(0, mostKeptTags).map((tag) => cutText(tag, longestKeptTag)),
    meta: meta
      .slice(0, mostKeptEntries)
      .map(({ key, value }) => ({ key: cutText(key, longestKeptMeta), value: cutText(value, longestKeptMeta) })),
    family: familyOf({ tags, meta }),
  };
}

/** The lines of a part of a text, without their ends. A text whose line ends alone were changed has the same lines. */
export function* linesOf(
  text: string,
  { start, end }: { start: number; end: number },
): Generator<string, void, undefined> {
  for (let at = start; ;) {
    const found = text.indexOf('\n', at);
    const next = found === -1 || found >= end ? end : found;
    yield text.slice(at, next > at && text[next - 1] === '\r' ? next - 1 : next);
    if (next === end) return;
    at = next + 1;
  }
}
