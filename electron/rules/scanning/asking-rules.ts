import { type ConventionalVariable, conventionalVariables } from '../../../shared/domain/rule-variable.ts';
import { namesIn } from '../engine/variable-literals.ts';
import { identifierOf, type RulePiece, type RulePieces } from '../rule-pieces.ts';
import { programOf } from './rule-program.ts';

/** What rules of a program ask of a file besides its bytes. */
export interface AskingRules {
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
