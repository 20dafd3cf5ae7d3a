import { hash } from 'node:crypto';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { textOfDuplicate, textOfLeftOut, textOfStray } from './broken-words.ts';
import { type FileReading, readRules, type RuleReading } from './file-reading.ts';
import { includeOrder } from './include-order.ts';
import { includeTarget } from './include-target.ts';
import { type DividedPackage, divideIntoNamespaces } from './namespaces.ts';
import { PackageBudget, packageLimits, type PackageLimits } from './package-limits.ts';
import { PackageRule } from './package-rule.ts';
import type { ParsedFile, ParsedPackage, ParsedRule } from './parsed-package.ts';
import type { RuleFile } from './rule-file.ts';

/**
 * Reads a package without an engine. Any bytes give a result, and what is no rule is named; of two files of one path
 * the first counts. Throws a FailureError `package-too-large` or `archive-limit` where it is over the limits.
 * @param known is asked for what files say that were read before, as most of them were.
 */
export function parsePackage(
  files: readonly RuleFile[],
  known: KnownFiles = new Map(),
  limits: PackageLimits = packageLimits,
): ParsedPackage {
  return new PackageParser(known, limits).parse(files);
}

/** By SHA-256 of their bytes, in hex. */
export interface KnownFiles {
  get(sha256: string): FileReading | undefined;
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

class PackageParser {
  readonly #known: KnownFiles;
  readonly #budget: PackageBudget;
  readonly #readings = new Map<string, FileReading>();
  readonly #rules: ParsedRule[] = [];
  readonly #damaged = new Set<ParsedRule>();
  readonly #broken: BrokenRule[] = [];

  constructor(known: KnownFiles, limits: PackageLimits) {
    this.#known = known;
    this.#budget = new PackageBudget(limits);
  }

  parse(files: readonly RuleFile[]): ParsedPackage {
    this.#budget.checkFiles(files);
    const contents = this.#readAll(files);
    const parsed = new Map<string, ParsedFile>();
    for (const [path, reading] of contents) parsed.set(path, this.#file(path, reading, contents));
    const ordered = this.#order(parsed);
    const divided = divideIntoNamespaces(parsed, (file) =>
      this.#budget.add({ rules: 0, particulars: 1 + file.rules.length }),
    );
    this.#breakDuplicates(divided);
    const broken = this.#broken.toSorted((a, b) => byText(a.file, b.file) || a.line - b.line);
    return { files: ordered, namespaces: divided.namespaces, rules: this.#rules, broken, readings: this.#readings };
  }

  /** By path. */
  #readAll(files: readonly RuleFile[]): ReadonlyMap<string, FileReading> {
    const contents = new Map<string, FileReading>();
    for (const { path, bytes } of files.toSorted((a, b) => byText(a.path, b.path))) {
      if (contents.has(path)) this.#breakLine(path, 1, 'file', 'The package has another file with this name');
      else contents.set(path, this.#read(bytes));
    }
    return contents;
  }

  #read(bytes: Uint8Array): FileReading {
    const sha256 = hash('sha256', bytes);
    const known = this.#readings.get(sha256) ?? this.#known.get(sha256);
    if (known !== undefined) this.#budget.add(known.counted);
    const reading = known ?? readRules(bytes, this.#budget);
    this.#readings.set(sha256, reading);
    return reading;
  }

  #file(
    path: string,
    { text, imports, strays, ...reading }: FileReading,
    paths: { has(path: string): boolean },
  ): ParsedFile {
    for (const stray of strays) this.#breakLine(path, stray.line, 'text', textOfStray(stray));
    const includes = reading.includes.map((include) => {
      const { target, problem } = includeTarget(path, include.value, paths);
      if (problem !== null) this.#breakLine(path, include.line, 'include', problem);
      return { ...include, target };
    });
    return { path, text, imports, includes, rules: reading.rules.map((rule) => this.#rule(path, rule)) };
  }

  #rule(file: string, reading: RuleReading): ParsedRule {
    const rule = new PackageRule(reading, { number: this.#rules.length, file });
    this.#rules.push(rule);
    if (reading.fault !== null) {
      this.#damaged.add(rule);
      this.#broken.push({ rule: rule.name, file, line: reading.faultLine, kind: 'text', text: reading.fault });
    }
    return rule;
  }

  /** A name stays taken by a rule that is broken: who wrote two of them in one namespace meant one of them. */
  #breakDuplicates({ namespaces, spread }: DividedPackage): void {
    const found = new Map<ParsedRule, { root: string; first: ParsedRule; times: number }>();
    for (const { root, rules } of namespaces) {
      const names = new Map<string, ParsedRule>();
      for (const rule of rules) {
        const first = names.get(rule.name);
        const known = found.get(rule);
        if (first === undefined) names.set(rule.name, rule);
        else if (known !== undefined) known.times += 1;
        else if (!this.#damaged.has(rule)) found.set(rule, { root, first, times: 1 });
      }
    }
    for (const [{ name, file, line }, { root, first, times }] of found) {
      if (times === spread.get(file))
        this.#broken.push({ rule: name, file, line, kind: 'duplicate', text: textOfDuplicate(first) });
      else
        this.#breakLine(file, line, 'duplicate', `${textOfLeftOut(name, { root, times })}: ${textOfDuplicate(first)}`);
    }
  }

  #order(files: ReadonlyMap<string, ParsedFile>): ParsedFile[] {
    const { paths, cycles } = includeOrder(files);
    for (const { path, line } of cycles) this.#breakLine(path, line, 'include', 'Circular include');
    return paths.flatMap((path) => files.get(path) ?? []);
  }

  #breakLine(file: string, line: number, kind: BrokenRule['kind'], text: string): void {
    this.#broken.push({ rule: null, file, line, kind, text });
  }
}
