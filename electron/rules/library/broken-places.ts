import type { BrokenRule, RuleWarning } from '../../../shared/domain/publication.ts';
import type { ParsedFile, ParsedPackage, ParsedRule } from '../parsed-package.ts';

/** Finds the rule that is meant by what was said of a broken one: a name, a file, and a line anywhere in the rule. */
export class BrokenPlaces {
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
