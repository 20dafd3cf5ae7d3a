import { type ConventionalVariable, conventionalVariables } from '../../../shared/domain/conventional-variables.ts';
import { namesIn } from '../engine/variable-literals.ts';
import type { RulePiece, RulePieces } from '../rule-pieces.ts';
import { programOf } from './rule-program.ts';

/** What rules of a program ask of a file besides its bytes. */
export interface AskingRules {
  /** The names of rules whose hits depend on a variable, by variable: rules that mention it, and those that depend on such a rule. */
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
  const rules = new Set(pieces.rules.map(({ name }) => name));
  const variables = conventionalVariables.filter((name) => !rules.has(name));
  for (const { name, text, asks = namesIn(text, variables) } of pieces.rules) {
    for (const variable of variables) if (asks.includes(variable)) mentions.set(variable, (mentions.get(variable) ?? new Set()).add(name));
  }
  const by = new Map(Array.from(mentions, ([variable, names]) => [variable, withDependent(pieces.rules, names)]));
  const names = new Set([...by.values()].flatMap((some) => [...some]));
  return { by, names, pieces: names.size === 0 ? { imports: [], rules: [] } : programOf(pieces, names).pieces };
}

/** What a rule uses comes before it: one walk finds all that depend on something. No rule holds where a global one does not. */
function withDependent(rules: readonly RulePiece[], mentioning: ReadonlySet<string>): ReadonlySet<string> {
  if (rules.some(({ name, isGlobal }) => isGlobal && mentioning.has(name))) return new Set(rules.map(({ name }) => name));
  const names = new Set(mentioning);
  for (const { name, uses, isGlobal } of rules) {
    if (!uses.some((used) => names.has(used))) continue;
    if (isGlobal) return new Set(rules.map((rule) => rule.name));
    names.add(name);
  }
  return names;
}
