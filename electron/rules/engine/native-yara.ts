import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { readEngineError } from './engine-error.ts';
import { type CompiledRules, type EngineHit, type EngineMatch, mostMatchesCounted, RefusedRulesError, type ScanEngine } from './scan-engine.ts';

/** What is used of the module. */
interface NativeYara {
  compile(source: string, options: { defineVariables: Record<string, string> }): {
    setMaxMatchesPerPattern(most: number): void;
    scan(bytes: Uint8Array, variables?: Readonly<Record<string, string>>): unknown;
  };
}

/**
 * Loads YARA-X as native code into this process, which must be one that may be killed: nothing else ends a scan. The
 * package is optional, and there are builds for few machines. @throws the system's or Node's error where there is none
 */
export function loadNative(): NativeYara {
  const load = createRequire(import.meta.url);
  // The build puts it beside this module; in the sources it is in its package.
  const loaded: unknown = load(extname(import.meta.url) === '.js' ? './yara-x.node' : '@litko/yara-x');
  if (!isNativeYara(loaded)) throw new Error('the module has no compiler');
  return loaded;
}

/** Why it could not be loaded, in a sentence without a full stop. */
export function textOfMissing(error: unknown): string {
  const isBroken = error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED';
  return isBroken ? `It was built for another machine (${error.message.slice(0, 200)})` : 'There is none for this machine';
}

/** @throws as `loadNative` does */
export function nativeEngine(): ScanEngine {
  const native = loadNative();
  return { compile: (source, variables) => compileNative(native, source, variables) };
}

/** @throws RefusedRulesError */
export function compileNative({ compile }: NativeYara, source: string, variables: readonly string[]): CompiledRules {
  const rules = verdictOf(() => compile(source, { defineVariables: Object.fromEntries(variables.map((name) => [name, ''])) }));
  rules.setMaxMatchesPerPattern(mostMatchesCounted);
  return { scan: (bytes, values) => hitsIn(rules.scan(bytes, values)) };
}

interface NativeHit {
  ruleIdentifier: string;
  matches: EngineMatch[];
}

// By hand: the process of a scan starts in half the time without the schemas' library.
function hitsIn(said: unknown): EngineHit[] {
  if (!Array.isArray(said) || !said.every(isHit)) throw new Error('the module said what nobody understands');
  return said.map(({ ruleIdentifier: rule, matches }) => ({ rule, matches }));
}

const isHit = (value: unknown): value is NativeHit =>
  typeof value === 'object' && value !== null && 'ruleIdentifier' in value && typeof value.ruleIdentifier === 'string' && 'matches' in value && Array.isArray(value.matches) && value.matches.every(isMatch);

const isMatch = (value: unknown): value is EngineMatch =>
  typeof value === 'object' && value !== null && 'identifier' in value && typeof value.identifier === 'string' && 'offset' in value && typeof value.offset === 'number' && 'length' in value && typeof value.length === 'number';

function verdictOf<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // In its own words in front of the engine's.
    const start = message.indexOf('error[');
    throw new RefusedRulesError(readEngineError(message.slice(Math.max(0, start)))?.text ?? message.slice(0, 300), { cause: error });
  }
}

function isNativeYara(value: unknown): value is NativeYara {
  return typeof value === 'object' && value !== null && 'compile' in value && typeof value.compile === 'function';
}
