import type { BrokenRule, RuleWarning } from '../../../shared/domain/publication.ts';
import { keyOf } from '../../../shared/domain/rule-names.ts';
import type { ParsedFile, ParsedPackage, ParsedRule } from '../parsed-package.ts';
import { bindRules, type RuleInstance } from '../rule-binding.ts';

/** A package as it is asked about; the indices are made once, so that a question costs no walk over the text. */
export interface IndexedPackage {
  readonly parsed: ParsedPackage;
  readonly files: ReadonlyMap<string, ParsedFile>;
  /** The rules in use, by their keys and in the order of their numbers: broken ones are not among them. */
  readonly usable: ReadonlyMap<string, ParsedRule>;
  /** The keys of those that are not called by their bare name. */
  readonly longKeys: ReadonlyMap<ParsedRule, string>;
  /** By file and line. */
  readonly broken: readonly BrokenPlace[];
  /** By the number of the rule. */
  readonly brokenOf: ReadonlyMap<number, BrokenRule>;
  /** By the number of the rule; what the engine warns of, by line. */
  readonly warningsOf: ReadonlyMap<number, readonly RuleWarning[]>;
  /** As an engine compiles them; they are made when they are asked for. */
  readonly instances: readonly RuleInstance[];
}

interface BrokenPlace {
  broken: BrokenRule;
  /** null: the line belongs to no rule. */
  rule: ParsedRule | null;
}

export function indexPackage(
  parsed: ParsedPackage,
  broken: readonly BrokenRule[],
  warnings: readonly RuleWarning[] = [],
): IndexedPackage {
  const files = new Map(parsed.files.map((file) => [file.path, file]));
  const rules = new BrokenPlaces(files);
  const places = broken.toSorted(byPlace).map((each) => ({ broken: each, rule: rules.ruleOf(each) }));
  const brokenOf = new Map<number, BrokenRule>();
  for (const { broken: each, rule } of places)
    if (rule !== null && !brokenOf.has(rule.number)) brokenOf.set(rule.number, each);
  const warningsOf = Map.groupBy(warnings, (warning) => rules.ruleAt(warning)?.number ?? -1);
  const usable = usableRules(parsed, brokenOf);
  const longKeys = new Map([...usable].flatMap(([key, rule]) => (key === rule.name ? [] : [[rule, key]])));
  let instances: readonly RuleInstance[] | null = null;
  return {
    parsed,
    files,
    usable,
    longKeys,
    broken: places,
    brokenOf,
    warningsOf,
    get instances() {
      return (instances ??= bindRules(parsed, ({ number }) => brokenOf.has(number)).instances);
    },
  };
}

/** Under which it is in use; of a broken rule, under which it would be. */
export function keyIn({ usable, longKeys }: Pick<IndexedPackage, 'usable' | 'longKeys'>, rule: ParsedRule): string {
  return longKeys.get(rule) ?? keyOf(rule, (usable.get(rule.name) ?? rule) === rule);
}

function usableRules({ rules }: ParsedPackage, brokenOf: ReadonlyMap<number, BrokenRule>): Map<string, ParsedRule> {
  const usable = new Map<string, ParsedRule>();
  for (const rule of rules) {
    if (brokenOf.has(rule.number)) continue;
    const key = keyOf(rule, !usable.has(rule.name));
    // Very long paths may end alike.
    usable.set(
      usable.has(key) ? keyOf({ name: rule.name, file: `${rule.number}/${rule.file.slice(-300)}` }, false) : key,
      rule,
    );
  }
  return usable;
}

function byPlace(a: BrokenRule, b: BrokenRule): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}

/** Finds the rule that is meant by what was said of a broken one: a name, a file, and a line anywhere in the rule. */
class BrokenPlaces {
  readonly #files: ReadonlyMap<string, ParsedFile>;
  readonly #byName = new Map<string, Map<string, ParsedRule[]>>();
  /** How often a rule was meant: of rules of one name on one line, each is meant once. */
  readonly #meant = new Map<ParsedRule, number>();

  constructor(files: ReadonlyMap<string, ParsedFile>) {
    this.#files = files;
  }

  /** null: the line belongs to no rule, or the rule is not in the package. */
  ruleOf({ rule, file, line }: BrokenRule): ParsedRule | null {
    if (rule === null) return null;
    const rules = this.#rulesOf(file).get(rule) ?? [];
    const index = lastUpTo(rules, line);
    const found = rules[index] ?? rules[0];
    if (found === undefined) return null;
    const times = this.#meant.get(found) ?? 0;
    this.#meant.set(found, times + 1);
    const other = rules[index - times];
    return other !== undefined && other.line <= line && line <= other.endLine ? other : found;
  }

  /** The rule of that name around a line, however often it is meant; null as for `ruleOf`. */
  ruleAt({ rule, file, line }: Pick<RuleWarning, 'rule' | 'file' | 'line'>): ParsedRule | null {
    const rules = this.#rulesOf(file).get(rule) ?? [];
    return rules[lastUpTo(rules, line)] ?? null;
  }

  #rulesOf(path: string): Map<string, ParsedRule[]> {
    const known = this.#byName.get(path);
    if (known !== undefined) return known;
    const rules = Map.groupBy(this.#files.get(path)?.rules ?? [], ({ name }) => name);
    this.#byName.set(path, rules);
    return rules;
  }
}

export function rulesMeant({ files }: Pick<ParsedPackage, 'files'>, broken: readonly BrokenRule[]): Set<ParsedRule> {
  const places = new BrokenPlaces(new Map(files.map((file) => [file.path, file])));
  return new Set(broken.flatMap((each) => places.ruleOf(each) ?? []));
}

/** The index of the last one that begins at the line or above; -1: none does. */
function lastUpTo(rules: readonly ParsedRule[], line: number): number {
  let from = 0;
  let to = rules.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rules[middle]?.line ?? 0) <= line) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
