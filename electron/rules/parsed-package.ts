import type { BrokenRule } from '../../shared/domain/publication.ts';
import type { ConditionNames } from './condition-names.ts';
import type { FileReading, MetaEntry, RulePrints, RuleReading } from './file-reading.ts';
import type { Span, Statement } from './split-rules.ts';

/** The values of `tags`, `meta`, `names` and `prints` are made on demand. */
export interface ParsedRule {
  /** Its place in the package: by the order of the files' paths, then by line. */
  number: number;
  name: string;
  file: string;
  /** One-based: of its first modifier or of `rule`, and of its closing brace. */
  line: number;
  endLine: number;
  /** UTF-16 offsets into the file's text; `end` is exclusive. */
  start: number;
  end: number;
  isGlobal: boolean;
  isPrivate: boolean;
  tags: readonly string[];
  meta: readonly MetaEntry[];
  /** The text after `condition:`; null when it is not there. */
  condition: Span | null;
  /** Words of the condition that may mean other rules. */
  names: ConditionNames;
  /** The same object in each package that has the same file. */
  prints: RulePrints;
}

export interface ParsedFile {
  path: string;
  /** As UTF-8, without a byte order mark, line ends as they were. */
  text: string;
  imports: readonly Statement[];
  /** `target`: the path inside the package; null when there is none, or when it leads out of it. */
  includes: readonly (Statement & { target: string | null })[];
  rules: readonly ParsedRule[];
}

export interface ParsedPackage {
  /** What is included comes before what includes it, and otherwise by path. */
  files: readonly ParsedFile[];
  /** How YARA compiles them. */
  namespaces: readonly Namespace[];
  /** By number, those that are broken too. */
  rules: readonly ParsedRule[];
  /** What is seen without an engine: duplicates, includes, what is no rule. */
  broken: readonly BrokenRule[];
  /** What its files say by themselves, by SHA-256 of their bytes. */
  readings: ReadonlyMap<string, FileReading>;
}

/** What YARA compiles into one namespace: a file that no other one includes, and all that it includes. */
export interface Namespace {
  /** The path of that file. */
  root: string;
  /** In the order of their text: an included file is at the place of its `include`. Each file is here once. */
  rules: readonly ParsedRule[];
}

interface RulePlace {
  number: number;
  file: string;
}

/** A rule in its package. Its own content belongs to its reading, which packages share. */
export class PackageRule implements ParsedRule {
  readonly number: number;
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
  readonly isGlobal: boolean;
  readonly isPrivate: boolean;
  readonly #reading: RuleReading;

  constructor(reading: RuleReading, { number, file }: RulePlace) {
    const { name, line, endLine, start, end, isGlobal, isPrivate } = reading.split;
    this.number = number;
    this.file = file;
    this.name = name;
    this.line = line;
    this.endLine = endLine;
    this.start = start;
    this.end = end;
    this.isGlobal = isGlobal;
    this.isPrivate = isPrivate;
    this.#reading = reading;
  }

  get tags(): readonly string[] {
    return this.#reading.tags;
  }

  get meta(): readonly MetaEntry[] {
    return this.#reading.meta;
  }

  get prints(): RulePrints {
    return this.#reading.prints;
  }

  get condition(): Span | null {
    return this.#reading.split.condition;
  }

  get names(): ConditionNames {
    return this.#reading.names;
  }
}
