import { writeSync } from 'node:fs';
import fc from 'fast-check';
import type { Json } from '../../shared/domain/sample.ts';
import { FailureError } from '../../shared/failure.ts';
import type { FuzzCase, FuzzTarget } from '../../shared/testing/fuzz-target.ts';
import { type AttackOrder, type AttackWord, casesInABatch, wordsDescriptor } from './attack-words.ts';
import type { KeptCase } from './corpus.ts';
import { heldMoreThan, peakMiB } from './peak-memory.ts';

/** More than this of processor time for one input is a find. */
const mostMs = 2000;
const longestShrinkingMs = 60_000;

/**
 * Attacks a reader until the time is up or something is found, and reports this as it runs. For a process of its own.
 */
export async function attack(
  target: FuzzTarget,
  corpus: readonly KeptCase[],
  { seconds, seed, mostMiB }: AttackOrder,
): Promise<void> {
  const run = new Attack(
    target,
    corpus.map(({ input }) => input),
    mostMiB,
  );
  const until = performance.now() + seconds * 1000;
  let isHeld = await run.kept();
  for (let batch = seed; isHeld && performance.now() < until; batch += 1) isHeld = await run.batch(batch);
  run.end();
}

/** The cases of one batch: the same in every process that has the same corpus. */
export function casesOf(target: FuzzTarget, corpus: readonly Json[], seed: number): FuzzCase[] {
  return fc.sample(target.cases(corpus), { seed, numRuns: casesInABatch });
}

class Attack {
  readonly #target: FuzzTarget;
  readonly #corpus: readonly Json[];
  readonly #mostMiB: number;
  #slowestMs = 0;

  constructor(target: FuzzTarget, corpus: readonly Json[], mostMiB: number) {
    this.#target = target;
    this.#corpus = corpus;
    this.#mostMiB = mostMiB;
  }

  /** Whether all holds. Sound inputs come first: what is loaded by the first of them is no slowness of any other. */
  async kept(): Promise<boolean> {
    for (const sound of this.#target.seeds) await sound.attack();
    print({ kind: 'batch', seed: null });
    for (const input of this.#corpus) {
      const why = await this.#tried(this.#target.revive(input));
      if (why !== null) return found(input, why);
    }
    return true;
  }

  async batch(seed: number): Promise<boolean> {
    const cases = casesOf(this.#target, this.#corpus, seed);
    print({ kind: 'batch', seed });
    for (const each of cases) {
      const why = await this.#tried(each);
      // A peak never falls again, and each smaller input would take as much once more.
      if (why !== null) return heldMoreThan(this.#mostMiB) ? found(each.kept(), why) : this.#shrunk(seed, each, why);
    }
    return true;
  }

  end(): void {
    print({ kind: 'end', slowestMs: this.#slowestMs, peakMiB: peakMiB() });
  }

  async #tried(each: FuzzCase): Promise<string | null> {
    print({ kind: 'try' });
    const before = process.cpuUsage();
    const why = await wrongWith(each);
    const ms = millisecondsSince(before);
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    return why ?? tooMuch(ms, this.#mostMiB);
  }

  /** The smallest input that does the same, as far as it is found in a minute. */
  async #shrunk(seed: number, first: FuzzCase, why: string): Promise<false> {
    const failing = fc.asyncProperty(this.#target.cases(this.#corpus), async (each) => {
      const before = process.cpuUsage();
      const wrong = await wrongWith(each);
      return wrong === null && millisecondsSince(before) < mostMs;
    });
    const { counterexample } = await fc.check(failing, {
      seed,
      numRuns: casesInABatch,
      interruptAfterTimeLimit: longestShrinkingMs,
    });
    const smallest = counterexample?.[0] ?? first;
    return found(smallest.kept(), (await wrongWith(smallest)) ?? why);
  }
}

/** null when all holds. A failure that is data is none of ours, unless the target itself reports it. */
async function wrongWith(each: FuzzCase): Promise<string | null> {
  try {
    await each.attack();
    return null;
  } catch (error) {
    if (error instanceof FailureError) return `the failure ${error.failure.kind}`;
    return error instanceof Error ? `${error.name}: ${error.message.slice(0, 300)}` : String(error);
  }
}

function tooMuch(ms: number, mostMiB: number): string | null {
  if (ms > mostMs) return `took ${(ms / 1000).toFixed(1)} s`;
  return heldMoreThan(mostMiB) ? `took ${peakMiB().toFixed(0)} MiB` : null;
}

function found(input: Json, why: string): false {
  print({ kind: 'found', input, why });
  return false;
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** On one line for readers of lines: two characters that JSON leaves as they are end one, too. */
function print(word: AttackWord): void {
  const text = JSON.stringify(word).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
  writeSync(wordsDescriptor, `${text}\n`);
}
