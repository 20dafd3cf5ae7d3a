import { Compiler, type Scanner } from '@virustotal/yara-x';
import { z } from 'zod';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import {
  type CompiledRules,
  type EngineHit,
  mostMatchesCounted,
  readEngineError,
  RefusedRulesError,
  type ScanEngine,
} from './scan-engine.ts';
import { withLiterals } from './variable-literals.ts';
import { definePortable, loadEngine } from './yara-compiler.ts';
import { yaraXModule } from './yara-x.ts';

const pattern = z.object({
  identifier: z.string(),
  isPrivate: z.boolean(),
  matches: z.array(z.object({ offset: z.number(), length: z.number() })),
});
const scanned = z.object({
  matches: z.array(z.object({ identifier: z.string(), isPrivate: z.boolean(), patterns: z.array(pattern) })),
});

/** The engine in WebAssembly, loaded into this thread, which should be one that ends: see `compilePortable`. */
export async function portableEngine(): Promise<ScanEngine> {
  loadEngine(await yaraXModule());
  return { compile: compilePortable, collect: () => undefined };
}

/**
 * Compiles for the engine in WebAssembly, which `loadEngine` must have loaded into this thread. What is compiled and
 * scanned takes memory that only the end of the thread gives back.
 * @throws RefusedRulesError
 */
export function compilePortable(source: string, variables: readonly RuleVariable[]): CompiledRules {
  const compiler = new Compiler();
  addSource(compiler, withLiterals(source, definePortable(compiler, variables)));
  const scanner = compiler.build().scanner();
  compiler.free();
  scanner.setMaxMatchesPerPattern(mostMatchesCounted);
  const texts = new Map(variables.flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value]] : [])));
  return {
    takes: () => true,
    limitMatches: (most) => scanner.setMaxMatchesPerPattern(most),
    scan: (bytes, values) => scan(scanner, bytes, new Map([...texts, ...Object.entries(values)])),
  };
}

function addSource(compiler: Compiler, source: string): void {
  try {
    compiler.addSource(source);
  } catch (error) {
    const verdict = error instanceof Error ? readEngineError(error.message) : null;
    if (verdict === null) throw error;
    throw new RefusedRulesError(verdict.text, { cause: error });
  }
}

/** `texts`: of all variables that are texts, because the scanner keeps what an earlier scan set. */
function scan(scanner: Scanner, bytes: Uint8Array, texts: ReadonlyMap<string, string>): EngineHit[] {
  for (const [name, text] of texts) scanner.setGlobal(name, text);
  const { matches } = scanned.parse(scanner.scan(bytes));
  return matches
    .filter((rule) => !rule.isPrivate)
    .map(({ identifier: rule, patterns }) => ({
      rule,
      matches: patterns.filter((each) => !each.isPrivate).flatMap(matchesOf),
    }));
}

const matchesOf = ({ identifier, matches }: z.infer<typeof pattern>): EngineHit['matches'] =>
  matches.map(({ offset, length }) => ({ identifier, offset, length }));
