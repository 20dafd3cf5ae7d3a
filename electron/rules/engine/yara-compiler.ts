import { Compiler, initSync } from '@virustotal/yara-x';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { type EngineError, readEngineError, readEngineWarning } from './scan-engine.ts';
import { withLiterals } from './variable-literals.ts';

/**
 * Loads the engine into this thread, which must be a worker: what a source takes, time and memory, only the end of the
 * worker takes back. After an error that is not an `EngineError` the engine is not to be used again.
 */
export function loadEngine(module: WebAssembly.Module): void {
  initSync({ module });
}

/** One set of rules in one namespace. Free it. */
export class YaraCompiler {
  readonly #compiler = new Compiler();
  readonly #literals: readonly RuleVariable[];

  constructor(variables: readonly RuleVariable[]) {
    this.#literals = definePortable(this.#compiler, variables);
  }

  /** Rules that are not broken count, even beside those that are. @returns the first fault of the source */
  add(source: string): EngineError | null {
    try {
      this.#compiler.addSource(withLiterals(source, this.#literals));
      return null;
    } catch (error) {
      return requireVerdict(error);
    }
  }

  /** All faults of all sources so far. */
  faults(): EngineError[] {
    return this.#compiler.errors.map((message) => requireVerdict(new Error(message)));
  }

  /** Of all sources that were added without a fault. To be read before `build`. */
  warnings(): EngineError[] {
    return this.#compiler.warnings.flatMap((message: string) => readEngineWarning(message) ?? []);
  }

  /** Makes of the sources what can scan. Only for sources without a fault. */
  build(): void {
    this.#compiler.build().free();
  }

  free(): void {
    this.#compiler.free();
  }
}

/**
 * Its binding takes a number without a fraction for an integer. @returns those that it cannot be given: they are to be
 * written into the source
 */
export function definePortable(
  compiler: Pick<Compiler, 'defineGlobal'>,
  variables: readonly RuleVariable[],
): RuleVariable[] {
  const isWholeFloat = ({ type, value }: RuleVariable): boolean => type === 'float' && Number.isInteger(value);
  for (const variable of variables) if (!isWholeFloat(variable)) compiler.defineGlobal(variable.name, variable.value);
  return variables.filter(isWholeFloat);
}

/** A trap, a stack overflow or exhausted memory has no message from the engine. */
function requireVerdict(error: unknown): EngineError {
  const verdict = error instanceof Error ? readEngineError(error.message) : null;
  if (verdict === null) throw error;
  return verdict;
}
