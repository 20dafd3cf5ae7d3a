import { identifierOf, type RulePiece, type RulePieces } from '../rule-pieces.ts';

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
