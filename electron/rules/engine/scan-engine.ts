import type { LocalEngine } from '../../../shared/domain/scan.ts';

/** Where a string of a rule matched. */
export interface EngineMatch {
  /** As `$a`. */
  identifier: string;
  offset: number;
  length: number;
}

/** A rule that holds for what was scanned. Neither private rules nor private strings are told. */
export interface EngineHit {
  rule: string;
  matches: EngineMatch[];
}

/** Rules as an engine compiled them. Each scan blocks its thread for as long as it takes, which may be for ever. */
export interface CompiledRules {
  /** `variables`: those that were defined when the rules were compiled; the others keep what they had. @throws what the engine throws, after which it is not to be used again */
  scan(bytes: Uint8Array, variables: Readonly<Record<string, string>>): EngineHit[];
}

/** An engine that was loaded into this thread. */
export interface ScanEngine {
  /** @throws RefusedRulesError */
  compile(source: string, variables: readonly string[]): CompiledRules;
}

/** The rules do not compile. */
export class RefusedRulesError extends Error {
  override readonly name = 'RefusedRulesError';
}

/** Of one string in one file; there the engine stops counting. */
export const mostMatchesCounted = 100_000;

/** As a failure names them. */
export const engineNames: Readonly<Record<LocalEngine, string>> = { native: 'YARA-X (native)', wasm: 'YARA-X (portable)' };
