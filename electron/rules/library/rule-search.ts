import { assertNever } from '../../../shared/assert-never.ts';
import type { RuleSort } from '../../../shared/domain/publication.ts';
import {
  type CostMatch,
  type MetaMatch,
  type NameMatch,
  readRuleQuery,
  type RuleStateName,
  type RuleTerm,
} from '../../../shared/domain/rule-query.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { type IndexedPackage, keyIn } from './indexed-package.ts';
import { ruleAt, textOf } from './rule-views.ts';

/** What the host knows of rules, by their keys. An equal `stamp` is equal knowledge. */
export interface KnownOfRules {
  stamp: string;
  hits: readonly { key: string; samples: number; lastHit: string }[];
  muted: readonly string[];
  /** Those that were measured as they are now; none where the question is not about costs. */
  costs: readonly { key: string; msPerMegabyte: number; together: number }[];
}

export interface RuleQuestion {
  find: string;
  sort: RuleSort;
  known: KnownOfRules;
}

const mostMetaKeys = 50;

/** Finds rules. The text of the package is kept in lower case meanwhile: one package is searched at a time. */
export class RuleSearch {
  readonly #pack: IndexedPackage;
  #texts: readonly string[] | null = null;
  #relations: Relations | null = null;
  #metaKeys: readonly string[] | null = null;
  #last: { question: string; numbers: readonly number[] } | null = null;

  constructor(pack: IndexedPackage) {
    this.#pack = pack;
  }

  isOver(pack: IndexedPackage): boolean {
    return this.#pack === pack;
  }

  /** The most frequent keys of meta, in lower case. */
  get metaKeys(): readonly string[] {
    this.#metaKeys ??= frequentKeys(this.#pack.parsed.rules);
    return this.#metaKeys;
  }

  /**
   * Numbers of the rules for which every term holds, in the order of `sort`; for a key with a file, of that rule. A
   * search with a fault finds none.
   */
  numbers({ find, sort, known }: RuleQuestion): readonly number[] {
    const question = JSON.stringify([find, sort, known.stamp]);
    if (this.#last?.question === question) return this.#last.numbers;
    const facts = new Map(known.hits.map((one) => [one.key, one]));
    const all = { facts, muted: new Set(known.muted), costs: new Map(known.costs.map((one) => [one.key, one])) };
    const found = this.#ofKey(find.trim()) ?? this.#matching(find, all);
    const numbers = this.#sorted(found, sort, all);
    this.#last = { question, numbers };
    return numbers;
  }

  #ofKey(key: string): number[] | null {
    const rule = key.includes(':') ? this.#pack.usable.get(key) : undefined;
    return rule === undefined ? null : [rule.number];
  }

  #matching(find: string, known: Known): number[] {
    const { rules } = this.#pack.parsed;
    const read = readRuleQuery(find);
    if (read.kind === 'problem') return [];
    // What is cheap to decide comes first, and of texts the long ones.
    const tests = read.terms
      .toSorted((a, b) => costOf(b) - costOf(a))
      .map((term) => ({ holds: this.#testOf(term, known), negated: term.negated }));
    return rules
      .filter((rule) => tests.every(({ holds, negated }) => holds(rule) !== negated))
      .map(({ number }) => number);
  }

  #testOf(term: RuleTerm, { facts, muted, costs }: Known): (rule: ParsedRule) => boolean {
    switch (term.field) {
      case 'text': {
        const texts = (this.#texts ??= searchTexts(this.#pack));
        return ({ number }) => texts[number]?.includes(term.value) === true;
      }
      case 'name':
        return ({ name }) => name.toLowerCase().includes(term.value);
      case 'file':
        return ({ file }) => file.toLowerCase().includes(term.value);
      case 'warning':
        return ({ number }) =>
          this.#pack.warningsOf
            .get(number)
            ?.some(({ code }) => term.value === '*' || code.toLowerCase().includes(term.value)) === true;
      case 'author':
        return ({ meta }) => meta.some(({ key, value }) => isAuthor(key) && value.toLowerCase().includes(term.value));
      case 'tag':
        return ({ tags }) => tags.some((tag) => isNamed(tag, term.match));
      case 'uses':
      case 'var': {
        const relations = (this.#relations ??= relationsOf(this.#pack));
        const names = term.field === 'uses' ? relations.uses : relations.variables;
        return ({ number }) => names[number]?.some((name) => isNamed(name, term.match)) === true;
      }
      case 'meta':
        return ({ meta }) =>
          meta.some(({ key, value }) => key.toLowerCase() === term.key && isMetaMatch(value, term.match));
      case 'hits':
        return (rule) => {
          const samples = facts.get(keyIn(this.#pack, rule))?.samples ?? 0;
          return samples >= (term.least ?? 0) && samples <= (term.most ?? Infinity);
        };
      case 'cost':
        return (rule) => isCostMatch(costs.get(keyIn(this.#pack, rule)), term.match);
      case 'is':
        return (rule) => isState(rule, term.state, { pack: this.#pack, muted });
      default:
        return assertNever(term);
    }
  }

  #sorted(numbers: readonly number[], { by, direction }: RuleSort, known: Known): readonly number[] {
    if (by.column === 'place') return direction === 'ascending' ? numbers : numbers.toReversed();
    const sign = direction === 'ascending' ? 1 : -1;
    const values = numbers.map((number) => ({ number, value: this.#sortValue(number, by, known) }));
    return values
      .toSorted((a, b) => metaOrder(a.value, b.value, sign) || a.number - b.number)
      .map(({ number }) => number);
  }

  #sortValue(number: number, by: RuleSort['by'], { facts, costs }: Known): MetaValue {
    const rule = this.#pack.parsed.rules[number];
    if (rule === undefined) return null;
    switch (by.column) {
      case 'hits':
        return facts.get(keyIn(this.#pack, rule))?.samples ?? 0;
      case 'last-hit':
        return facts.get(keyIn(this.#pack, rule))?.lastHit ?? null;
      case 'cost':
        return costOrder(costs.get(keyIn(this.#pack, rule)));
      case 'meta':
        return metaValue(rule, by.key);
      case 'name':
      case 'place':
        return rule.name.toLowerCase();
      default:
        return assertNever(by);
    }
  }
}

interface Known {
  facts: ReadonlyMap<string, KnownOfRules['hits'][number]>;
  costs: ReadonlyMap<string, KnownOfRules['costs'][number]>;
  muted: ReadonlySet<string>;
}

export const metaValue = ({ meta }: Pick<ParsedRule, 'meta'>, wanted: string): string | null =>
  meta.find(({ key }) => key.toLowerCase() === wanted.toLowerCase())?.value ?? null;

const isAuthor = (key: string): boolean => /^authors?$/i.test(key);

function isNamed(name: string, match: NameMatch): boolean {
  if (match.kind === 'any') return true;
  const lower = name.toLowerCase();
  return match.kind === 'exact' ? lower === match.value : lower.startsWith(match.value);
}

/** Of a rule that was measured with others it is known only that it costs at most that. */
function isCostMatch(cost: KnownOfRules['costs'][number] | undefined, match: CostMatch): boolean {
  if (cost === undefined) return false;
  if (match.kind === 'any') return true;
  const { msPerMegabyte: ms, together } = cost;
  const isBelow = match.isMostOpen ? ms < match.most : ms <= match.most;
  const isAbove = match.isLeastOpen ? ms > match.least : ms >= match.least;
  return isBelow && (together === 1 ? isAbove : match.least === 0 && !match.isLeastOpen);
}

/** The cost of a group shows little about its rules: they come after those that were measured alone, below zero. */
function costOrder(cost: KnownOfRules['costs'][number] | undefined): number | null {
  if (cost === undefined) return null;
  return cost.together === 1 ? cost.msPerMegabyte : -1 / (1 + cost.msPerMegabyte);
}

function isState(
  rule: ParsedRule,
  state: RuleStateName,
  { pack, muted }: { pack: IndexedPackage; muted: ReadonlySet<string> },
): boolean {
  switch (state) {
    case 'broken':
      return pack.brokenOf.has(rule.number);
    case 'muted':
      return muted.has(keyIn(pack, rule));
    case 'private':
      return rule.isPrivate;
    case 'global':
      return rule.isGlobal;
    default:
      return assertNever(state);
  }
}

/** The text of all rules is read for a word; the longer it is, the more rules it sorts out. */
const costOf = (term: RuleTerm): number => (term.field === 'text' ? term.value.length - 10_000 : 0);

/** By numbers of rules. */
interface Relations {
  uses: readonly (readonly string[])[];
  variables: readonly (readonly string[])[];
}

/** Which rules and which external variables each rule names. Of a rule that is broken the variables are not known. */
function relationsOf(pack: IndexedPackage): Relations {
  const uses: Set<string>[] = pack.parsed.rules.map(() => new Set());
  const variables: Set<string>[] = pack.parsed.rules.map(() => new Set());
  for (const { rule, targets } of pack.instances) {
    for (const [index, { name, isWildcard }] of rule.names.mentions.entries()) {
      const target = targets[index] ?? null;
      for (const used of target ?? []) uses[rule.number]?.add(used.rule.name);
      if (target === null && !isWildcard) variables[rule.number]?.add(name);
    }
  }
  return { uses: uses.map((names) => [...names]), variables: variables.map((names) => [...names]) };
}

/** What a person is shown of it, by names of rules in the order of the package. */
export interface RuleRelations {
  /** Under which mutes and hits name it. */
  key: string;
  uses: string[];
  usedBy: string[];
  variables: string[];
}

const mostRelations = 100;

/** Fails with `rule-missing`. */
export function relationsAt(pack: IndexedPackage, number: number): RuleRelations {
  const rule = ruleAt(pack, number);
  const [uses, usedBy, variables] = [new Set<ParsedRule>(), new Set<ParsedRule>(), new Set<string>()];
  for (const { rule: user, targets } of pack.instances) {
    if (user !== rule && !targets.some((target) => target?.some((used) => used.rule === rule))) continue;
    if (user !== rule) usedBy.add(user);
    else
      for (const [index, { name, isWildcard }] of rule.names.mentions.entries()) {
        const target = targets[index] ?? null;
        for (const used of target ?? []) uses.add(used.rule);
        if (target === null && !isWildcard) variables.add(name);
      }
  }
  const namesOf = (rules: ReadonlySet<ParsedRule>): string[] =>
    [...rules]
      .toSorted((a, b) => a.number - b.number)
      .slice(0, mostRelations)
      .map((one) => keyIn(pack, one));
  return {
    key: keyIn(pack, rule),
    uses: namesOf(uses),
    usedBy: namesOf(usedBy),
    variables: [...variables].slice(0, mostRelations),
  };
}

function frequentKeys(rules: readonly ParsedRule[]): string[] {
  const counts = new Map<string, number>();
  for (const { meta } of rules)
    for (const key of new Set(meta.map((entry) => entry.key.toLowerCase())))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostMetaKeys)
    .map(([key]) => key);
}

function searchTexts(pack: IndexedPackage): string[] {
  return pack.parsed.rules.map((rule) => {
    const text = textOf(pack, rule).slice(rule.start, rule.end);
    // Name and tags are in the text as they are; a value with escapes is not.
    const values = rule.meta.filter(({ value }) => !text.includes(value)).map(({ value }) => value);
    return [text, ...values].join('\n').toLowerCase();
  });
}

/** A number, a text, or nothing. */
type MetaValue = string | number | null;

/** Whether a value of meta, as the rule has it, is what a search asks for. */
function isMetaMatch(value: string, match: MetaMatch): boolean {
  switch (match.kind) {
    case 'any':
      return true;
    case 'contains':
      return value.toLowerCase().includes(match.value);
    case 'compare': {
      const { comparison } = match;
      if (comparison.kind === 'than') return isSign(comparison.sign, orderOf(value, comparison.operand));
      const [low, high] = [orderOf(value, comparison.low), orderOf(value, comparison.high)];
      return low !== null && high !== null && low >= 0 && high <= 0;
    }
    default:
      return assertNever(match);
  }
}

function isSign(sign: '>' | '>=' | '<' | '<=' | '=', order: number | null): boolean {
  if (order === null) return false;
  switch (sign) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '=':
      return order === 0;
    default:
      return assertNever(sign);
  }
}

/**
 * Numbers as numbers, days as days (a month is all of its days), else letters. null: a number and a text have no order.
 */
function orderOf(value: string, operand: string): number | null {
  const [number, wanted] = [numberOf(value), numberOf(operand)];
  if (number !== null && wanted !== null) return number - wanted;
  const day = dayOf(value);
  if (dayOf(operand) !== null) return day === null ? null : byText(day.slice(0, operand.length), operand);
  return wanted === null ? byText(value.toLowerCase(), operand) : null;
}

const numberOf = (text: string): number | null => (/^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : null);
/** `2024-03`, `2024-03-01`, also with `/` and with a time behind it. */
const dayOf = (text: string): string | null =>
  /^\s*(\d{4}[-/]\d{2}(?:[-/]\d{2})?)(?!\d)/.exec(text)?.[1]?.replaceAll('/', '-') ?? null;
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Numbers before texts; what has no value comes last in either direction. */
function metaOrder(a: MetaValue, b: MetaValue, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x !== null && y !== null) return sign * (x - y);
  if (x !== null || y !== null) return sign * (x !== null ? -1 : 1);
  return sign * byText(String(a).toLowerCase(), String(b).toLowerCase());
}

const asNumber = (value: string | number): number | null => (typeof value === 'number' ? value : numberOf(value));
