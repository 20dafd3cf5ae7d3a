import { type ConventionalVariable, conventionalVariables } from '../../../shared/domain/rule-variable.ts';
import { namesIn } from '../engine/variable-literals.ts';

/** A package as an engine compiles it: what cannot be used is not in it. */
export interface RulePieces {
  /** Modules, each once. */
  imports: string[];
  /** In an order to compile them in: a rule that another one uses comes before it. */
  rules: RulePiece[];
}

export interface RulePiece {
  /**
   * The key of the rule: see shared/domain/rule-names.ts. Several pieces have one key where a rule has several of them.
   */
  name: string;
  /** What the rule is called in `text`; not there: its name. No two pieces share one. */
  identifier?: string;
  /** The whole rule; the content of `meta` is left out where that changes nothing. */
  text: string;
  /** Names of the pieces that its own condition asks for. */
  uses: string[];
  /** Names of global rules of its namespace, which `text` asks for in front of its own condition; not there: none. */
  guards?: string[];
  /** Variables that a scan sets for each file and that its condition mentions; not there: `text` has them. */
  asks?: readonly string[];
  isGlobal: boolean;
  isPrivate: boolean;
}

/** As an engine names it in what it finds. */
export const identifierOf = ({ name, identifier }: Pick<RulePiece, 'name' | 'identifier'>): string =>
  identifier ?? name;

/** Rules to be compiled and looked with. */
export interface RuleProgram {
  pieces: RulePieces;
  /** Names of the rules whose hits count, each once: those that were asked for and are not private. */
  reported: string[];
  /**
   * Conditions are compiled when they are needed: see engine/strings-first.ts. Not there: all are compiled before the
   * first file.
   */
  stringsFirst?: boolean;
}

/**
 * The rules of these names (null: all of them), those that they use, and every global rule, because that one decides
 * over all others. Nothing is there of `without`, nor of what uses it.
 */
export function programOf(
  { imports, rules }: RulePieces,
  names: ReadonlySet<string> | null,
  without: ReadonlySet<string> = new Set(),
): RuleProgram {
  const usable = withoutThese(rules, without);
  const chosen = names === null ? usable : closureOf(usable, ({ name, isGlobal }) => isGlobal || names.has(name));
  const reported = chosen
    .filter(({ name, isPrivate }) => !isPrivate && (names === null || names.has(name)))
    .map(({ name }) => name);
  return {
    pieces: { imports: imports.filter((module) => chosen.some(({ text }) => text.includes(module))), rules: chosen },
    reported: [...new Set(reported)],
  };
}

/** Fewer rules compile so fast that it does not matter. */
const leastFirst = 1000;

/**
 * The same program, compiled as it suits a scan of a few files. A global rule decides over all others, and has to be
 * looked with before them.
 */
export const withStringsFirst = (program: RuleProgram): RuleProgram =>
  program.pieces.rules.length < leastFirst || program.pieces.rules.some(({ isGlobal }) => isGlobal)
    ? program
    : { ...program, stringsFirst: true };

/** As the engine names them in a hit. */
export function reportedIdentifiers({ pieces, reported }: RuleProgram): string[] {
  const names = new Set(reported);
  return pieces.rules.filter(({ name, isPrivate }) => !isPrivate && names.has(name)).map(identifierOf);
}

/** Of a rule that is left out nothing is asked any more; one that others ask for as a guard holds from then on. */
function withoutThese(rules: RulePiece[], without: ReadonlySet<string>): RulePiece[] {
  if (without.size === 0) return rules;
  const gone = new Set(without);
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const { name, uses } of rules) if (uses.some((used) => gone.has(used))) gone.add(name);
  }
  const guards = new Set(rules.flatMap(({ name, guards: asked = [] }) => (gone.has(name) ? [] : asked)));
  return rules.flatMap((rule) => (!gone.has(rule.name) ? rule : guards.has(rule.name) ? alwaysTrue(rule) : []));
}

const alwaysTrue = (rule: RulePiece): RulePiece => ({
  ...rule,
  text: `private rule ${identifierOf(rule)} { condition: true }`,
  uses: [],
  guards: [],
  isPrivate: true,
});

function closureOf(rules: readonly RulePiece[], isChosen: (rule: RulePiece) => boolean): RulePiece[] {
  const byName = Map.groupBy(rules, ({ name }) => name);
  const chosen = new Set(rules.filter(isChosen));
  for (const { uses, guards = [] } of chosen) {
    for (const used of [...uses, ...guards]) for (const rule of byName.get(used) ?? []) chosen.add(rule);
  }
  return rules.filter((rule) => chosen.has(rule));
}

/** What rules of a program ask of a file besides its bytes. */
interface AskingRules {
  /**
   * The names of rules whose hits depend on a variable, by variable: rules that mention it, and those that depend on
   * such a rule.
   */
  by: ReadonlyMap<ConventionalVariable, ReadonlySet<string>>;
  /** All of them. */
  names: ReadonlySet<string>;
  /** They and what they use, with every global rule: a program that finds of them what the whole program finds. */
  pieces: RulePieces;
}

const known = new WeakMap<RulePieces, AskingRules>();

export function askingRules(pieces: RulePieces): AskingRules {
  const asking = known.get(pieces) ?? findAsking(pieces);
  known.set(pieces, asking);
  return asking;
}

function findAsking(pieces: RulePieces): AskingRules {
  const mentions = new Map<ConventionalVariable, Set<string>>();
  // A rule may bear the name of a variable, which then is not one.
  const rules = new Set(pieces.rules.map(identifierOf));
  const variables = conventionalVariables.filter((name) => !rules.has(name));
  for (const { name, text, asks = namesIn(text, variables) } of pieces.rules) {
    for (const variable of variables)
      if (asks.includes(variable)) mentions.set(variable, (mentions.get(variable) ?? new Set()).add(name));
  }
  const by = new Map(Array.from(mentions, ([variable, names]) => [variable, withDependent(pieces.rules, names)]));
  const names = new Set([...by.values()].flatMap((some) => [...some]));
  return { by, names, pieces: names.size === 0 ? { imports: [], rules: [] } : programOf(pieces, names).pieces };
}

/** No rule holds where a global one that binds it does not: it depends on what that one depends on. */
function withDependent(rules: readonly RulePiece[], mentioning: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set(mentioning);
  for (let before = -1; before !== names.size;) {
    before = names.size;
    for (const { name, uses, guards = [] } of rules)
      if ([...uses, ...guards].some((used) => names.has(used))) names.add(name);
  }
  return rules.some(({ name, isGlobal }) => isGlobal && names.has(name))
    ? new Set(rules.map(({ name }) => name))
    : names;
}

/** How a scan of one file with some of the rules ends; null: as it should. */
export type BadEnd = 'slow' | 'died' | 'memory' | null;
/** `isPatient`: as long as any file may take; else it is given up sooner. */
type Probe = (program: RuleProgram, isPatient: boolean) => Promise<BadEnd>;

/** It asks for more than nothing of an engine, and for little. */
const harmless: RulePiece = {
  name: 'nothing',
  text: 'rule nothing { strings: $a = { 9a 4f c1 07 e2 5b 13 88 } condition: $a }',
  uses: [],
  isGlobal: false,
  isPrivate: false,
};

/**
 * Finds the rule with which a file's scan does not end, ends the engine, or takes too much memory. Rules come after
 * what they use, and what decides over all comes first: so the first few of them are a program too, and the shortest
 * one that ends badly ends with the rule. It counts only if it does so by itself.
 * @returns null when it is the file, or many rules together
 */
export async function findGuilty(
  program: RuleProgram,
  probe: Probe,
): Promise<{ rule: string; end: Exclude<BadEnd, null> } | null> {
  const { imports, rules } = program.pieces;
  if ((await probe({ pieces: { imports, rules: [harmless] }, reported: [] }, false)) !== null) return null;
  const ordered = globalsFirst(program);
  const first = (count: number): RuleProgram => ({ pieces: { imports, rules: ordered.slice(0, count) }, reported: [] });
  let good = 0;
  let bad = ordered.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if ((await probe(first(middle), false)) === null) good = middle;
    else bad = middle;
  }
  const suspect = ordered[bad - 1];
  const end = suspect === undefined ? null : await probe(programOf({ imports, rules }, new Set([suspect.name])), true);
  return suspect === undefined || end === null ? null : { rule: suspect.name, end };
}

function globalsFirst({ pieces }: RuleProgram): RulePiece[] {
  const first = new Set(programOf(pieces, new Set()).pieces.rules);
  return [...first, ...pieces.rules.filter((rule) => !first.has(rule))];
}
