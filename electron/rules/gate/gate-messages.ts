import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { EngineError } from '../engine/scan-engine.ts';

/** What the gate and a thread of its say to each other. */

/** What a thread begins with. */
export interface GateBegin {
  module: WebAssembly.Module;
  /**
   * Written before each thing the engine is given: the number of things so far, and which piece it is. Read while the
   * thread hears nothing.
   */
  signs: Int32Array<SharedArrayBuffer>;
  /** Names in `import` statements. */
  modules: readonly string[];
  /** Variables to define. */
  variables: readonly RuleVariable[];
}

/** In `signs` instead of a piece. */
export const allPieces = -1;
export const building = -2;

export interface GateTask {
  /** Statements and rules, in the order to compile them in. */
  pieces: readonly string[];
  /** `alone`: each piece is a source of its own, which takes longer and is certain. */
  how: 'together' | 'alone';
}

/** `line` is one-based, in the piece. */
export interface Finding extends EngineError {
  piece: number;
  line: number;
}

/**
 * What the engine found in the pieces of a task: one finding for each broken piece, and what it warns of in the others.
 */
export interface Compiled {
  findings: readonly Finding[];
  warnings: readonly Finding[];
}

export interface UnknownModule {
  name: string;
  text: string;
}

/** `begin` comes first and once. */
export type ToGateThread = { kind: 'begin'; begin: GateBegin } | { kind: 'compile'; task: GateTask };

export type FromGateThread = { kind: 'ready'; unknown: readonly UnknownModule[] } | ({ kind: 'compiled' } & Compiled);
