import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';

/** Where a string of a rule matched. */
export interface EngineMatch {
  /** As `$a`. */
  identifier: string;
  offset: number;
  length: number;
}

/** A rule that holds for what was scanned. Neither private rules nor private strings are reported. */
export interface EngineHit {
  rule: string;
  matches: EngineMatch[];
}

/** Texts of variables by name, for one scan. */
export type VariableTexts = Readonly<Record<string, string>>;

/** Rules as an engine compiled them. Each scan blocks its thread for as long as it takes, which may be for ever. */
export interface CompiledRules {
  /** Whether a scan can be given these texts. One that can may still be refused. */
  takes(variables: VariableTexts): boolean;
  /** Of one string in one file, from now on; before that `mostMatchesCounted`. */
  limitMatches(most: number): void;
  /**
   * `variables`: texts of those that were defined as texts when the rules were compiled; the others are what they were
   * defined as.
   * @throws RefusedValueError; and what the engine throws, after which it is not to be used again
   */
  scan(bytes: Uint8Array, variables: VariableTexts): EngineHit[];
}

/** An engine that was loaded into this thread. */
export interface ScanEngine {
  /** @throws RefusedRulesError */
  compile(source: string, variables: readonly RuleVariable[]): CompiledRules;
  /** Frees the memory of rules that are no longer referenced, where the engine can. */
  collect(): void;
}

/** The rules do not compile. */
export class RefusedRulesError extends Error {
  override readonly name = 'RefusedRulesError';
}

/** The engine cannot be given the text of a variable. The file was not scanned, and the engine is as it was. */
export class RefusedValueError extends Error {
  override readonly name = 'RefusedValueError';
}

/** Of one string in one file; there the engine stops counting. */
export const mostMatchesCounted = 100_000;

/** As a failure names them. */
export const engineNames: Readonly<Record<LocalEngine, string>> = {
  native: 'YARA-X (native)',
  wasm: 'YARA-X (portable)',
};
