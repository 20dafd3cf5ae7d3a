import type { RulePiece } from '../rule-pieces.ts';
import { programOf, type RuleProgram } from './rule-program.ts';

/** How a scan of one file with some of the rules ends; null: as it should. */
export type BadEnd = 'slow' | 'died' | 'memory' | null;
/** `isPatient`: as long as any file may take; else it is given up sooner. */
export type Probe = (program: RuleProgram, isPatient: boolean) => Promise<BadEnd>;

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
