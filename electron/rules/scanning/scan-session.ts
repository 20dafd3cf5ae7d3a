import { setImmediate } from 'node:timers';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { FailureError } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import { engineNames } from '../engine/scan-engine.ts';
import { variableSets } from './file-variables.ts';
import { programDigest } from './post-program.ts';
import { askingRules, type BadEnd, findGuilty, identifierOf, programOf, type RuleProgram } from './rule-program.ts';
import type { FoundRule, ScanVerdict } from './scan-verdict.ts';
import { ScanWorkerClient, type WorkerEnd } from './scan-worker-client.ts';
import { ScanWorkerPool } from './scan-worker-pool.ts';
import { mostTogether, type ScanOrder, type ScanTask, TaskQueue } from './task-queue.ts';
import { type ScanLimits, scanLimits, type ScanWorker, type WarmWorkers } from './worker-messages.ts';
import type { WorkerResult } from './worker-reply.ts';

interface ScanSessionOptions {
  program: RuleProgram;
  engine: LocalEngine;
  /** That the workspace defines. */
  variables?: readonly RuleVariable[];
  startScanWorker(): ScanWorker;
  /**
   * Compiled scan workers are taken from there first, and left there by a session that ends well. Without it they end
   * with the session.
   */
  warm?: WarmWorkers;
  /** A scan worker begins to compile the program before the session is ready. */
  compiles?(): void;
  /** How many scan at the same time. All are started at once. */
  workers: number;
  limits?: Partial<ScanLimits>;
  signal: AbortSignal;
  /**
   * This rule keeps the engine from ending, ends it, or takes too much memory: from now on scans run without it, and
   * without rules that use it, which are reported too.
   */
  leftOut(rule: string, reason: LeftOutReason): void;
}

type LeftOutReason = 'endless' | 'deadly' | 'memory';

export interface ScanSession<S> {
  /**
   * May be called many times at once. Rejects with `cancelled` after the signal or `close`, and where there can be no
   * engine any more.
   */
  scan(order: ScanOrder<S>): Promise<ScanVerdict>;
  /** Resolves when another order is welcome. Rejects as `scan` does. */
  waitForSpace(): Promise<void>;
  /** Running scans are cancelled. Resolves when every scan worker is gone, or left to the next session. */
  close(): Promise<void>;
}

/**
 * Compiles the program in its scan workers; resolves when one is ready.
 *
 * @throws FailureError `native-engine-refused`, `scan-engine-failed`, `cancelled`
 */
export async function openScanSession<S>({ limits, ...options }: ScanSessionOptions): Promise<ScanSession<S>> {
  const digest =
    options.warm === undefined ? '' : await programDigest(options.engine, options.program, options.variables ?? []);
  const session = new ScanWorkerSession<S>({ ...options, limits: { ...scanLimits, ...limits } }, digest);
  try {
    await session.ready();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Scan workers compile the program for the sessions that come, unless so many do already. Resolves when they have
 * received it.
 */
export async function compileAhead({
  program,
  engine,
  variables = [],
  warm,
  startScanWorker,
  workers,
  memoryMebibytes,
}: Pick<ScanSessionOptions, 'program' | 'engine' | 'variables' | 'startScanWorker' | 'workers'> &
  Pick<ScanLimits, 'memoryMebibytes'> & { warm: WarmWorkers }): Promise<void> {
  const digest = await programDigest(engine, program, variables);
  for (let there = warm.count(digest); there < workers; there += 1) {
    const client = new ScanWorkerClient<never>({
      worker: startScanWorker(),
      engine,
      program,
      variables,
      fileMs: Infinity,
      memoryMebibytes,
      events: noEvents,
    });
    // What keeps it from compiling is for the session to say that wants it.
    client.ready().catch(() => undefined);
    const left = client.handOver();
    if (left !== null) warm.keep(digest, left.worker, left.warm);
  }
}

/** Of a scan worker that is given nothing. */
const noEvents = { result: () => undefined, idle: () => undefined, ended: () => undefined, defect: () => undefined };

/** Of scan workers in a row that ended without a result, and without a file that could be the cause. */
const mostDeaths = 5;
/** A package may be against us. */
const mostLeftOut = 50;
/** For rules, of which it was none. */
const mostVainSearches = 5;
/** Of the time a file may take, while a rule is looked for. */
const probeShare = 1 / 6;
const probeSeconds = { least: 0.5, most: 5 };

const reasons = { slow: 'endless', died: 'deadly', memory: 'memory' } as const;

/** Orders, their verdicts, and the handling of those with which a scan worker ended. */
export class ScanWorkerSession<S> implements ScanSession<S> {
  readonly #options: ScanSessionOptions & { limits: ScanLimits };
  readonly #queue = new TaskQueue<S>();
  readonly #pool: ScanWorkerPool<S>;
  readonly #open = new Set<ScanTask<S>>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #asked: ReadonlySet<string>;
  readonly #without = new Set<string>();
  /** Of rules that the engine has under another name. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #cancel = (): void => this.#finish(new FailureError({ kind: 'cancelled' }));
  #waiting: { resolve(): void; reject(error: Error): void }[] = [];
  #program: RuleProgram;
  #over: Error | null = null;
  #isPumping = false;
  #deaths = 0;
  #vainSearches = 0;
  /** One search at a time: the next file may be about the same rule. */
  readonly #searches = new Mutex();

  /** `digest`: of the program, for scan workers that were or are kept. */
  constructor(options: ScanSessionOptions & { limits: ScanLimits }, digest: string) {
    const { engine, limits, program, signal } = options;
    this.#options = options;
    this.#program = program;
    this.#asked = new Set(askingRules(program.pieces).by.keys());
    this.#names = new Map(
      program.pieces.rules.flatMap((rule) =>
        identifierOf(rule) === rule.name ? [] : [[identifierOf(rule), rule.name]],
      ),
    );
    this.#pool = new ScanWorkerPool<S>({
      ...options,
      digest,
      variables: options.variables ?? [],
      queue: this.#queue,
      fileMs: limits.fileSeconds * 1000,
      memoryMebibytes: limits.memoryMebibytes,
      recycleAfter: engine === 'wasm' ? limits.recycleAfter : Infinity,
      program: () => this.#program,
      events: {
        result: (task, result) => this.#result(task, result),
        ready: () => this.#ready.resolve(),
        ended: (end) => this.#ended(end),
        broken: (error) => this.#finish(error instanceof Error ? error : new Error(String(error))),
      },
    });
    signal.addEventListener('abort', this.#cancel);
    if (signal.aborted) this.#cancel();
  }

  /** Resolves when one scan worker is. */
  ready(): Promise<void> {
    this.#pool.pump();
    return this.#ready.promise;
  }

  scan(order: ScanOrder<S>): Promise<ScanVerdict> {
    if (this.#over !== null) return Promise.reject(this.#over);
    const { promise, resolve, reject } = Promise.withResolvers<ScanVerdict>();
    const { sets: variables, leftOut: namesLeftOut } = variableSets(
      order.facts ?? [{ name: order.name, path: null, owner: null }],
      this.#asked,
    );
    const task: ScanTask<S> = {
      order,
      variables,
      namesLeftOut,
      isAlone: false,
      hasDied: false,
      wasSought: false,
      resolve,
      reject,
    };
    this.#open.add(task);
    this.#queue.add(task);
    this.#pumpSoon();
    return promise;
  }

  async waitForSpace(): Promise<void> {
    if (this.#over !== null) throw this.#over;
    if (this.#hasSpace) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ resolve, reject });
    await promise;
  }

  async close(): Promise<void> {
    const endsWell = this.#over === null && this.#open.size === 0 && this.#without.size === 0;
    this.#finish(new FailureError({ kind: 'cancelled' }), endsWell);
    await this.#pool.close();
  }

  get #hasSpace(): boolean {
    return this.#queue.length < this.#options.workers * 2 * mostTogether;
  }

  /** What is ordered at the same time goes together. */
  #pumpSoon(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    this.#pool.pump();
    if (!this.#hasSpace || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  #result(task: ScanTask<S>, result: WorkerResult): void {
    this.#deaths = 0;
    this.#pumpSoon();
    if (typeof result === 'object' && 'reason' in result)
      return this.#settle(task, { kind: 'unreadable', reason: result.reason });
    if (typeof result === 'object' && 'failed' in result)
      return this.#settle(task, {
        kind: 'failed',
        failure: { kind: 'scan-engine-failed', engine: engineNames[this.#options.engine], text: result.failed },
      });
    const { micros, found, isCut } = typeof result === 'number' ? { micros: result, found: [], isCut: false } : result;
    this.#queue.learn(task, micros / 1000);
    this.#settle(task, {
      kind: 'scanned',
      elapsedMs: micros / 1000,
      found: this.#named(found),
      isCut,
      namesLeftOut: task.namesLeftOut,
    });
  }

  /** Of a rule that the engine has several times, the first that it found. */
  #named(found: FoundRule[]): FoundRule[] {
    if (this.#names.size === 0) return found;
    const byName = new Map<string, FoundRule>();
    for (const { rule, strings } of found) {
      const name = this.#names.get(rule) ?? rule;
      if (!byName.has(name)) byName.set(name, { rule: name, strings });
    }
    return [...byName.values()].toSorted((a, b) => (a.rule < b.rule ? -1 : 1));
  }

  #settle(task: ScanTask<S>, verdict: ScanVerdict): void {
    this.#open.delete(task);
    task.resolve(verdict);
  }

  /** A scan worker ended in the middle. Resolves when another may take its place. */
  async #ended(end: WorkerEnd<S>): Promise<void> {
    const { kind, suspects, others, program } = end;
    this.#pumpSoon();
    this.#queue.putBack(others);
    const [suspect, ...more] = suspects;
    if (suspect === undefined) return this.#countDeath(end);
    for (const task of suspects) task.isAlone = true;
    if (end.wasReading) return this.#settle(suspect, this.#failed(suspect, end));
    const isNew = kind === 'died' && !suspects.every(({ hasDied }) => hasDied);
    for (const task of suspects) task.hasDied ||= kind === 'died';
    if (isNew || more.length > 0 || program !== this.#program) return this.#queue.putBack(suspects);
    await this.#searches.run(() => this.#blame(suspect, end));
  }

  #countDeath({ text }: WorkerEnd<S>): void {
    this.#deaths += 1;
    if (this.#deaths >= mostDeaths)
      throw new FailureError({ kind: 'scan-engine-failed', engine: engineNames[this.#options.engine], text });
  }

  async #blame(task: ScanTask<S>, end: WorkerEnd<S>): Promise<void> {
    if (this.#over !== null) return;
    if (end.program !== this.#program) return this.#queue.putBack([task]);
    const isWorthIt = !task.wasSought && this.#without.size < mostLeftOut && this.#vainSearches < mostVainSearches;
    const guilty = isWorthIt ? await this.#guiltyRule(task) : null;
    if (guilty !== null) this.#leaveOut(guilty.rule, reasons[guilty.end]);
    else if (isWorthIt) this.#noteVain(task);
    // What is slow may be the computer, and not for long; and memory may be what others left in the process.
    if (guilty !== null || (isWorthIt && end.kind !== 'died')) return this.#queue.putBack([task]);
    this.#settle(task, this.#failed(task, end));
  }

  #noteVain(task: ScanTask<S>): void {
    this.#vainSearches += 1;
    task.wasSought = true;
  }

  /**
   * Null too when a scan worker that was to search does not start: scan workers that work may fail so and be followed
   * by others, and this is about one file.
   */
  async #guiltyRule(task: ScanTask<S>): ReturnType<typeof findGuilty> {
    try {
      return await findGuilty(this.#program, (program, isPatient) => this.#probe(task, program, isPatient));
    } catch (error) {
      if (this.#over === null && error instanceof FailureError && error.failure.kind !== 'cancelled') return null;
      throw error;
    }
  }

  /** Scans the file in a separate scan worker. */
  async #probe(task: ScanTask<S>, program: RuleProgram, isPatient: boolean): Promise<BadEnd> {
    const { fileSeconds } = this.#options.limits;
    const seconds = isPatient
      ? fileSeconds
      : Math.min(probeSeconds.most, Math.max(probeSeconds.least, fileSeconds * probeShare));
    const { promise, resolve, reject } = Promise.withResolvers<BadEnd>();
    const worker = this.#pool.startClient(program, seconds * 1000, {
      result: () => resolve(null),
      idle: () => undefined,
      ended: ({ kind }) => resolve(kind),
      defect: reject,
    });
    try {
      await worker.ready();
      worker.give([task]);
      return await Promise.race([promise, worker.stopped]);
    } finally {
      await this.#pool.end(worker);
    }
  }

  #leaveOut(rule: string, reason: LeftOutReason): void {
    const { pieces, reported } = this.#program;
    this.#without.add(rule);
    this.#program = programOf(pieces, new Set(reported), this.#without);
    const left = new Set(this.#program.reported);
    for (const name of new Set([rule, ...reported.filter((each) => !left.has(each))]))
      this.#options.leftOut(name, reason);
  }

  #failed({ order }: ScanTask<S>, { kind, text }: WorkerEnd<S>): ScanVerdict {
    const { engine, limits } = this.#options;
    if (kind === 'slow')
      return { kind: 'failed', failure: { kind: 'scan-timed-out', name: order.name, seconds: limits.fileSeconds } };
    if (kind === 'memory')
      return { kind: 'failed', failure: { kind: 'scan-memory', name: order.name, mebibytes: limits.memoryMebibytes } };
    return { kind: 'failed', failure: { kind: 'scan-engine-failed', engine: engineNames[engine], text } };
  }

  /** Nothing more is scanned. */
  #finish(reason: Error, keepsWorkers = false): void {
    if (this.#over !== null) return;
    this.#over = reason;
    this.#options.signal.removeEventListener('abort', this.#cancel);
    this.#ready.promise.catch(() => undefined);
    this.#ready.reject(reason);
    for (const each of [...this.#open, ...this.#waiting]) each.reject(reason);
    this.#open.clear();
    this.#waiting = [];
    this.#pool.close(keepsWorkers).catch(() => undefined);
  }
}
