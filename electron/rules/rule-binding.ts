import { assertNever } from '../../shared/assert-never.ts';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { conventionalVariables } from '../../shared/domain/rule-variable.ts';
import { YaraScanner } from '../../shared/domain/yara-scanner.ts';
import { textOfLeftOut, textOfUndefined, textOfUse, textOfWideWildcard } from './broken-format.ts';
import type { Mention } from './condition-names.ts';
import type { Namespace, ParsedPackage, ParsedRule } from './parsed-package.ts';

/**
 * A rule as an engine compiles it once: a rule whose file is in several namespaces has one instance for each meaning it
 * has in them. All instances of a package are compiled in one namespace, so each has an identifier of its own.
 */
export interface RuleInstance {
  readonly rule: ParsedRule;
  /** The rule's own name, unless it would be taken for another one's. */
  readonly identifier: string;
  /** By the mentions of the rule's condition: what each means; null: no rule. */
  readonly targets: readonly (readonly RuleInstance[] | null)[];
  /** Global rules of its namespace: it holds where these do. Only in a package of several namespaces. */
  readonly guards: readonly RuleInstance[];
  readonly isPrivate: boolean;
  /** To the engine: in a package of several namespaces none is. */
  readonly isGlobal: boolean;
}

interface BoundRules {
  /** In an order to compile them in: what an instance uses comes before it. */
  instances: readonly RuleInstance[];
  /** Rules that are broken because of others, and lines that say where a rule is left out that counts elsewhere. */
  broken: readonly BrokenRule[];
}

/**
 * Resolves each name in a condition, as YARA does: to the rule of that name that precedes it in the same namespace.
 *
 * @param isBroken is called with rules; a rule that uses a broken one is broken too
 */
export function bindRules(parsed: ParsedPackage, isBroken: (rule: ParsedRule) => boolean): BoundRules {
  return new Binder(parsed, isBroken).bind();
}

type Trouble = { kind: 'itself' } | Consequence;
type Consequence = { kind: 'uses'; used: ParsedRule } | { kind: 'undefined'; name: string } | { kind: 'wildcard' };

/** A rule in one namespace. */
interface Resolved {
  rule: ParsedRule;
  targets: readonly (readonly Resolved[] | null)[];
  trouble: Trouble | null;
}

type Draft = {
  -readonly [K in keyof RuleInstance]: K extends 'targets'
    ? readonly (readonly Draft[] | null)[]
    : K extends 'guards'
      ? readonly Draft[]
      : RuleInstance[K];
} & { index: number };

const indexesOf = (drafts: readonly Draft[]): string => drafts.map(({ index }) => index).join();

/** Names that are held against a wildcard, in all: a package may be against us. */
const mostWildcardWork = 20_000_000;
const nothing: readonly never[] = [];

class Binder {
  readonly #parsed: ParsedPackage;
  readonly #isBroken: (rule: ParsedRule) => boolean;
  readonly #isOne: boolean;
  readonly #drafts: Draft[] = [];
  readonly #byMeaning = new Map<string, Draft>();
  readonly #counting = new Set<ParsedRule>();
  readonly #troubles = new Map<ParsedRule, { trouble: Consequence; root: string; times: number }>();
  /** In a package where rules are in several namespaces: which mentions of a rule mean one in any of them. */
  readonly #meant = new Map<ParsedRule, Set<Mention>>();
  #wildcardWork = 0;

  constructor(parsed: ParsedPackage, isBroken: (rule: ParsedRule) => boolean) {
    this.#parsed = parsed;
    this.#isBroken = isBroken;
    this.#isOne = parsed.namespaces.length === 1;
  }

  bind(): BoundRules {
    const { namespaces, rules } = this.#parsed;
    const hasShared = namespaces.reduce((sum, namespace) => sum + namespace.rules.length, 0) > rules.length;
    if (hasShared) for (const namespace of namespaces) this.#noteMeant(this.#resolve(namespace));
    for (const namespace of namespaces) this.#add(namespace, this.#resolve(namespace));
    if (!this.#isOne) nameForEngine(this.#parsed, this.#drafts);
    return { instances: this.#drafts, broken: [...this.#broken()] };
  }

  #noteMeant(resolved: readonly Resolved[]): void {
    for (const { rule, targets } of resolved) {
      const meant = this.#meant.get(rule) ?? new Set();
      for (const [index, mention] of rule.names.mentions.entries())
        if ((targets[index] ?? null) !== null) meant.add(mention);
      this.#meant.set(rule, meant);
    }
  }

  /** The rules of a namespace in their order. Of one name the first alone is there. */
  #resolve({ rules }: Namespace): readonly Resolved[] {
    const known = new Map<string, Resolved>();
    for (const rule of rules) if (!known.has(rule.name)) known.set(rule.name, this.#resolved(rule, known));
    return [...known.values()];
  }

  #resolved(rule: ParsedRule, known: ReadonlyMap<string, Resolved>): Resolved {
    if (this.#isBroken(rule)) return { rule, targets: nothing, trouble: { kind: 'itself' } };
    const { mentions } = rule.names;
    if (mentions.length === 0) return { rule, targets: nothing, trouble: null };
    let trouble: Trouble | null = null;
    const targets = mentions.map((mention) => {
      const target = this.#targetOf(mention, known);
      const broken = target?.find((used) => used.trouble !== null);
      if (broken !== undefined) trouble ??= { kind: 'uses', used: broken.rule };
      if (target === null && mention.isWildcard && this.#wildcardWork > mostWildcardWork)
        trouble ??= { kind: 'wildcard' };
      if (target === null && this.#meant.get(rule)?.has(mention) === true)
        trouble ??= { kind: 'undefined', name: mention.name };
      return target;
    });
    return { rule, targets, trouble };
  }

  #targetOf({ name, isWildcard }: Mention, known: ReadonlyMap<string, Resolved>): Resolved[] | null {
    if (!isWildcard) {
      const target = known.get(name);
      return target === undefined ? null : [target];
    }
    this.#wildcardWork += known.size;
    if (this.#wildcardWork > mostWildcardWork) return null;
    const found = [...known.values()].filter(({ rule }) => rule.name.startsWith(name));
    return found.length === 0 ? null : found;
  }

  /**
   * In YARA no rule of a namespace holds where one of its global rules does not. Here each rule asks for them in its
   * condition. What they ask for themselves comes first and asks for none; where it is to be reported too, it comes a
   * second time.
   */
  #add({ root }: Namespace, resolved: readonly Resolved[]): void {
    for (const { rule, trouble } of resolved) this.#note(rule, trouble, root);
    const usable = resolved.filter(({ trouble }) => trouble === null);
    const globals = this.#isOne ? [] : usable.filter(({ rule }) => rule.isGlobal);
    const first = closureOf(globals);
    const drafts = new Map<Resolved, Draft>();
    const isTwice = (one: Resolved): boolean => !one.rule.isPrivate && !(globals.length === 1 && one === globals[0]);
    for (const one of usable)
      if (first.has(one))
        drafts.set(one, this.#draft(one, drafts, { guards: nothing, isPrivate: one.rule.isPrivate || isTwice(one) }));
    const guards = globals.flatMap((one) => drafts.get(one) ?? []);
    for (const one of usable) {
      if (first.has(one) && !isTwice(one)) continue;
      const draft = this.#draft(one, drafts, { guards, isPrivate: one.rule.isPrivate });
      if (!first.has(one)) drafts.set(one, draft);
    }
  }

  #note(rule: ParsedRule, trouble: Trouble | null, root: string): void {
    if (trouble === null) return void this.#counting.add(rule);
    if (trouble.kind === 'itself') return;
    const known = this.#troubles.get(rule);
    if (known === undefined) this.#troubles.set(rule, { trouble, root, times: 1 });
    else known.times += 1;
  }

  /** One for each meaning. */
  #draft(
    { rule, targets: resolved }: Resolved,
    drafts: ReadonlyMap<Resolved, Draft>,
    { guards, isPrivate }: Pick<Draft, 'guards' | 'isPrivate'>,
  ): Draft {
    const targets = resolved.map((target) => target && target.flatMap((used) => drafts.get(used) ?? []));
    const targetIndexes = targets.map((target) => (target === null ? '' : indexesOf(target)));
    const meaning = `${rule.number} ${isPrivate} ${indexesOf(guards)} ${targetIndexes.join(';')}`;
    const known = this.#byMeaning.get(meaning);
    if (known !== undefined) return known;
    const draft: Draft = {
      index: this.#drafts.length,
      rule,
      identifier: rule.name,
      targets,
      guards,
      isPrivate,
      isGlobal: this.#isOne && rule.isGlobal,
    };
    this.#drafts.push(draft);
    this.#byMeaning.set(meaning, draft);
    return draft;
  }

  *#broken(): Generator<BrokenRule> {
    for (const [rule, { trouble, root, times }] of this.#troubles) {
      const { name, file, line } = rule;
      const text = textOf(trouble);
      if (this.#counting.has(rule))
        yield { rule: null, file, line, kind: 'uses', text: `${textOfLeftOut(name, { root, times })}: ${text}` };
      else yield { rule: name, file, line, kind: trouble.kind === 'wildcard' ? 'limit' : 'uses', text };
    }
  }
}

function closureOf(globals: readonly Resolved[]): ReadonlySet<Resolved> {
  const found = new Set(globals);
  for (const { targets } of found) for (const target of targets) for (const used of target ?? []) found.add(used);
  return found;
}

function textOf(trouble: Consequence): string {
  switch (trouble.kind) {
    case 'uses':
      return textOfUse(trouble.used);
    case 'undefined':
      return textOfUndefined(trouble.name);
    case 'wildcard':
      return textOfWideWildcard;
    default:
      return assertNever(trouble);
  }
}

/** What its condition names, each once. */
export const usedBy = ({ targets }: RuleInstance): Set<RuleInstance> =>
  new Set(targets.flatMap((target) => target ?? nothing));

/** How names are made that no rule has. */
const made = /__\d+$/;

/**
 * Gives each instance an identifier that it shares with nothing: no other instance, no module, no variable that scans
 * set, and no word of a condition that means something else than this rule, whatever it is. Where the rule's own name
 * is free, it is that.
 */
function nameForEngine(
  { rules, files }: ParsedPackage,
  instances: readonly (RuleInstance & { identifier: string })[],
): void {
  const taken = new Set<string>([
    ...conventionalVariables,
    ...files.flatMap(({ imports }) => imports.map(({ value }) => value)),
  ]);
  const names = new Set<string>(taken);
  for (const { rule, targets } of instances) {
    for (const [index, mention] of rule.names.mentions.entries())
      if ((targets[index] ?? null) === null) taken.add(mention.name);
  }
  for (const {
    name,
    names: { mentions, declared },
  } of rules) {
    names.add(name);
    for (const mention of mentions) if (made.test(mention.name)) names.add(mention.name);
    for (const variable of declared) if (made.test(variable)) names.add(variable);
  }
  const nextOf = new Map<string, number>();
  for (const instance of instances) {
    const { name } = instance.rule;
    let identifier = name;
    if (taken.has(name)) {
      let next = nextOf.get(name) ?? 2;
      while (names.has(`${name}__${next}`)) next += 1;
      nextOf.set(name, next + 1);
      identifier = `${name}__${next}`;
      names.add(identifier);
    }
    taken.add(identifier);
    instance.identifier = identifier;
  }
}

/** What takes the place of a part of a text; in order, and none in another. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * The text of an instance for one namespace of an engine, line by line as it is in the file: with its identifier, with
 * those of the rules it uses, and with its guards in front of the condition. Where nothing of it needs another name, it
 * is the rule's own text.
 * @param source the text of the rule's file
 * @param isGuarded without guards a condition is judged by itself, as a gate must do: inside of brackets others would
 * compile
 */
export function textForEngine(instance: RuleInstance, source: string, { isGuarded }: { isGuarded: boolean }): string {
  const { start, end } = instance.rule;
  const edits = [...headEdits(instance, source), ...conditionEdits(instance, source, isGuarded)];
  if (edits.length === 0) return source.slice(start, end);
  const parts: string[] = [];
  let at = start;
  for (const edit of edits) {
    parts.push(source.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return [...parts, source.slice(at, end)].join('');
}

function* headEdits({ rule, identifier, isPrivate, isGlobal }: RuleInstance, source: string): Generator<Edit> {
  if (identifier === rule.name && isPrivate === rule.isPrivate && isGlobal === rule.isGlobal) return;
  const scanner = new YaraScanner(source, rule);
  let isName = false;
  while (scanner.nextSignificant()) {
    const { start, end } = scanner;
    const word = source.slice(start, end);
    if (isName) {
      yield { start, end, text: identifier };
      return;
    }
    if (word === 'global' && !isGlobal) yield { start, end, text: ' '.repeat(end - start) };
    isName = word === 'rule';
    if (isName && isPrivate && !rule.isPrivate) yield { start, end: start, text: 'private ' };
  }
}

function* conditionEdits({ rule, targets, guards }: RuleInstance, source: string, isGuarded: boolean): Generator<Edit> {
  const { condition, names } = rule;
  const asked = isGuarded && condition !== null && names.end !== null ? guards : [];
  if (asked.length > 0 && condition !== null)
    yield {
      start: condition.start,
      end: condition.start,
      text: ` (${asked.map(({ identifier }) => identifier).join(' and ')}) and (`,
    };
  for (const [index, { name, start, end, isWildcard }] of names.mentions.entries()) {
    const target = targets[index] ?? null;
    if (target === null || (!isWildcard && target[0]?.identifier === name)) continue;
    yield {
      start,
      end,
      text: target.map(({ identifier }) => identifier).join(', ') + lineEndsIn(source.slice(start, end)),
    };
  }
  if (asked.length > 0 && names.end !== null) yield { start: names.end, end: names.end, text: ')' };
}

const lineEndsIn = (text: string): string => '\n'.repeat(text.split('\n').length - 1);
