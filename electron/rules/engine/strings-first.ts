import { YaraScanner } from '../../../shared/domain/yara-scanner.ts';
import { readConditionNames } from '../condition-names.ts';
import { type SplitRule, splitRules } from '../split-rules.ts';
import { type CompiledRules, type EngineHit, RefusedRulesError, type VariableTexts } from './scan-engine.ts';
import { conditionWithoutStrings, headOf } from './without-strings.ts';

/** An engine with the variables that rules are compiled with. */
export interface FirstEngine {
  /** @throws RefusedRulesError */
  compile(source: string): CompiledRules;
  /** As that of `ScanEngine`. */
  collect(): void;
}

/** Around what is compiled during a scan: the watcher must know why it takes long. */
export interface CompileWatch {
  compiles(): Promise<void>;
  compiled(): Promise<void>;
}

interface Rule {
  isPrivate: boolean;
  text: string;
  /** Places of rules that its condition names. */
  uses: readonly number[];
  /** As it is where none of its strings is found; null: that cannot be said, and it always looks as it is. */
  first: string | null;
  /** That one holds for no file. */
  isNothing: boolean;
  /** Its strings, each under a name that shows where it belongs; empty: it has none that come first. */
  strings: string;
  /** What must hold before a string of it matters. */
  head: readonly string[];
}

/** Rules as they are, with all that they use. */
interface Demanded {
  targets: ReadonlySet<number>;
  compiled: CompiledRules;
}

/**
 * Strings of so many rules are one rule of the first pass: what an engine makes of a condition costs many times what it
 * makes of a string.
 */
const rulesAGroup = 20;
const leastInGroup = 5;
/**
 * Programs that are at most so many times larger than what is new are compiled again together with it: every program
 * scans a file once more.
 */
const mostLarger = 1.5;

/** As shares of all rules. */
export interface FirstLimits {
  /**
   * Once so many rules were compiled on demand, counting those that were compiled again, all are: in sum that costs
   * about twice what compiling all of them at first would have.
   */
  mostDemanded: number;
  /** With fewer rules whose strings come first, all are compiled at once. */
  leastProbed: number;
}
const usualLimits: FirstLimits = { mostDemanded: 1, leastProbed: 1 / 2 };

/**
 * Rules whose conditions are compiled when one of their strings was found in a file: most rules never need theirs. Each
 * file is looked through with the strings of all rules, and with what their conditions are without strings; where a
 * string of a rule is found, the rule as it is and what it uses look once more. The hits are those of all rules
 * compiled together.
 */
export class StringsFirst {
  readonly #source: string;
  readonly #engine: FirstEngine;
  readonly #imports: string;
  readonly #rules: readonly Rule[];
  readonly #placeOf: ReadonlyMap<string, number>;
  readonly #groups: ReadonlySet<string>;
  /** By the place of a rule whose strings come first: the rules that may hit otherwise when one of them is found. */
  readonly #depending: ReadonlyMap<number, readonly number[]>;
  /** All rules as they are, once so many were asked for that it is not worth while to ask. */
  #whole: CompiledRules | null = null;
  /** Strings, and rules as they are without them. One match of a string is enough. */
  #first: CompiledRules;
  #demanded: Demanded[];
  /** Rules that look at each file as they are, whatever was found. */
  readonly #always: ReadonlySet<number>;
  readonly #mostDemanded: number;
  /** Rules that were compiled on demand so far. */
  #spent = 0;

  /** `source`: every rule of it compiles. @throws RefusedRulesError */
  constructor(source: string, engine: FirstEngine, { mostDemanded, leastProbed } = usualLimits) {
    const { rules, imports } = splitRules(source);
    this.#source = source;
    this.#engine = engine;
    this.#mostDemanded = mostDemanded * rules.length;
    this.#imports = imports.map(({ start, end }) => source.slice(start, end)).join('\n');
    this.#placeOf = new Map(rules.map(({ name }, place) => [name, place]));
    this.#rules = rules.map((rule, place) => ruleOf(source, rule, { place, placeOf: this.#placeOf }));
    const users = usersOf(this.#rules);
    const always = withUsers(
      users,
      this.#rules.flatMap(({ first }, place) => (first === null ? [place] : [])),
    );
    this.#always = new Set([...always].filter((place) => this.#rules[place]?.isPrivate === false));
    const probed = this.#rules.flatMap(({ strings }, place) => (strings === '' || always.has(place) ? [] : [place]));
    this.#depending = new Map(
      probed.map((place) => [
        place,
        [...withUsers(users, [place])].filter((each) => !always.has(each) && this.#rules[each]?.isPrivate === false),
      ]),
    );
    const groups = groupsOf(probed.flatMap((place) => this.#rules[place] ?? []));
    this.#groups = new Set(groups.keys());
    const isUseless =
      probed.length < leastProbed * rules.length ||
      rules.some(({ isGlobal, damage }) => isGlobal || damage !== null) ||
      [searchingName, ...this.#groups].some((name) => this.#placeOf.has(name));
    if (isUseless) {
      this.#first = this.#whole = engine.compile(source);
      this.#demanded = [];
      return;
    }
    this.#first = engine.compile([this.#imports, ...this.#firstTexts(always), ...groups.values()].join('\n'));
    this.#first.limitMatches(1);
    this.#demanded =
      this.#always.size === 0 ? [] : [{ targets: this.#always, compiled: engine.compile(this.#textOf(this.#always)) }];
  }

  takes(texts: VariableTexts): boolean {
    return this.#first.takes(texts);
  }

  /** @throws RefusedValueError, and what the engine throws, after which it is of no use any more */
  async scan(bytes: Uint8Array, texts: VariableTexts, watch: CompileWatch): Promise<EngineHit[]> {
    if (this.#whole !== null) return this.#whole.scan(bytes, texts);
    const hits = this.#first.scan(bytes, texts);
    const asked = this.#askedBy(hits);
    const missing = [...asked].filter((place) => !this.#demanded.some(({ targets }) => targets.has(place)));
    const whole = missing.length === 0 ? null : await this.#demand(missing, watch);
    if (whole !== null) return whole.scan(bytes, texts);
    const settled = hits.filter(({ rule }) => !this.#groups.has(rule) && !asked.has(this.#at(rule)));
    const wanted = new Set([...asked, ...this.#always]);
    for (const { targets, compiled } of this.#demanded) {
      const those = new Set([...wanted].filter((place) => targets.has(place)));
      if (those.size > 0) settled.push(...compiled.scan(bytes, texts).filter(({ rule }) => those.has(this.#at(rule))));
    }
    return settled.toSorted((one, other) => this.#at(one.rule) - this.#at(other.rule));
  }

  #at(rule: string): number {
    return this.#placeOf.get(rule) ?? -1;
  }

  /** Rules that may hit otherwise than it was said of them without strings. */
  #askedBy(hits: readonly EngineHit[]): ReadonlySet<number> {
    const found = new Set<number>();
    for (const { rule, matches } of hits) {
      if (!this.#groups.has(rule)) continue;
      for (const { identifier } of matches) found.add(placeIn(identifier));
    }
    return new Set([...found].flatMap((place) => this.#depending.get(place) ?? []));
  }

  /** Those that can say nothing before a string is found are not there, unless others name them. */
  #firstTexts(always: ReadonlySet<number>): string[] {
    const used = new Set(this.#rules.flatMap(({ uses }) => uses));
    return this.#rules.flatMap(({ first, isNothing }, place) =>
      first === null || always.has(place) || (isNothing && !used.has(place)) ? [] : [first],
    );
  }

  /** @returns all rules, where those that are missing make it too many to compile them by themselves */
  async #demand(missing: readonly number[], { compiles, compiled }: CompileWatch): Promise<CompiledRules | null> {
    await compiles();
    try {
      if (this.#spent > this.#mostDemanded || !this.#add(missing)) {
        this.#whole = this.#engine.compile(this.#source);
        this.#first = this.#whole;
        this.#demanded = [];
        this.#engine.collect();
      }
      return this.#whole;
    } finally {
      await compiled();
    }
  }

  /** @returns whether they compile by themselves */
  #add(missing: readonly number[]): boolean {
    const targets = new Set(missing);
    const kept = [...this.#demanded];
    while ((kept.at(-1)?.targets.size ?? Infinity) <= mostLarger * targets.size)
      for (const place of kept.pop()?.targets ?? []) targets.add(place);
    this.#spent += targets.size;
    const isReplacing = kept.length < this.#demanded.length;
    try {
      this.#demanded = [...kept, { targets, compiled: this.#engine.compile(this.#textOf(targets)) }];
      if (isReplacing) this.#engine.collect();
      return true;
    } catch (error) {
      if (!(error instanceof RefusedRulesError)) throw error;
      return false;
    }
  }

  /** With all that they use. */
  #textOf(targets: ReadonlySet<number>): string {
    const needed = new Set(targets);
    for (const place of needed) for (const used of this.#rules[place]?.uses ?? []) needed.add(used);
    return [
      this.#imports,
      searching,
      ...[...needed].toSorted((one, other) => one - other).map((place) => this.#rules[place]?.text ?? ''),
    ].join('\n');
  }
}

const groupName = 'strings_of_';
/**
 * The engine searches a file when a condition requires a string, and reports no string where none did: among all rules
 * one always does.
 */
const searchingName = 'strings_sought';
const searching = `private rule ${searchingName} { strings: $a = { 9a 4f c1 07 e2 5b 13 88 } condition: $a }`;

/**
 * Rules whose conditions begin with the same test are grouped: where that test fails, their strings are not required,
 * and where no strings are required, the engine does not search at all.
 */
function groupsOf(rules: readonly Rule[]): Map<string, string> {
  const texts: string[] = [];
  for (const [head, alike] of byHead(rules)) {
    for (let at = 0; at < alike.length; at += rulesAGroup) {
      const strings = alike.slice(at, at + rulesAGroup).map((rule) => rule.strings);
      texts.push(`{\nstrings:\n${strings.join('\n')}\ncondition: ${head === '' ? '' : `${head} and `}any of them }`);
    }
  }
  return new Map(texts.map((text, index) => [`${groupName}${index}`, `rule ${groupName}${index} ${text}`]));
}

/** By all that is asked, else by the first of it, else by nothing, so that no group is small. */
function byHead(rules: readonly Rule[]): Map<string, Rule[]> {
  const whole = Map.groupBy(rules, ({ head }) => headText(head));
  const isLarge = (groups: ReadonlyMap<string, readonly Rule[]>, key: string): boolean =>
    (groups.get(key)?.length ?? 0) >= leastInGroup;
  const first = Map.groupBy(
    rules.filter(({ head }) => !isLarge(whole, headText(head))),
    ({ head }) => headText(head.slice(0, 1)),
  );
  return Map.groupBy(
    rules,
    ({ head }) =>
      [headText(head), headText(head.slice(0, 1))].find((key, index) => isLarge(index === 0 ? whole : first, key)) ??
      '',
  );
}

const headText = (head: readonly string[]): string => head.map((operand) => `(${operand})`).join(' and ');

interface Places {
  place: number;
  placeOf: ReadonlyMap<string, number>;
}

function ruleOf(source: string, rule: SplitRule, { place, placeOf }: Places): Rule {
  const { name, start, end, isPrivate, condition, strings } = rule;
  const text = source.slice(start, end);
  const mentions = readConditionNames(source, condition).mentions.flatMap((mention) =>
    mention.isWildcard ? placesOf(mention.name, placeOf) : (placeOf.get(mention.name) ?? []),
  );
  const same = { isPrivate, text, uses: [...new Set(mentions)] };
  const named = strings === null ? '' : namedStrings(source, strings, place);
  if (named === '') return { ...same, first: text, isNothing: false, strings: '', head: [] };
  const without = named === null || condition === null ? null : conditionWithoutStrings(source, condition);
  if (named === null || condition === null || without === null)
    return { ...same, first: null, isNothing: false, strings: '', head: [] };
  return {
    ...same,
    first: `${isPrivate ? 'private ' : ''}rule ${name} { condition: ${without}\n}`,
    isNothing: without === false,
    strings: named,
    head: headOf(source, condition),
  };
}

const placesOf = (beginning: string, placeOf: ReadonlyMap<string, number>): number[] =>
  [...placeOf].flatMap(([name, place]) => (name.startsWith(beginning) ? [place] : []));

/** null: one of them is private, and an engine does not report it. */
function namedStrings(source: string, span: { start: number; end: number }, place: number): string | null {
  const scanner = new YaraScanner(source, span);
  const parts: string[] = [];
  let at = span.start;
  let count = 0;
  while (scanner.nextSignificant()) {
    const { kind, start, end } = scanner;
    if (kind === 'word' && source.slice(start, end) === 'private') return null;
    if (kind !== 'pattern') continue;
    parts.push(source.slice(at, start), `$s${place}_${count}`);
    count += 1;
    at = end;
  }
  return count === 0 ? '' : [...parts, source.slice(at, span.end)].join('');
}

const placeIn = (identifier: string): number => Number(identifier.slice(2, identifier.indexOf('_')));

/** By its place, those that name a rule. */
function usersOf(rules: readonly Rule[]): ReadonlyMap<number, readonly number[]> {
  const users = new Map<number, number[]>();
  for (const [place, { uses }] of rules.entries()) {
    for (const used of uses) {
      const known = users.get(used);
      if (known === undefined) users.set(used, [place]);
      else known.push(place);
    }
  }
  return users;
}

/** And those that use these, and so on. */
function withUsers(users: ReadonlyMap<number, readonly number[]>, places: readonly number[]): Set<number> {
  const all = new Set(places);
  for (const place of all) for (const user of users.get(place) ?? []) all.add(user);
  return all;
}
