import { withRelaxedRegexes } from '../engine/relaxed-regexes.ts';
import { withShortMeta } from '../gate/short-meta.ts';
import type { ParsedFile, ParsedRule } from '../parsed-package.ts';
import type { RulePiece } from '../rule-pieces.ts';
import type { IndexedPackage } from './indexed-package.ts';

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
  const { files } = pack.parsed;
  const rules: RulePiece[] = [];
  let characters = 0;
  let place = 0;
  for (const file of files) {
    for (const rule of file.rules) {
      place += 1;
      if (place <= from || pack.usable.get(rule.name) !== rule) continue;
      const piece = pieceOf(file, rule, pack);
      rules.push(piece);
      characters += piece.text.length;
      if (rules.length === mostRules || characters >= mostCharacters) return { imports: importsOf(pack), rules, next: place };
    }
  }
  return { imports: importsOf(pack), rules, next: null };
}

/** What an engine takes by itself is not changed by relaxing it; where a gate was strict, what needs it is broken and not among these. */
function pieceOf({ text }: ParsedFile, rule: ParsedRule, { usable }: IndexedPackage): RulePiece {
  const { name, start, end, isGlobal, isPrivate } = rule;
  return { name, text: withShortMeta(withRelaxedRegexes(text.slice(start, end))), uses: rule.uses.filter((used) => usable.has(used)), isGlobal, isPrivate };
}

/** Without those that an engine has no module for. */
function importsOf({ parsed, broken }: IndexedPackage): string[] {
  const refused = new Set(broken.filter(({ broken: { rule, kind } }) => rule === null && kind === 'engine').map(({ broken: { file, line } }) => placeOf(file, line)));
  const imports = parsed.files.flatMap(({ path, imports: all }) => all.filter(({ line }) => !refused.has(placeOf(path, line))));
  return [...new Set(imports.map(({ value }) => value))];
}

const placeOf = (file: string, line: number): string => `${line} ${file}`;
