import { withRelaxedRegexes } from '../engine/relaxed-regexes.ts';
import { withShortMeta } from '../gate/short-rules.ts';
import { type RuleInstance, textForEngine, usedBy } from '../rule-binding.ts';
import type { RulePiece } from '../scanning/rule-program.ts';
import { type IndexedPackage, keyIn } from './indexed-package.ts';
import { asksOf, textOf } from './rule-views.ts';

/** Some of the pieces of a package. */
export interface PieceWindow {
  /** All of the package's. */
  imports: string[];
  rules: RulePiece[];
  /** Where the next window begins; null: this is the last one. */
  next: number | null;
}

const mostRules = 2000;
const mostCharacters = 1024 * 1024;

/** `from` is a place among all rules in the order to compile in. */
export function usablePieces(pack: IndexedPackage, from: number): PieceWindow {
  const rules: RulePiece[] = [];
  let characters = 0;
  for (const [place, instance] of pack.instances.entries()) {
    if (place < from) continue;
    const piece = pieceOf(instance, pack);
    rules.push(piece);
    characters += piece.text.length;
    if (rules.length === mostRules || characters >= mostCharacters)
      return { imports: importsOf(pack), rules, next: place + 1 };
  }
  return { imports: importsOf(pack), rules, next: null };
}

/**
 * What an engine takes by itself is not changed by relaxing it; where a gate was strict, what needs it is broken and
 * not among these.
 */
function pieceOf(instance: RuleInstance, pack: IndexedPackage): RulePiece {
  const { rule, identifier, guards, isGlobal, isPrivate } = instance;
  const name = keyIn(pack, rule);
  const namesOf = (used: Iterable<RuleInstance>): string[] => [
    ...new Set(Array.from(used, (one) => keyIn(pack, one.rule))),
  ];
  const text = withShortMeta(withRelaxedRegexes(textForEngine(instance, textOf(pack, rule), { isGuarded: true })));
  return {
    name,
    text,
    uses: namesOf(usedBy(instance)),
    asks: asksOf(pack, rule).asks ?? [],
    isGlobal,
    isPrivate,
    ...(identifier === name ? {} : { identifier }),
    ...(guards.length === 0 ? {} : { guards: namesOf(guards) }),
  };
}

/** Without those that an engine has no module for. */
function importsOf({ parsed, broken }: IndexedPackage): string[] {
  const refused = new Set(
    broken
      .filter(({ broken: { rule, kind } }) => rule === null && kind === 'engine')
      .map(({ broken: { file, line } }) => placeOf(file, line)),
  );
  const imports = parsed.files.flatMap(({ path, imports: all }) =>
    all.filter(({ line }) => !refused.has(placeOf(path, line))),
  );
  return [...new Set(imports.map(({ value }) => value))];
}

const placeOf = (file: string, line: number): string => `${line} ${file}`;
