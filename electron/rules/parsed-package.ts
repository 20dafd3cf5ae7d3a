import type { BrokenRule } from '../../shared/domain/publication.ts';
import type { ConditionNames } from './condition-names.ts';
import type { FileReading } from './file-reading.ts';
import type { Namespace } from './namespaces.ts';
import type { Span } from './split-file.ts';

/** `import "pe"`, `include "a.yar"`: UTF-16 offsets into the file's text, `end` exclusive; the line is one-based. */
export interface Statement {
  start: number;
  end: number;
  line: number;
  /** Its text with the escapes resolved. */
  value: string;
}

/**
 * SHA-256 in hex over the tokens of each part, space and comments left out; null where there is no such part. `text` is
 * over the rule as it is written.
 */
export interface RulePrints {
  text: string;
  modifiers: string;
  tags: string;
  meta: string | null;
  strings: string | null;
  condition: string | null;
}

export interface MetaEntry {
  key: string;
  value: string;
}

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
