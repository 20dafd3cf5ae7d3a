import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import {
  type CompiledRules,
  type EngineHit,
  type EngineMatch,
  mostMatchesCounted,
  readEngineError,
  RefusedRulesError,
  RefusedValueError,
  type ScanEngine,
} from './scan-engine.ts';
import { withLiterals } from './variable-literals.ts';

/** What is used of the module. */
interface NativeYara {
  compile(
    source: string,
    options: { defineVariables: Record<string, string> },
  ): {
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
  return isBroken
    ? `It was built for another platform (${error.message.slice(0, 200)})`
    : 'There is no build for this platform';
}

/** @throws as `loadNative` does */
export function nativeEngine(): ScanEngine {
  const native = loadNative();
  return { compile: (source, variables) => compileNative(native, source, variables), collect };
}

let collectGarbage: (() => void) | null = null;

/**
 * V8 does not know what memory the binding takes for a few small objects, and does not look for them before that is
 * megabytes of its own.
 */
function collect(): void {
  if (collectGarbage === null) {
    setFlagsFromString('--expose-gc');
    const found: unknown = runInNewContext('gc');
    collectGarbage = typeof found === 'function' ? () => void Reflect.apply(found, undefined, []) : () => undefined;
  }
  collectGarbage();
}

/**
 * The binding takes each value as a text, and one that reads as a 64-bit integer or as a truth value, in any case, for
 * that. What this lets pass is narrower than what the binding does: a text with anything but digits and a sign is no
 * number.
 */
const staysText = (value: string): boolean => !/^[+-]?\d*$|^(?:true|false)$/i.test(value) || value === '';
const canBeDefined = ({ type, value }: RuleVariable): boolean =>
  type === 'integer' || type === 'boolean' || (type === 'text' && staysText(value));

/** @throws RefusedRulesError */
export function compileNative(
  { compile }: NativeYara,
  source: string,
  variables: readonly RuleVariable[],
): CompiledRules {
  const defined = Object.fromEntries(variables.filter(canBeDefined).map(({ name, value }) => [name, String(value)]));
  const written = withLiterals(
    source,
    variables.filter((variable) => !canBeDefined(variable)),
  );
  const rules = verdictOf(() => compile(written, { defineVariables: defined }));
  rules.setMaxMatchesPerPattern(mostMatchesCounted);
  return {
    takes: (values) => Object.values(values).every(staysText),
    limitMatches: (most) => rules.setMaxMatchesPerPattern(most),
    scan: (bytes, values) => hitsIn(withoutRefusal(() => rules.scan(bytes, values))),
  };
}

/** Before it has scanned anything; it can be used again. */
function withoutRefusal<T>(scan: () => T): T {
  try {
    return scan();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('invalid type for '))
      throw new RefusedValueError(error.message, { cause: error });
    throw error;
  }
}

interface NativeHit {
  ruleIdentifier: string;
  matches: EngineMatch[];
}

// By hand: the process of a scan starts in half the time without the schemas' library.
function hitsIn(said: unknown): EngineHit[] {
  if (!Array.isArray(said) || !said.every(isHit)) throw new Error('unexpected output of the module');
  return said.map(({ ruleIdentifier: rule, matches }) => ({ rule, matches }));
}

const isHit = (value: unknown): value is NativeHit =>
  typeof value === 'object' &&
  value !== null &&
  'ruleIdentifier' in value &&
  typeof value.ruleIdentifier === 'string' &&
  'matches' in value &&
  Array.isArray(value.matches) &&
  value.matches.every(isMatch);

const isMatch = (value: unknown): value is EngineMatch =>
  typeof value === 'object' &&
  value !== null &&
  'identifier' in value &&
  typeof value.identifier === 'string' &&
  'offset' in value &&
  typeof value.offset === 'number' &&
  'length' in value &&
  typeof value.length === 'number';

function verdictOf<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // In its own words in front of the engine's.
    const start = message.indexOf('error[');
    throw new RefusedRulesError(readEngineError(message.slice(Math.max(0, start)))?.text ?? message.slice(0, 300), {
      cause: error,
    });
  }
}

function isNativeYara(value: unknown): value is NativeYara {
  return typeof value === 'object' && value !== null && 'compile' in value && typeof value.compile === 'function';
}
