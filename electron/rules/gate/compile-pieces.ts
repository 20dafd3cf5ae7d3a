import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { EngineError } from '../engine/engine-error.ts';
import { YaraCompiler } from '../engine/yara-compiler.ts';
import { allPieces, building, type Compiled, type Finding, type GateTask } from './gate-messages.ts';
import { joinPieces, type JoinedPieces } from './joined-pieces.ts';
import { withShortMeta } from './short-meta.ts';
import { withShortPatterns } from './short-patterns.ts';
import { withShortTexts } from './short-texts.ts';

/**
 * Faults of syntax in one pass, of meaning in the next, and a last one without faults: more are rare, and end in a
 * check piece by piece.
 */
const mostPasses = 6;
/** The engine continues after it at the next rule, if it finds one. */
const syntaxError = 'E001';

/** Reports what is done next: a piece, or `allPieces`, or `building`. */
export type Sign = (piece: number) => void;

/** The engine repeats itself in a rule that was made to. */
const mostWarningsAPiece = 100;

/** Compiles the pieces of a task, and builds what is not broken. */
export class PieceCompiler {
  readonly #variables: readonly RuleVariable[];
  readonly #sign: Sign;

  constructor(variables: readonly RuleVariable[], sign: Sign) {
    this.#variables = variables;
    this.#sign = sign;
  }

  compile({ pieces: texts, how }: GateTask): Compiled {
    const pieces = texts.map((text) => withShortPatterns(withShortTexts(withShortMeta(text))));
    const together = how === 'together' ? this.#together(pieces) : null;
    return together ?? this.#alone(pieces);
  }

  /** @returns null when the faults cannot all be attributed by their lines */
  #together(pieces: readonly string[]): Compiled | null {
    const broken = new Map<number, Finding>();
    for (let pass = 0; pass < mostPasses; pass += 1) {
      this.#sign(allPieces);
      const joined = joinPieces(pieces, (piece) => broken.has(piece));
      const { faults, warnings } = this.#readingOf(joined.source);
      if (faults.length === 0) return { findings: [...broken.values()], warnings: placed(warnings, joined) };
      const found = this.#find(faults, joined, pieces);
      if (found === null || found.length === 0) return null;
      for (const finding of found) if (!broken.has(finding.piece)) broken.set(finding.piece, finding);
    }
    return null;
  }

  /** Builds it when there are none. */
  #readingOf(source: string): { faults: EngineError[]; warnings: EngineError[] } {
    const compiler = new YaraCompiler(this.#variables);
    const faults = compiler.add(source) === null ? [] : compiler.faults();
    const warnings = faults.length === 0 ? compiler.warnings() : [];
    if (faults.length === 0) compiler.build();
    compiler.free();
    return { faults, warnings };
  }

  /** While the engine may have skipped rules because of a fault of syntax, nothing else that it reports is sure. */
  #find(faults: readonly EngineError[], joined: JoinedPieces, pieces: readonly string[]): Finding[] | null {
    const inPieces: Finding[] = [];
    for (const fault of faults) {
      const place = fault.line === null ? null : joined.find(fault.line);
      if (place === null) return null;
      inPieces.push({ ...fault, ...place });
    }
    const ofSyntax = new Set(inPieces.filter(({ code }) => code === syntaxError).map(({ piece }) => piece));
    return ofSyntax.size === 0 ? inPieces : this.#syntaxOf(pieces, ofSyntax);
  }

  /** Each alone, because it may be the piece before that is at fault. */
  #syntaxOf(pieces: readonly string[], suspected: ReadonlySet<number>): Finding[] {
    const compiler = new YaraCompiler(this.#variables);
    const broken: Finding[] = [];
    for (const piece of suspected) {
      this.#sign(piece);
      const fault = compiler.add(pieces[piece] ?? '');
      if (fault?.code === syntaxError) broken.push({ ...fault, line: fault.line ?? 1, piece });
    }
    compiler.free();
    return broken;
  }

  #alone(pieces: readonly string[]): Compiled {
    const { findings, warnings } = this.#addEach(pieces, new Set());
    if (findings.length === 0) return { findings, warnings };
    const others = this.#addEach(pieces, new Set(findings.map(({ piece }) => piece)));
    if (others.findings.length > 0) throw new Error('rules compile in one way and then in another');
    return { findings, warnings: others.warnings };
  }

  /** Builds them when none is broken. Each source begins with empty lines, so that a line identifies its piece. */
  #addEach(pieces: readonly string[], without: ReadonlySet<number>): Compiled {
    const compiler = new YaraCompiler(this.#variables);
    const joined = joinPieces(pieces, (piece) => without.has(piece));
    const broken: Finding[] = [];
    for (const [piece, text] of pieces.entries()) {
      if (without.has(piece)) continue;
      this.#sign(piece);
      const before = joined.startOf(piece) - 1;
      const fault = compiler.add(`${'\n'.repeat(before)}${text}`);
      if (fault !== null) broken.push({ ...fault, line: fault.line === null ? 1 : fault.line - before, piece });
    }
    this.#sign(building);
    const warnings = broken.length === 0 ? placed(compiler.warnings(), joined) : [];
    if (broken.length === 0) compiler.build();
    compiler.free();
    return { findings: broken, warnings };
  }
}

/** Those for which the engine reports a line. */
function placed(warnings: readonly EngineError[], joined: JoinedPieces): Finding[] {
  const found = new Map<number, Finding[]>();
  for (const warning of warnings) {
    const place = warning.line === null ? null : joined.find(warning.line);
    const ofPiece = place === null ? undefined : (found.get(place.piece) ?? []);
    if (place === null || ofPiece === undefined || ofPiece.length === mostWarningsAPiece) continue;
    ofPiece.push({ ...warning, ...place });
    found.set(place.piece, ofPiece);
  }
  return [...found.values()].flat();
}
