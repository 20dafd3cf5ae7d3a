import type { BrokenRule } from '../../../shared/domain/publication.ts';
import type { ParsedFile, ParsedPackage, ParsedRule } from '../parsed-package.ts';
import { BrokenPlaces } from './broken-places.ts';

/** A package as it is asked about; the indices are made once, so that a question costs no walk over the text. */
export interface IndexedPackage {
  readonly parsed: ParsedPackage;
  readonly files: ReadonlyMap<string, ParsedFile>;
  /** The rules in use, by name and in the order of their numbers: broken ones are not among them. */
  readonly usable: ReadonlyMap<string, ParsedRule>;
  /** By file and line. */
  readonly broken: readonly BrokenPlace[];
  /** By the number of the rule. */
  readonly brokenOf: ReadonlyMap<number, BrokenRule>;
}

export interface BrokenPlace {
  broken: BrokenRule;
  /** null: the line belongs to no rule. */
  rule: ParsedRule | null;
}

export function indexPackage(parsed: ParsedPackage, broken: readonly BrokenRule[]): IndexedPackage {
  const files = new Map(parsed.files.map((file) => [file.path, file]));
  const rules = new BrokenPlaces(files);
  const places = broken.toSorted(byPlace).map((each) => ({ broken: each, rule: rules.ruleOf(each) }));
  const brokenOf = new Map<number, BrokenRule>();
  for (const { broken: each, rule } of places) if (rule !== null && !brokenOf.has(rule.number)) brokenOf.set(rule.number, each);
  return { parsed, files, usable: usableRules(parsed, brokenOf), broken: places, brokenOf };
}

function usableRules({ rules }: ParsedPackage, brokenOf: ReadonlyMap<number, BrokenRule>): Map<string, ParsedRule> {
  const usable = new Map<string, ParsedRule>();
  for (const rule of rules) {
    if (rule.name !== '' && !brokenOf.has(rule.number) && !usable.has(rule.name)) usable.set(rule.name, rule);
  }
  return usable;
}

function byPlace(a: BrokenRule, b: BrokenRule): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}
