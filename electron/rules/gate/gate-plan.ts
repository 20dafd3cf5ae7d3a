import { withRelaxedRegexes } from '../engine/relaxed-regexes.ts';
import { BrokenPlaces } from '../library/broken-places.ts';
import type { ParsedFile, ParsedPackage, ParsedRule, Statement } from '../parsed-package.ts';

/** A rule, or an `import` (null) that nothing before it did. `place` is its place in the order to compile in; `text` has the lines of the rule. */
export interface Piece {
  place: number;
  rule: ParsedRule | null;
  text: string;
}

export interface RulePiece extends Piece {
  rule: ParsedRule;
}

export interface ImportPiece extends Piece {
  rule: null;
  module: string;
}

/** Rules to be judged together. */
export interface Chunk {
  own: readonly RulePiece[];
  /** `own`, and rules and imports before them that they need; in order. */
  pieces: readonly (RulePiece | ImportPiece)[];
}

/** Enough that what an engine takes for itself is little beside them. */
export const chunkRules = 400;
/** Of a chunk in a package that has more. */
export const fewestRules = 25;
const chunkCharacters = 512 * 1024;
/** A chunk has at most this part of the rules that are left: the last ones are small, so that both threads end at about the same time. */
const ofThoseLeft = 1 / 4;

/**
 * Divides a package so that each chunk compiles as it would in the whole: with the rules that its rules use, and theirs,
 * and with the imports that stand before it. Where that would be more to compile than one chunk of everything, it is that.
 */
export class GatePlan {
  /** The most text first. */
  readonly chunks: readonly Chunk[];
  /** How many rules there are to compile: those that are broken already are not. */
  readonly total: number;
  readonly statements: readonly { file: string; statement: Statement }[];
  readonly #imports = new Map<string, ImportPiece>();
  readonly #byName = new Map<string, RulePiece>();

  /** `isRelaxed`: with regular expressions that YARA 4 takes and YARA-X by itself does not. */
  constructor(parsed: ParsedPackage, isRelaxed = false) {
    const isBroken = brokenOf(parsed);
    const rules: RulePiece[] = [];
    let place = 0;
    for (const file of parsed.files) {
      for (const item of inOrder(file)) {
        place += 1;
        if (!('name' in item)) this.#addImport(place, item.value);
        else if (!isBroken.has(item)) rules.push({ place, rule: item, text: asCompiled(file.text.slice(item.start, item.end), isRelaxed) });
      }
    }
    for (const piece of rules) this.#byName.set(piece.rule.name, piece);
    this.total = rules.length;
    this.statements = parsed.files.flatMap(({ path, imports }) => imports.map((statement) => ({ file: path, statement })));
    const runs = runsOf(rules);
    const chunks = this.#withNeeded(runs, rules.length) ?? [this.chunkOf(rules)];
    this.chunks = chunks.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  }

  get modules(): string[] {
    return [...this.#imports.keys()];
  }

  hasName(name: string): boolean {
    return this.#byName.has(name);
  }

  chunkOf(own: readonly RulePiece[]): Chunk {
    return this.#chunk(own, this.#neededBy(own, Infinity) ?? []);
  }

  /** null: more than `most` rules would be compiled for others' sake. */
  #withNeeded(runs: readonly RulePiece[][], most: number): Chunk[] | null {
    const chunks: Chunk[] = [];
    let left = most;
    for (const own of runs) {
      const needed = this.#neededBy(own, left);
      if (needed === null) return null;
      left -= needed.length;
      chunks.push(this.#chunk(own, needed));
    }
    return chunks;
  }

  /** Rules outside of `own` that they use, and so on. null: there are more than `most`. */
  #neededBy(own: readonly RulePiece[], most: number): RulePiece[] | null {
    const seen = new Set(own);
    for (const { rule } of seen) {
      for (const name of rule.uses) {
        const used = this.#byName.get(name);
        if (used !== undefined) seen.add(used);
      }
      if (seen.size - own.length > most) return null;
    }
    return [...seen].slice(own.length);
  }

  #chunk(own: readonly RulePiece[], needed: readonly RulePiece[]): Chunk {
    const last = own.at(-1)?.place ?? 0;
    const imports = [...this.#imports.values()].filter(({ place }) => place < last);
    return { own, pieces: [...imports, ...needed, ...own].toSorted((a, b) => a.place - b.place) };
  }

  #addImport(place: number, module: string): void {
    if (!this.#imports.has(module)) this.#imports.set(module, { place, rule: null, module, text: `import "${module}"` });
  }
}

const asCompiled = (text: string, isRelaxed: boolean): string => (isRelaxed ? withRelaxedRegexes(text) : text);

function brokenOf({ files, broken }: ParsedPackage): ReadonlySet<ParsedRule | null> {
  const places = new BrokenPlaces(new Map(files.map((file) => [file.path, file])));
  return new Set(broken.map((each) => places.ruleOf(each)));
}

function inOrder({ imports, rules }: ParsedFile): (Statement | ParsedRule)[] {
  return [...imports, ...rules].toSorted((a, b) => a.start - b.start);
}

function runsOf(rules: readonly RulePiece[]): RulePiece[][] {
  const runs: RulePiece[][] = [];
  let run: RulePiece[] = [];
  let characters = 0;
  let most = mostOf(rules.length);
  for (const [done, piece] of rules.entries()) {
    if (run.length === most || (run.length > 0 && characters + piece.text.length > chunkCharacters)) {
      runs.push(run);
      run = [];
      characters = 0;
      most = mostOf(rules.length - done);
    }
    run.push(piece);
    characters += piece.text.length;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

const mostOf = (left: number): number => Math.min(chunkRules, Math.max(fewestRules, Math.ceil(left * ofThoseLeft)));

function sizeOf({ pieces }: Chunk): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
