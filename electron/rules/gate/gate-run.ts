import type { BrokenRule, RuleWarning } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { FailureError } from '../../../shared/failure.ts';
import { warningsNamedAtMost } from '../package-files.ts';
import type { ParsedRule } from '../parsed-package.ts';
import { type RuleInstance, usedBy } from '../rule-binding.ts';
import { definedVariables } from '../scanning/post-program.ts';
import type { GateTask, UnknownModule } from './gate-messages.ts';
import { type Chunk, chunkRules, type GatePlan } from './gate-plan.ts';
import {
  type GateLimits,
  type GateThread,
  type GateThreads,
  mostThreads,
  type Patience,
  type TaskEnd,
} from './gate-threads.ts';

interface Job {
  chunk: Chunk;
  how: GateTask['how'];
}

type Pieces = Chunk['pieces'];

export interface GateRunOptions {
  plan: GatePlan;
  module: WebAssembly.Module;
  limits: GateLimits;
  /** Of the workspace. */
  variables: readonly RuleVariable[];
  /** They are its own, and closed when it is finished. */
  threads: GateThreads;
  onDone(done: number, total: number): void;
}

/** One package on its way through the gate. */
export class GateRun {
  readonly #plan: GatePlan;
  readonly #module: WebAssembly.Module;
  readonly #limits: GateLimits;
  readonly #variables: readonly RuleVariable[];
  readonly #onDone: (done: number, total: number) => void;
  readonly #jobs: Job[];
  readonly #broken = new Map<RuleInstance, BrokenRule>();
  readonly #warnings = new Map<string, RuleWarning>();
  readonly #threads: GateThreads;
  #unknown: readonly UnknownModule[] = [];
  #done = 0;
  #lateAt = Infinity;

  constructor({ plan, module, limits, variables, threads, onDone }: GateRunOptions) {
    this.#plan = plan;
    this.#module = module;
    this.#limits = limits;
    this.#variables = variables;
    this.#threads = threads;
    this.#onDone = onDone;
    this.#jobs = plan.chunks.map((chunk) => ({ chunk, how: 'together' }));
  }

  /** Once. @returns what the engine found broken, also those that use such a one */
  async finish(
    signal: AbortSignal | undefined,
  ): Promise<{ imports: BrokenRule[]; rules: ReadonlyMap<RuleInstance, BrokenRule>; warnings: RuleWarning[] }> {
    this.#lateAt = performance.now() + this.#limits.totalSeconds * 1000;
    const stop = (): void => void this.#threads.close();
    signal?.addEventListener('abort', stop);
    try {
      if (signal?.aborted === true) throw new FailureError({ kind: 'cancelled' });
      const workers = Math.max(1, Math.min(mostThreads, this.#jobs.length));
      await Promise.all(Array.from({ length: workers }, () => this.#worker()));
    } finally {
      signal?.removeEventListener('abort', stop);
      await this.#threads.close();
    }
    for (const { chunk } of this.#jobs)
      this.#breakAll(chunk, `Not compiled: the package takes longer than ${this.#limits.totalSeconds} s`);
    return { imports: [...this.#brokenImports()], rules: this.#broken, warnings: [...this.#warnings.values()] };
  }

  /** A thread, and another one after each that was ended. */
  async #worker(): Promise<void> {
    let thread: GateThread | null = await this.#start();
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      thread ??= await this.#start();
      const pieces = this.#piecesOf(job.chunk);
      const end = await thread.run({ pieces: pieces.map(({ text }) => text), how: job.how }, this.#patienceFor(pieces));
      this.#judge(job, pieces, end);
      if (end.kind === 'compiled') continue;
      await this.#threads.end(thread);
      thread = null;
    }
    if (thread !== null) await this.#threads.end(thread);
  }

  #next(): Job | undefined {
    return performance.now() < this.#lateAt ? this.#jobs.shift() : undefined;
  }

  async #start(): Promise<GateThread> {
    const variables = definedVariables(this.#variables, (name) => this.#plan.hasName(name));
    const thread = this.#threads.take();
    this.#unknown = await thread.begin({ module: this.#module, modules: this.#plan.modules, variables });
    return thread;
  }

  /** Rules known to be broken are not compiled again: to the rules that use them they are missing. */
  #piecesOf({ pieces }: Chunk): Pieces {
    const unknown = new Set(this.#unknown.map(({ name }) => name));
    return pieces.filter((piece) =>
      piece.instance === null ? !unknown.has(piece.module) : !this.#broken.has(piece.instance),
    );
  }

  #patienceFor(pieces: Pieces): Patience {
    const leftMs = this.#lateAt - performance.now();
    const allMs = this.#limits.fileSeconds * 1000 * Math.max(1, Math.ceil(pieces.length / chunkRules));
    return { pieceMs: Math.min(leftMs, this.#limits.ruleSeconds * 1000), allMs: Math.min(leftMs, allMs) };
  }

  #judge(job: Job, pieces: Pieces, end: TaskEnd): void {
    if (end.kind === 'compiled') {
      const own = new Set<RuleInstance | null>(job.chunk.own.map(({ instance }) => instance));
      for (const { piece, line, text } of end.findings) {
        const instance = pieces[piece]?.instance ?? null;
        if (instance !== null && own.has(instance)) this.#break(instance, 'engine', line, asWritten(text, instance));
      }
      for (const { piece, line, code, text } of end.warnings) {
        const instance = pieces[piece]?.instance ?? null;
        if (instance !== null && own.has(instance))
          this.#warn(instance.rule, { line: instance.rule.line + line - 1, code, text: asWritten(text, instance) });
      }
      return this.#count(job.chunk);
    }
    if (performance.now() >= this.#lateAt) return void this.#jobs.push(job);
    if (job.how === 'together') return void this.#jobs.unshift({ ...job, how: 'alone' });
    this.#blame(job, pieces[end.piece]?.instance ?? null, end.kind);
  }

  /** Without the rule that it died of, or in halves where it was none of them alone. */
  #blame({ chunk }: Job, instance: RuleInstance | null, kind: 'slow' | 'died'): void {
    const text =
      kind === 'died' ? 'It crashes the engine' : `It takes longer than ${this.#limits.ruleSeconds} s to compile`;
    if (instance !== null) this.#break(instance, 'limit', 1, text);
    const left = chunk.own.filter((piece) => !this.#broken.has(piece.instance));
    if (left.length === 0) return this.#count(chunk);
    if (instance !== null) return void this.#jobs.unshift({ chunk, how: 'alone' });
    if (left.length === 1) return this.#breakAll(chunk, text);
    const middle = left.length >> 1;
    this.#count({ ...chunk, own: chunk.own.filter((piece) => this.#broken.has(piece.instance)) });
    for (const half of [left.slice(middle), left.slice(0, middle)])
      this.#jobs.unshift({ chunk: this.#plan.chunkOf(half), how: 'alone' });
  }

  #breakAll(chunk: Chunk, text: string): void {
    for (const { instance } of chunk.own) this.#break(instance, 'limit', 1, text);
    this.#count(chunk);
  }

  /** `line` is one-based in the rule. */
  #break(instance: RuleInstance, kind: 'engine' | 'limit', line: number, text: string): void {
    if (this.#broken.has(instance)) return;
    const { rule } = instance;
    this.#broken.set(instance, { rule: rule.name, file: rule.file, line: rule.line + line - 1, kind, text });
  }

  /** A rule may be compiled several times, once for each of its namespaces. */
  #warn({ name, file }: ParsedRule, { line, code, text }: Pick<RuleWarning, 'line' | 'code' | 'text'>): void {
    const key = JSON.stringify([file, line, code, text]);
    if (this.#warnings.size < warningsNamedAtMost && !this.#warnings.has(key))
      this.#warnings.set(key, { rule: name, file, line, code, text });
  }

  #count({ own }: Chunk): void {
    this.#done += own.length;
    this.#onDone(this.#done, this.#plan.total);
  }

  *#brokenImports(): Generator<BrokenRule> {
    const texts = new Map(this.#unknown.map(({ name, text }) => [name, text]));
    for (const { file, statement } of this.#plan.statements) {
      const text = texts.get(statement.value);
      if (text !== undefined) yield { rule: null, file, line: statement.line, kind: 'engine', text };
    }
  }
}

/** The engine quotes identifiers that it was given: here they are as the file has them. */
function asWritten(text: string, instance: RuleInstance): string {
  let words = text;
  for (const { identifier, rule } of [instance, ...usedBy(instance)])
    if (identifier !== rule.name) words = words.replaceAll(`\`${identifier}\``, `\`${rule.name}\``);
  return words;
}
