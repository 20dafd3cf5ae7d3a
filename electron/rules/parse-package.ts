import type { BrokenRule } from '../../shared/domain/publication.ts';
import { type Found, textOfDamage, textOfDuplicate, textOfStray, textOfWrongBytes } from './broken-words.ts';
import { type DecodedText, decodeRules } from './decode-rules.ts';
import { includeOrder } from './include-order.ts';
import { includeTarget } from './include-target.ts';
import { PackageBudget, packageLimits, type PackageLimits } from './package-limits.ts';
import type { ParsedFile, ParsedPackage, ParsedRule, RulePrints } from './parsed-package.ts';
import type { RuleFile } from './rule-file.ts';
import { readMeta, readTags, readUses } from './rule-parts.ts';
import { printRule } from './rule-prints.ts';
import { type SplitFile, type SplitRule, splitRules } from './split-rules.ts';

/**
 * Reads a package without an engine. Any bytes give a result, and what is no rule is named; of two files of one path the first counts.
 * Throws a FailureError `package-too-large` or `archive-limit` where it is over the limits.
 * @param known is asked for the prints of whole rules, most of which were in the package before.
 */
export function parsePackage(files: readonly RuleFile[], known: KnownPrints = () => null, limits: PackageLimits = packageLimits): ParsedPackage {
  return new PackageParser(known, limits).parse(files);
}

/** Prints say something of a rule's text alone. null: a rule of that name with that text is not known. */
export type KnownPrints = (name: string, text: string) => RulePrints | null;

interface Source extends DecodedText {
  path: string;
  split: SplitFile;
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

class PackageParser {
  readonly #known: KnownPrints;
  readonly #budget: PackageBudget;
  /** Where each name came first. */
  readonly #names = new Map<string, Found>();
  readonly #rules: ParsedRule[] = [];
  readonly #broken: BrokenRule[] = [];

  constructor(known: KnownPrints, limits: PackageLimits) {
    this.#known = known;
    this.#budget = new PackageBudget(limits);
  }

  parse(files: readonly RuleFile[]): ParsedPackage {
    this.#budget.checkFiles(files);
    const sources = this.#split(files);
    const parsed = new Map<string, ParsedFile>();
    for (const source of sources.values()) parsed.set(source.path, this.#file(source, sources));
    const ordered = this.#order(parsed);
    const broken = this.#broken.toSorted((a, b) => byText(a.file, b.file) || a.line - b.line);
    return { files: ordered, rules: this.#rules, broken };
  }

  /** By path. All of them first: a rule may use one of a later file. */
  #split(files: readonly RuleFile[]): ReadonlyMap<string, Source> {
    const sources = new Map<string, Source>();
    for (const { path, bytes } of files.toSorted((a, b) => byText(a.path, b.path))) {
      if (sources.has(path)) {
        this.#breakLine(path, 1, 'file', 'There is another file of this name in the package');
        continue;
      }
      const decoded = decodeRules(bytes);
      const split = splitRules(decoded.text, this.#budget);
      for (const { name, line } of split.rules) if (!this.#names.has(name)) this.#names.set(name, { file: path, line });
      sources.set(path, { path, ...decoded, split });
    }
    return sources;
  }

  #file(source: Source, sources: ReadonlyMap<string, Source>): ParsedFile {
    const { path, text, split } = source;
    for (const stray of split.strays) this.#breakLine(path, stray.line, 'text', textOfStray(stray));
    const includes = split.includes.map((include) => {
      const { target, problem } = includeTarget(path, include.value, sources);
      if (problem !== null) this.#breakLine(path, include.line, 'include', problem);
      return { ...include, target };
    });
    const taken = new Set<string>();
    return { path, text, imports: split.imports, includes, rules: split.rules.map((rule) => this.#rule(source, rule, taken)) };
  }

  #rule(source: Source, rule: SplitRule, taken: Set<string>): ParsedRule {
    const { name, line, endLine, start, end, isGlobal, isPrivate } = rule;
    const file = source.path;
    const count = (): void => this.#budget.countParticular();
    const uses = readUses(source.text, rule.condition, this.#names);
    uses.delete(name);
    const parsed: ParsedRule = {
      number: this.#rules.length, name, file, line, endLine, start, end, isGlobal, isPrivate, uses: [...uses],
      tags: readTags(source.text, rule.tags, count), meta: readMeta(source.text, rule.meta, count), prints: this.#prints(source.text, rule),
    };
    this.#rules.push(parsed);
    this.#judge(source, rule, taken);
    return parsed;
  }

  #prints(source: string, rule: SplitRule): RulePrints {
    const known = rule.damage === null ? this.#known(rule.name, source.slice(rule.start, rule.end)) : null;
    return known ?? printRule(source, rule);
  }

  /** One reason each. A name stays taken by a rule that is broken: who wrote two of them meant one of them. */
  #judge(source: Source, rule: SplitRule, taken: Set<string>): void {
    const { name, line } = rule;
    const first = this.#names.get(name);
    const isDuplicate = taken.has(name) || first?.file !== source.path;
    taken.add(name);
    const isDamaged = source.isDamagedIn(rule.start, rule.end);
    const broken = (kind: BrokenRule['kind'], text: string): unknown => this.#broken.push({ rule: name, file: source.path, line, kind, text });
    if (rule.damage !== null) broken('text', textOfDamage(rule.damage));
    else if (isDamaged) broken('text', textOfWrongBytes);
    else if (isDuplicate && first !== undefined) broken('duplicate', textOfDuplicate(first));
  }

  #order(files: ReadonlyMap<string, ParsedFile>): ParsedFile[] {
    const { paths, cycles } = includeOrder(files);
    for (const { path, line } of cycles) this.#breakLine(path, line, 'include', 'Leads back to a file that includes this one');
    return paths.flatMap((path) => files.get(path) ?? []);
  }

  #breakLine(file: string, line: number, kind: BrokenRule['kind'], text: string): void {
    this.#broken.push({ rule: null, file, line, kind, text });
  }
}
