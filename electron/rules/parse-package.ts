import { hash } from 'node:crypto';
import { posix } from 'node:path';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { shown, textOfDuplicate, textOfLeftOut, textOfStray } from './broken-format.ts';
import { type FileReading, readRules, type RuleReading } from './file-reading.ts';
import { PackageBudget, packageLimits, type PackageLimits, type RuleFile } from './package-files.ts';
import { type Namespace, PackageRule, type ParsedFile, type ParsedPackage, type ParsedRule } from './parsed-package.ts';

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
interface KnownFiles {
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

/** An `include`; its target is a path of the package, or null when it leads to none. */
interface Edge {
  target: string | null;
  line: number;
}

interface IncludeOrder {
  /** What is included comes before what includes it, and otherwise by path. */
  paths: readonly string[];
  /** The `include` that closes a circle, once each. */
  cycles: readonly { path: string; line: number }[];
}

interface Visit {
  path: string;
  includes: Iterator<Edge, undefined>;
}

/** `files` in the order of their paths. A stack of its own: ten thousand files may include each other in one chain. */
export function includeOrder(files: ReadonlyMap<string, { includes: readonly Edge[] }>): IncludeOrder {
  const state = new Map<string, 'open' | 'done'>();
  const paths: string[] = [];
  const cycles: { path: string; line: number }[] = [];
  const stack: Visit[] = [];
  const enter = (path: string): void => {
    state.set(path, 'open');
    stack.push({ path, includes: (files.get(path)?.includes ?? []).values() });
  };
  for (const path of files.keys()) {
    if (!state.has(path)) enter(path);
    for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
      const edge = visit.includes.next().value;
      if (edge === undefined) {
        paths.push(visit.path);
        state.set(visit.path, 'done');
        stack.pop();
      } else if (edge.target !== null && state.get(edge.target) === 'open') {
        cycles.push({ path: visit.path, line: edge.line });
      } else if (edge.target !== null && !state.has(edge.target)) {
        enter(edge.target);
      }
    }
  }
  return { paths, cycles };
}

type IncludeTarget = { target: string; problem: null } | { target: null; problem: string };

/**
 * Which file of the package an `include` means: beside the file that contains it, or else from the root of the package.
 * Never a path on a disk.
 */
export function includeTarget(from: string, value: string, paths: { has(path: string): boolean }): IncludeTarget {
  const problem = problemOf(value);
  if (problem !== null) return { target: null, problem };
  const places = [posix.join(posix.dirname(from), value), posix.normalize(value)].filter((place) => !leads(place));
  const target = places.find((place) => paths.has(place));
  if (target !== undefined) return { target, problem: null };
  return {
    target: null,
    problem: `${places.length === 0 ? 'Outside the package' : 'Not in the package'}: ${shown(value)}`,
  };
}

const leads = (path: string): boolean => path === '..' || path.startsWith('../');

function problemOf(value: string): string | null {
  if (value === '') return 'No file name';
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(value)) return `An address, not a file in the package: ${shown(value)}`;
  if (value.startsWith('/') || /^[A-Za-z]:/.test(value))
    return `An absolute path, not a file in the package: ${shown(value)}`;
  if (value.includes('\\')) return `Use a slash, not a backslash: ${shown(value)}`;
  return null;
}

interface DividedPackage {
  /** By the paths of their roots; only those with a rule. */
  namespaces: readonly Namespace[];
  /** In how many of them each file is. */
  spread: ReadonlyMap<string, number>;
}

/**
 * `files` in the order of their paths; `onAgain` is called for each file that comes in another namespace too, and may
 * throw. Of files that include each other and that no other one includes, the first by path is the root.
 */
function divideIntoNamespaces(
  files: ReadonlyMap<string, ParsedFile>,
  onAgain: (file: ParsedFile) => void,
): DividedPackage {
  const divider = new Divider(files, onAgain);
  const included = new Set<string | null>();
  for (const { path, includes } of files.values())
    for (const { target } of includes) if (target !== path) included.add(target);
  for (const path of files.keys()) if (!included.has(path)) divider.take(path);
  for (const path of files.keys()) if (!divider.spread.has(path)) divider.take(path);
  return { namespaces: divider.namespaces.toSorted((a, b) => (a.root < b.root ? -1 : 1)), spread: divider.spread };
}

type Item = ParsedRule | ParsedFile['includes'][number];

class Divider {
  readonly namespaces: Namespace[] = [];
  readonly spread = new Map<string, number>();
  readonly #files: ReadonlyMap<string, ParsedFile>;
  readonly #onAgain: (file: ParsedFile) => void;
  readonly #items = new Map<ParsedFile, readonly Item[]>();

  constructor(files: ReadonlyMap<string, ParsedFile>, onAgain: (file: ParsedFile) => void) {
    this.#files = files;
    this.#onAgain = onAgain;
  }

  take(root: string): void {
    const rules = this.#rulesFrom(root);
    if (rules.length > 0) this.namespaces.push({ root, rules });
  }

  /** A stack of its own: ten thousand files may include each other in one chain. */
  #rulesFrom(root: string): readonly ParsedRule[] {
    const first = this.#enter(root);
    if (first === null) return [];
    if (first.includes.length === 0) return first.rules;
    const rules: ParsedRule[] = [];
    const seen = new Set([root]);
    const stack = [this.#itemsOf(first).values()];
    for (let items = stack.at(-1); items !== undefined; items = stack.at(-1)) {
      const item = items.next().value;
      if (item === undefined) {
        stack.pop();
      } else if ('name' in item) {
        rules.push(item);
      } else if (item.target !== null && !seen.has(item.target)) {
        seen.add(item.target);
        const file = this.#enter(item.target);
        if (file !== null) stack.push(this.#itemsOf(file).values());
      }
    }
    return rules;
  }

  #enter(path: string): ParsedFile | null {
    const file = this.#files.get(path) ?? null;
    const times = this.spread.get(path) ?? 0;
    this.spread.set(path, times + 1);
    if (file !== null && times > 0) this.#onAgain(file);
    return file;
  }

  #itemsOf(file: ParsedFile): readonly Item[] {
    const known = this.#items.get(file);
    if (known !== undefined) return known;
    const items =
      file.includes.length === 0 ? file.rules : [...file.includes, ...file.rules].toSorted((a, b) => a.start - b.start);
    this.#items.set(file, items);
    return items;
  }
}
