import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { FuzzTarget } from '../../shared/testing/fuzz-target.ts';
import { casesOf } from './attack.ts';
import { type AttackOrder, attackWord, type AttackWord } from './attack-words.ts';
import type { KeptCase } from './corpus.ts';
import { processorSecondsOf } from './processor-time.ts';

export interface Fuzzing {
  target: FuzzTarget;
  corpus: readonly KeptCase[];
  /** Attacks the target with the corpus: a file, run with an order. */
  attacker: string;
  seconds: number;
  seed: number;
  mostMiB: number;
  /**
   * So much of the processor without a word is a hang, in seconds; so is twenty times as long in which it takes none.
   */
  hangSeconds: number;
}
export interface FuzzOutcome {
  name: string;
  tried: number;
  /** Processor time of the slowest input, in milliseconds. */
  slowestMs: number;
  peakMiB: number;
  /** null when all held. `isKept`: the corpus has it already. */
  found: (KeptCase & { isKept: boolean }) | null;
}

const heapMiB = 512;
const running = new Set<ChildProcess>();

/** Has a process of its own attack a target. One that hangs is ended; what it was at is the find. */
export async function fuzz(fuzzing: Fuzzing): Promise<FuzzOutcome> {
  const { target, seconds, seed, mostMiB } = fuzzing;
  const order: AttackOrder = { name: target.name, seconds, seed, mostMiB };
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMiB}`, fuzzing.attacker, JSON.stringify(order)], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  running.add(child);
  const watched = new Watched(child, fuzzing);
  const ended = once(child, 'close');
  await watched.listen();
  const ending: unknown[] = await ended;
  running.delete(child);
  return watched.outcome(
    ending
      .filter((part) => part !== null)
      .map(String)
      .join(' '),
  );
}

/** Ends what still attacks. */
export function endAttacks(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** One process that attacks, by its words. */
class Watched {
  readonly #child: ChildProcess;
  readonly #fuzzing: Fuzzing;
  #seed: number | null = null;
  #at = -1;
  #tried = 0;
  #isHung = false;
  #isSilent = false;
  /** When it was looked at first after the last word. */
  #lastWord: { at: number; processor: number | null } | null = null;
  #found: KeptCase | null = null;
  #end: Extract<AttackWord, { kind: 'end' }> | null = null;

  constructor(child: ChildProcess, fuzzing: Fuzzing) {
    this.#child = child;
    this.#fuzzing = fuzzing;
  }

  async listen(): Promise<void> {
    const words = this.#child.stdio[3];
    if (!(words instanceof Readable)) throw new TypeError('the process has no words');
    const watchdog = setInterval(() => this.#watch(), 500);
    try {
      for await (const line of createInterface(words)) {
        [this.#lastWord, this.#isSilent] = [null, false];
        this.#hear(attackWord.parse(JSON.parse(line)));
      }
    } catch (error) {
      this.#child.kill('SIGKILL');
      throw error;
    } finally {
      clearInterval(watchdog);
    }
  }

  /** On a busy machine nothing may happen for a minute: what counts is what the process itself did. */
  #watch(): void {
    const { hangSeconds } = this.#fuzzing;
    const now = { at: performance.now() / 1000, processor: processorSecondsOf(this.#child.pid ?? 0) };
    this.#lastWord ??= now;
    const idle = now.at - this.#lastWord.at;
    const spent =
      now.processor === null || this.#lastWord.processor === null ? idle : now.processor - this.#lastWord.processor;
    if (spent < hangSeconds && idle < 20 * hangSeconds) return;
    // What it said may only not have been read yet.
    if (this.#isSilent) {
      this.#isHung = true;
      this.#child.kill('SIGKILL');
    }
    this.#isSilent = true;
  }

  outcome(ending: string): FuzzOutcome {
    const { name } = this.#fuzzing.target;
    const found =
      this.#found ??
      (this.#end === null
        ? {
            why: this.#isHung ? `hung for ${this.#fuzzing.hangSeconds} s` : `ended its process: ${ending}`,
            input: this.#current(),
          }
        : null);
    const { slowestMs = Infinity, peakMiB = Infinity } = this.#end ?? {};
    return { name, tried: this.#tried, slowestMs, peakMiB, found: found && { ...found, isKept: this.#seed === null } };
  }

  #hear(word: AttackWord): void {
    switch (word.kind) {
      case 'batch':
        [this.#seed, this.#at] = [word.seed, -1];
        break;
      case 'try':
        [this.#at, this.#tried] = [this.#at + 1, this.#tried + 1];
        break;
      case 'found':
        this.#found = { why: word.why, input: word.input };
        break;
      case 'end':
        this.#end = word;
        break;
    }
  }

  /** What it was at: made again, because it could not say it any more. */
  #current(): KeptCase['input'] {
    const { target, corpus } = this.#fuzzing;
    const inputs = corpus.map(({ input }) => input);
    if (this.#seed === null) return inputs[this.#at] ?? null;
    return casesOf(target, inputs, this.#seed)[this.#at]?.kept() ?? null;
  }
}
