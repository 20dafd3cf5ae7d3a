import { withRelaxedRegexes } from '../engine/rule-rewrites.ts';
import type { ParsedPackage } from '../parsed-package.ts';
import { type RuleInstance, textForEngine, usedBy } from '../rule-binding.ts';
import type { Statement } from '../split-rules.ts';

/** A rule, or an `import` (null). `place` is its place in the order to compile in; `text` has the lines of the rule. */
export interface Piece {
  place: number;
  instance: RuleInstance | null;
  text: string;
}

export interface RulePiece extends Piece {
  instance: RuleInstance;
}

export interface ImportPiece extends Piece {
  instance: null;
  module: string;
}

/** Rules to be judged together. */
export interface Chunk {
  own: readonly RulePiece[];
  /** All imports, `own`, and rules before them that they need; in order. */
  pieces: readonly (RulePiece | ImportPiece)[];
}

/** Enough that what an engine takes for itself is little beside them. */
export const chunkRules = 400;
/** Of a chunk in a package that has more. */
export const fewestRules = 25;
const chunkCharacters = 512 * 1024;
/**
 * A chunk has at most this part of the rules that are left: the last ones are small, so that both threads end at about
 * the same time.
 */
const ofThoseLeft = 1 / 4;

/**
 * Divides a package so that each chunk compiles as it would in the whole: with the rules that its rules use, and
 * theirs, and with all imports, which come first in a scan too. Where that would be more to compile than one chunk of
 * everything, it is that.
 */
export class GatePlan {
  /** The most text first. */
  readonly chunks: readonly Chunk[];
  /** How many rules there are to compile: those that are broken already are not. */
  readonly total: number;
  readonly statements: readonly { file: string; statement: Statement }[];
  readonly #imports: readonly ImportPiece[];
  readonly #pieces = new Map<RuleInstance, RulePiece>();
  readonly #identifiers: ReadonlySet<string>;

  /** `isRelaxed`: with regular expressions that YARA 4 takes and YARA-X by itself does not. */
  constructor({ files }: ParsedPackage, instances: readonly RuleInstance[], isRelaxed = false) {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const textFor = (instance: RuleInstance): string =>
      textForEngine(instance, texts.get(instance.rule.file) ?? '', { isGuarded: false });
    const rules = instances.map((instance, place): RulePiece => ({
      place,
      instance,
      text: isRelaxed ? withRelaxedRegexes(textFor(instance)) : textFor(instance),
    }));
    for (const piece of rules) this.#pieces.set(piece.instance, piece);
    this.#identifiers = new Set(instances.map(({ identifier }) => identifier));
    this.total = rules.length;
    this.statements = files.flatMap(({ path, imports }) => imports.map((statement) => ({ file: path, statement })));
    const modules = [...new Set(this.statements.map(({ statement }) => statement.value))];
    this.#imports = modules.map((module) => ({ place: -1, instance: null, module, text: `import "${module}"` }));
    const runs = runsOf(rules);
    const chunks = this.#withNeeded(runs, rules.length) ?? [this.chunkOf(rules)];
    this.chunks = chunks.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  }

  get modules(): string[] {
    return this.#imports.map(({ module }) => module);
  }

  hasName(name: string): boolean {
    return this.#identifiers.has(name);
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
    for (const { instance } of seen) {
      for (const used of usedBy(instance)) {
        const piece = this.#pieces.get(used);
        if (piece !== undefined) seen.add(piece);
      }
      if (seen.size - own.length > most) return null;
    }
    return [...seen].slice(own.length);
  }

  #chunk(own: readonly RulePiece[], needed: readonly RulePiece[]): Chunk {
    return { own, pieces: [...this.#imports, ...[...needed, ...own].toSorted((a, b) => a.place - b.place)] };
  }
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
