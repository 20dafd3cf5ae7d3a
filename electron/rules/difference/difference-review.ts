import type { BrokenRule, ChangedPart, DifferenceRow } from '../../../shared/domain/publication.ts';
import {
  type BrokenCause,
  partsByGravity,
  type ReviewFacets,
  type ReviewItem,
  type ReviewQuery,
} from '../../../shared/domain/rule-review.ts';
import { withRelaxedRegexes } from '../engine/rule-rewrites.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { textOf } from '../library/rule-views.ts';
import type { ParsedRule } from '../parsed-package.ts';
import type { DifferenceEntry } from './package-difference.ts';

/** A row as it is filtered and sorted; its lines are compared when it is shown, or sorted by. */
interface ReviewEntry {
  entry: DifferenceEntry;
  /** Without the counts of its lines. */
  place: Omit<DifferenceRow, 'addedLines' | 'removedLines'>;
}

interface ReviewSource {
  to: IndexedPackage;
  entries: readonly ReviewEntry[];
  rowOf(entry: DifferenceEntry): DifferenceRow;
}

/** What is listed for one query: items that represent groups and rows, in the order in which they are shown. */
interface ReviewList {
  facets: ReviewFacets;
  total: number;
  listed: number;
  firstRule: number | null;
  window(offset: number, limit: number): ReviewItem[];
}

type Line = Exclude<ReviewItem, { kind: 'row' }> | ReviewEntry;

/** Finds, sorts and groups the rows of one difference. The last list is kept: its windows come one after the other. */
export class DifferenceReview {
  readonly #source: ReviewSource;
  readonly #causes: BrokenCauses;
  readonly #words = new Map<ReviewEntry, string>();
  #last: { key: string; list: ReviewList } | null = null;

  constructor(source: ReviewSource) {
    this.#source = source;
    this.#causes = new BrokenCauses(source.to);
  }

  list(query: ReviewQuery): ReviewList {
    const key = JSON.stringify(query);
    if (this.#last?.key !== key) this.#last = { key, list: this.#make(query) };
    return this.#last.list;
  }

  #make({ of, parts, find, sort, toggled }: ReviewQuery): ReviewList {
    const words = find
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const found =
      words.length === 0
        ? this.#source.entries
        : this.#source.entries.filter((entry) => hasAll(this.#wordsOf(entry), words));
    const shownParts = new Set<ChangedPart>(parts);
    const chosen = found.filter((entry) => isChosen(entry, of, shownParts));
    const turned = new Set(toggled);
    const broken = chosen.filter(({ place }) => place.kind === 'broken');
    const others = chosen.filter(({ place }) => place.kind !== 'broken');
    const head = this.#brokenLines(broken, turned);
    const lines = [...head, ...(sort === 'file' ? fileLines(others, turned) : this.#sorted(others, sort))];
    const firstRule = lines.findIndex((line, at) => at >= head.length && 'entry' in line);
    return {
      facets: facetsOf(found),
      total: lines.length,
      listed: chosen.length,
      firstRule: firstRule === -1 ? null : firstRule,
      window: (offset, limit) =>
        lines.slice(offset, offset + limit).map((line) => ('entry' in line ? this.#item(line) : line)),
    };
  }

  #item(line: ReviewEntry): ReviewItem {
    return { kind: 'row', row: this.#source.rowOf(line.entry), part: mostSeverePart(line) };
  }

  #sorted(entries: readonly ReviewEntry[], by: 'name' | 'size'): ReviewEntry[] {
    const byName = (a: ReviewEntry, b: ReviewEntry): number =>
      compare(a.place.name, b.place.name) || compare(a.place.file, b.place.file) || a.place.line - b.place.line;
    if (by === 'name') return entries.toSorted(byName);
    const sizes = new Map(entries.map((each) => [each, this.#sizeOf(each)]));
    return entries.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || byName(a, b));
  }

  #sizeOf({ entry }: ReviewEntry): number {
    const { addedLines, removedLines } = this.#source.rowOf(entry);
    return addedLines + removedLines;
  }

  /** The cause of the most rules first. */
  #brokenLines(entries: readonly ReviewEntry[], turned: ReadonlySet<string>): Line[] {
    if (entries.length === 0) return [];
    const causes = new Map(
      entries.map((each) => [each, this.#causes.causeOf(each.place.broken ?? unknown, each.entry.new)]),
    );
    const groups = [...Map.groupBy(entries, (each) => JSON.stringify(causes.get(each)))].toSorted(
      ([, a], [, b]) => b.length - a.length,
    );
    const lines: Line[] = [{ kind: 'broken', count: entries.length, causes: groups.length }];
    for (const [key, group] of groups) {
      const [first] = group;
      const cause = first && causes.get(first);
      if (first === undefined || cause === undefined) continue;
      const isOpen = turned.has(key) !== entries.length <= fewBroken;
      lines.push({
        kind: 'cause',
        key,
        cause,
        count: group.length,
        isOpen,
        files: new Set(group.map(({ place }) => place.file)).size,
        file: first.place.file,
      });
      if (isOpen) lines.push(...group);
    }
    return lines;
  }

  /** What is searched, in lower case. */
  #wordsOf(entry: ReviewEntry): string {
    const known = this.#words.get(entry);
    if (known !== undefined) return known;
    const { name, file, movedFrom } = entry.place;
    const rule = entry.entry.new ?? entry.entry.old;
    const words = [name, file, movedFrom ?? '', ...(rule?.tags ?? []), ...authorsOf(rule)].join('\n').toLowerCase();
    this.#words.set(entry, words);
    return words;
  }
}

/** They are shown at once. */
const fewBroken = 3;
const unknown = { rule: null, file: '', line: 0, kind: 'text', text: '' } as const;
const longestAuthor = 500;

const authorsOf = (rule: ParsedRule | null): string[] =>
  (rule?.meta ?? []).flatMap(({ key, value }) =>
    key.toLowerCase() === 'author' ? [value.slice(0, longestAuthor)] : [],
  );
const hasAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** null: it is no changed rule. */
function mostSeverePart({ place: { kind, parts } }: ReviewEntry): ChangedPart | null {
  return kind === 'changed' ? (partsByGravity.find((part) => parts.includes(part)) ?? 'layout') : null;
}

function isChosen(entry: ReviewEntry, of: ReviewQuery['of'], parts: ReadonlySet<ChangedPart>): boolean {
  if (of !== 'all' && of !== entry.place.kind) return false;
  const part = mostSeverePart(entry);
  return part === null || parts.has(part);
}

function fileLines(entries: readonly ReviewEntry[], turned: ReadonlySet<string>): Line[] {
  const groups = [...Map.groupBy(entries, ({ place }) => place.file)].toSorted(([a], [b]) => compare(a, b));
  return groups.flatMap(([file, group]): Line[] => {
    const key = `file ${file}`;
    const isOpen = !turned.has(key);
    const head: Line = { kind: 'file', key, file, count: group.length, isOpen };
    return isOpen ? [head, ...group.toSorted((a, b) => a.place.line - b.place.line)] : [head];
  });
}

function facetsOf(entries: readonly ReviewEntry[]): ReviewFacets {
  const facets: ReviewFacets = {
    all: entries.length,
    changed: 0,
    added: 0,
    removed: 0,
    moved: 0,
    broken: 0,
    parts: { condition: 0, strings: 0, modifiers: 0, tags: 0, meta: 0, layout: 0 },
  };
  for (const entry of entries) {
    facets[entry.place.kind] += 1;
    const part = mostSeverePart(entry);
    if (part !== null) facets.parts[part] += 1;
  }
  return facets;
}

const unknownName = /^unknown identifier `(\w+)`/;
const unknownModule = /^unknown module `(\w+)`/;
/** As `textOfUse` has it, of a rule as a whole or of its part in some namespaces. */
const brokenUse = /(?:^|: )It uses ([^ ]+), which is broken: /;
/** YARA refuses it as well. */
const backReference = /(?:^|[^\\])(?:\\\\)*\\[0-9]/;
const regexFault = 'invalid regular expression';
const regexFaultsTakenByYara = [
  'unrecognized escape sequence',
  'repetition ',
  'unclosed counted repetition',
  'invalid escape sequence found in character class',
  'invalid range boundary',
];
/** Refused by YARA-X 1 and compiled by YARA 4.2: tried with both. */
const takenByYara: readonly RegExp[] = [
  new RegExp(`^${regexFault}: (?:${regexFaultsTakenByYara.join('|')})`),
  /^invalid pattern `[^`]*`: this pattern is too short: `base64/,
];

/** Determines why rules of one package are broken, so that those of one cause can be reported together. */
class BrokenCauses {
  readonly #pack: IndexedPackage;
  readonly #modules: ReadonlySet<string>;
  readonly #brokenNames: ReadonlySet<string>;

  constructor(pack: IndexedPackage) {
    this.#pack = pack;
    this.#modules = new Set(
      pack.broken.flatMap(({ broken: { rule, text } }) => (rule === null ? (unknownModule.exec(text)?.[1] ?? []) : [])),
    );
    this.#brokenNames = new Set(
      pack.broken.flatMap(({ rule }) => (rule === null || pack.usable.has(rule.name) ? [] : [rule.name])),
    );
  }

  causeOf({ kind, text }: BrokenRule, rule: ParsedRule | null): BrokenCause {
    const used = kind === 'uses' ? brokenUse.exec(text)?.[1] : undefined;
    if (used !== undefined) return { kind: 'rule', subject: used, isTakenByYara: false };
    if (kind !== 'engine') return { kind, subject: '', isTakenByYara: false };
    const name = unknownModule.exec(text)?.[1] ?? unknownName.exec(text)?.[1];
    if (name !== undefined && (this.#modules.has(name) || unknownModule.test(text)))
      return { kind: 'module', subject: name, isTakenByYara: false };
    if (name !== undefined && this.#brokenNames.has(name)) return { kind: 'rule', subject: name, isTakenByYara: false };
    const isTakenByYara = takenByYara.some((expression) => expression.test(text));
    if (text.startsWith(regexFault) && rule !== null && this.#isRelaxable(rule))
      return { kind: 'strict', subject: '', isTakenByYara: true };
    return { kind: 'engine', subject: text.replaceAll(/`[^`]*`/g, '`…`').replaceAll(/\d+/g, 'N'), isTakenByYara };
  }

  #isRelaxable(rule: ParsedRule): boolean {
    const text = textOf(this.#pack, rule).slice(rule.start, rule.end);
    const relaxed = withRelaxedRegexes(text);
    return relaxed !== text && !backReference.test(relaxed);
  }
}
