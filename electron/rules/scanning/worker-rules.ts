import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import {
  type CompiledRules,
  type EngineHit,
  RefusedRulesError,
  RefusedValueError,
  type ScanEngine,
  type VariableTexts,
} from '../engine/scan-engine.ts';
import { StringsFirst } from '../engine/strings-first.ts';

/** What a scan worker compiles. */
export interface WorkerSource {
  all: string;
  /** Of the rules that ask for a variable, with all that they need. */
  asking: string;
  /** Those rules, as the engine names them. */
  askingRules: ReadonlySet<string>;
  variables: readonly RuleVariable[];
  /** Conditions are compiled when they are needed. */
  stringsFirst: boolean;
}

export interface WorkerEngines {
  engine: ScanEngine;
  /** Takes any text. It is loaded with the first text that the other one does not take. */
  loadPortable(): Promise<ScanEngine>;
  /** Before rules are compiled during a scan, and before the scan continues. */
  compiles(): Promise<void>;
  compiled(): Promise<void>;
}

/** The rules that need a variable cannot be compiled by themselves: their hits would be unknown. */
export class UnaskableError extends Error {
  override readonly name = 'UnaskableError';
}

/**
 * The rules of a scan worker. A file is scanned with all of them once, and with those that need a variable for each
 * further set of texts.
 */
export class WorkerRules {
  readonly #engines: WorkerEngines;
  readonly #source: WorkerSource;
  readonly #all: CompiledRules | StringsFirst;
  #asking: CompiledRules | null = null;
  #portable: CompiledRules | null = null;
  #extraScans = 0;

  /** Compiles them. @throws RefusedRulesError */
  constructor(source: WorkerSource, engines: WorkerEngines) {
    this.#source = source;
    this.#engines = engines;
    this.#all = allOf(source, engines.engine);
  }

  /** Scans besides one for each file: the portable engine gives no memory back. */
  get extraScans(): number {
    return this.#extraScans;
  }

  /**
   * Each rule once, with the first set of texts that it hits with. @throws UnaskableError, and what an engine throws
   * that is of no use any more
   */
  async hits(bytes: Uint8Array, sets: readonly VariableTexts[]): Promise<EngineHit[]> {
    const first = sets.find((texts) => this.#all.takes(texts)) ?? null;
    const { hits, left } = await this.#hitsOfAll(
      bytes,
      first,
      sets.filter((texts) => texts !== first),
    );
    for (const texts of left) hits.push(...(await this.#hitsOfAsking(bytes, texts)));
    const seen = new Set<string>();
    return left.length === 0 ? hits : hits.filter(({ rule }) => !seen.has(rule) && seen.add(rule));
  }

  /**
   * Without a text that the engine takes, rules that ask for one have said nothing yet. @returns `left`: the sets that
   * those are still to be scanned with
   */
  async #hitsOfAll(
    bytes: Uint8Array,
    texts: VariableTexts | null,
    others: readonly VariableTexts[],
  ): Promise<{ hits: EngineHit[]; left: readonly VariableTexts[] }> {
    try {
      if (texts !== null) return { hits: await this.#all.scan(bytes, texts, this.#engines), left: others };
    } catch (error) {
      if (!(error instanceof RefusedValueError)) throw error;
    }
    const left = texts === null ? others : [texts, ...others];
    const hits = await this.#all.scan(bytes, {}, this.#engines);
    return left.length === 0
      ? { hits, left }
      : { hits: hits.filter(({ rule }) => !this.#source.askingRules.has(rule)), left };
  }

  async #hitsOfAsking(bytes: Uint8Array, texts: VariableTexts): Promise<EngineHit[]> {
    if (this.#all.takes(texts)) {
      try {
        this.#asking ??= await this.#compile(this.#engines.engine);
        return this.#asking.scan(bytes, texts);
      } catch (error) {
        if (!(error instanceof RefusedValueError)) throw error;
      }
    }
    this.#portable ??= await this.#compile(await this.#engines.loadPortable());
    this.#extraScans += 1;
    return this.#portable.scan(bytes, texts);
  }

  async #compile(engine: ScanEngine): Promise<CompiledRules> {
    await this.#engines.compiles();
    try {
      return engine.compile(this.#source.asking, this.#source.variables);
    } catch (error) {
      throw error instanceof RefusedRulesError ? new UnaskableError(error.message, { cause: error }) : error;
    } finally {
      await this.#engines.compiled();
    }
  }
}

/** @throws RefusedRulesError */
function allOf({ all, variables, stringsFirst }: WorkerSource, engine: ScanEngine): CompiledRules | StringsFirst {
  if (!stringsFirst) return engine.compile(all, variables);
  try {
    return new StringsFirst(all, {
      compile: (source) => engine.compile(source, variables),
      collect: () => engine.collect(),
    });
  } catch (error) {
    // Rules that do not support strings first are compiled as they are, which reports their faults.
    if (error instanceof RefusedRulesError) return engine.compile(all, variables);
    throw error;
  }
}
