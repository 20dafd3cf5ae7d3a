import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { withShortMeta, withShortPatterns, withShortTexts } from '../engine/rule-rewrites.ts';
import type { EngineError } from '../engine/scan-engine.ts';
import { YaraCompiler } from '../engine/yara-compiler.ts';
import {
  allPieces,
  building,
  type Compiled,
  type Finding,
  type GateTask,
  type UnknownModule,
} from './gate-messages.ts';

/**
 * Faults of syntax in one pass, of meaning in the next, and a last one without faults: more are rare, and end in a
 * check piece by piece.
 */
const mostPasses = 6;
/** The engine continues after it at the next rule, if it finds one. */
const syntaxError = 'E001';

/** Reports what is done next: a piece, or `allPieces`, or `building`. */
type Sign = (piece: number) => void;

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

/** Pieces as one source, and which piece a line of it is of. */
interface JoinedPieces {
  source: string;
  /** `line` is one-based in the source, and so is that of the result in its piece. */
  find(line: number): { piece: number; line: number } | null;
  /** One-based: the line of the source in which a piece begins. */
  startOf(piece: number): number;
}

export function joinPieces(pieces: readonly string[], isLeftOut: (piece: number) => boolean): JoinedPieces {
  const parts: string[] = [];
  const starts: { piece: number; line: number }[] = [];
  let line = 1;
  for (const [piece, text] of pieces.entries()) {
    if (isLeftOut(piece)) continue;
    starts.push({ piece, line });
    parts.push(text);
    line += 1 + lineEnds(text);
  }
  const find = (wanted: number): { piece: number; line: number } | null => {
    const start = starts[countUpTo(starts, wanted) - 1];
    return start === undefined || wanted >= line ? null : { piece: start.piece, line: wanted - start.line + 1 };
  };
  const lines = new Map(starts.map((start) => [start.piece, start.line]));
  return { source: parts.join('\n'), find, startOf: (piece) => lines.get(piece) ?? 1 };
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** How many begin at the line or above. */
function countUpTo(starts: readonly { line: number }[], line: number): number {
  let from = 0;
  let to = starts.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((starts[middle]?.line ?? 0) <= line) from = middle + 1;
    else to = middle;
  }
  return from;
}

const canBeOne = /^\w{1,64}$/;

/** Which of the names the engine has no module for. */
export function findUnknownModules(names: readonly string[]): UnknownModule[] {
  const asked = names.filter((name) => canBeOne.test(name));
  const unknown = names
    .filter((name) => !canBeOne.test(name))
    .map((name): UnknownModule => ({ name, text: 'unknown module' }));
  const compiler = new YaraCompiler([]);
  const first = compiler.add(asked.map((name) => `import "${name}"`).join('\n'));
  for (const { line, text } of first === null ? [] : compiler.faults()) {
    const name = asked[(line ?? 0) - 1];
    if (name !== undefined) unknown.push({ name, text });
  }
  compiler.free();
  return unknown;
}
