import type { RulePiece, RulePieces } from '../rule-pieces.ts';

/** Rules to be compiled and looked with. */
export interface RuleProgram {
  pieces: RulePieces;
  /** Names of the rules whose hits count: those that were asked for and are not private. */
  reported: string[];
}

/**
 * The rules of these names (null: all of them), those that they use, and every global rule, because that one decides
 * over all others. Nothing is there of `without`, nor of what uses it.
 */
export function programOf({ imports, rules }: RulePieces, names: ReadonlySet<string> | null, without: ReadonlySet<string> = new Set()): RuleProgram {
  const usable = withoutThese(rules, without);
  const chosen = names === null ? usable : closureOf(usable, ({ name, isGlobal }) => isGlobal || names.has(name));
  const reported = chosen.filter(({ name, isPrivate }) => !isPrivate && (names === null || names.has(name))).map(({ name }) => name);
  return { pieces: { imports: imports.filter((module) => chosen.some(({ text }) => text.includes(module))), rules: chosen }, reported };
}

/** What a rule uses comes before it: one walk finds all that depend on something. */
function withoutThese(rules: RulePiece[], without: ReadonlySet<string>): RulePiece[] {
  if (without.size === 0) return rules;
  const gone = new Set(without);
  for (const { name, uses } of rules) if (uses.some((used) => gone.has(used))) gone.add(name);
  return rules.filter(({ name }) => !gone.has(name));
}

function closureOf(rules: readonly RulePiece[], isChosen: (rule: RulePiece) => boolean): RulePiece[] {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const chosen = new Set(rules.filter(isChosen));
  for (const { uses } of chosen) {
    for (const used of uses) {
      const rule = byName.get(used);
      if (rule !== undefined) chosen.add(rule);
    }
  }
  return rules.filter((rule) => chosen.has(rule));
}
