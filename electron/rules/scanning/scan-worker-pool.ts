import { setTimeout as passed } from 'node:timers/promises';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { RuleProgram } from './rule-program.ts';
import { ScanWorkerClient, type WorkerEnd, type WorkerEvents, type WorkerSetup } from './scan-worker-client.ts';
import type { TaskQueue } from './task-queue.ts';
import type { ScanWorker, WarmWorker, WarmWorkers } from './worker-messages.ts';

export interface PoolSetup<S> {
  engine: LocalEngine;
  startScanWorker(): ScanWorker;
  warm?: WarmWorkers | undefined;
  /**
   * Of the program that the session began with: scan workers of another one are neither taken from `warm` nor left
   * there.
   */
  digest: string;
  compiles?(): void;
  workers: number;
  fileMs: number;
  memoryMebibytes: number;
  /** Of the workspace. */
  variables: readonly RuleVariable[];
  /** Scans of one scan worker. */
  recycleAfter: number;
  queue: TaskQueue<S>;
  /** The program that scan workers are to use now; a worker with another one is replaced. */
  program(): RuleProgram;
  events: PoolEvents<S>;
}

export interface PoolEvents<S> {
  result: WorkerEvents<S>['result'];
  /** A scan worker is ready. */
  ready(): void;
  /** One ended that should not have. Another takes its place when the promise is settled. */
  ended(end: WorkerEnd<S>): Promise<void>;
  /** No scan workers can be started. */
  broken(error: unknown): void;
}

/** So many scans before a scan worker is ended, the next one is started. */
const replaceAhead = 64;
/** In a row. */
const mostFailedStarts = 4;
/** In milliseconds: what keeps an engine from starting may pass, and does not at once. */
const pauseAfter = (failedStarts: number): number => 250 * 2 ** (failedStarts - 1);

/** Keeps so many scan workers busy with the queue. */
export class ScanWorkerPool<S> {
  readonly #setup: PoolSetup<S>;
  readonly #all = new Set<ScanWorkerClient<S>>();
  readonly #working = new Set<ScanWorkerClient<S>>();
  /** Those that compile, to work afterwards. */
  readonly #compiling = new Set<ScanWorkerClient<S>>();
  readonly #first: RuleProgram;
  /** Those whose successor is there, or on its way. */
  readonly #replaced = new WeakSet<ScanWorkerClient<S>>();
  /**
   * Scan workers that are being started, and places of those that ended, until it is decided whether each is replaced.
   */
  #coming = 0;
  #failedStarts = 0;
  readonly #closing = new AbortController();

  constructor(setup: PoolSetup<S>) {
    this.#setup = setup;
    this.#first = setup.program();
  }

  /** Starts scan workers where there are too few, and gives each as much as it can take. */
  pump(): void {
    if (this.#closing.signal.aborted) return;
    for (const worker of this.#working) if (this.#isSpent(worker)) this.#retire(worker);
    while (this.#working.size + this.#coming < this.#setup.workers) void this.#start();
    // No scan worker has its next before each has its first.
    for (const worker of this.#working) if (worker.isIdle) this.#give(worker);
    for (const worker of this.#working) if (!worker.isIdle) this.#give(worker);
  }

  /** Resolves when all are gone. `keeps`: but for those that are left to the next session. */
  async close(keeps = false): Promise<void> {
    this.#closing.abort();
    if (keeps) for (const worker of [...this.#working, ...this.#compiling]) this.#leave(worker);
    await Promise.all([...this.#all].map((worker) => worker.close()));
  }

  /**
   * A separate scan worker, not one of those that are kept busy. To be ended with `end`.
   *
   * @throws FailureError `cancelled` once this is closed
   */
  startClient(program: RuleProgram, fileMs: number, events: WorkerEvents<S>): ScanWorkerClient<S> {
    if (this.#closing.signal.aborted) throw new FailureError({ kind: 'cancelled' });
    return this.#client(this.#setup.startScanWorker(), { program, fileMs, events });
  }

  #client(
    worker: WorkerSetup<S>['worker'],
    rest: Pick<WorkerSetup<S>, 'program' | 'fileMs' | 'events'>,
  ): ScanWorkerClient<S> {
    const client = new ScanWorkerClient<S>({
      worker,
      engine: this.#setup.engine,
      variables: this.#setup.variables,
      memoryMebibytes: this.#setup.memoryMebibytes,
      ...rest,
    });
    this.#all.add(client);
    return client;
  }

  #leave(worker: ScanWorkerClient<S>): void {
    const { warm, digest } = this.#setup;
    if (warm === undefined || !this.#isCurrent(worker) || worker.program !== this.#first) return;
    const left = worker.handOver();
    if (left === null) return;
    this.#all.delete(worker);
    warm.keep(digest, left.worker, left.warm);
  }

  async end(worker: ScanWorkerClient<S>): Promise<void> {
    this.#working.delete(worker);
    this.#compiling.delete(worker);
    await worker.close();
    this.#all.delete(worker);
  }

  async #start(): Promise<void> {
    this.#coming += 1;
    try {
      await this.#startWorking();
    } catch (error) {
      this.#setup.events.broken(error);
    } finally {
      this.#coming -= 1;
    }
    this.pump();
  }

  async #startWorking(): Promise<void> {
    const { events } = this.#setup;
    const worker = await this.#nextWorking();
    try {
      await worker.ready();
      this.#compiling.delete(worker);
      if (this.#closing.signal.aborted) return;
      this.#failedStarts = 0;
      this.#working.add(worker);
      events.ready();
    } catch (error) {
      await this.end(worker);
      this.#failedStarts += 1;
      if (!worker.hasFailedToStart || this.#failedStarts >= mostFailedStarts) throw error;
      await passed(pauseAfter(this.#failedStarts), undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  /** One that has compiled already, or one that begins to. */
  async #nextWorking(): Promise<ScanWorkerClient<S>> {
    if (this.#closing.signal.aborted) throw new FailureError({ kind: 'cancelled' });
    const { events, fileMs, startScanWorker, program } = this.#setup;
    const current = program();
    const kept = current === this.#first ? await this.#keptWorker() : null;
    const worker: ScanWorkerClient<S> = this.#client(kept ?? startScanWorker(), {
      program: current,
      fileMs,
      events: {
        result: events.result,
        idle: () => this.pump(),
        ended: (end) => void this.#ended(worker, end),
        defect: events.broken,
      },
    });
    if (kept === null) this.#setup.compiles?.();
    this.#compiling.add(worker);
    return worker;
  }

  /** From an earlier session. @throws FailureError `cancelled` when this was closed meanwhile */
  async #keptWorker(): Promise<WarmWorker | null> {
    const { warm, digest, compiles } = this.#setup;
    const taken = warm?.take(digest) ?? null;
    if (warm === undefined || taken === null) return null;
    if (!taken.hasCompiled) compiles?.();
    const kept = await taken.worker;
    if (!this.#closing.signal.aborted) return kept;
    if (kept !== null) warm.keep(digest, kept.worker, Promise.resolve(kept));
    throw new FailureError({ kind: 'cancelled' });
  }

  /** The processor it had is the search's meanwhile. */
  async #ended(worker: ScanWorkerClient<S>, end: WorkerEnd<S>): Promise<void> {
    const { events } = this.#setup;
    this.#coming += 1;
    try {
      await Promise.all([this.end(worker), events.ended(end)]);
    } catch (error) {
      events.broken(error);
    } finally {
      this.#coming -= 1;
    }
    this.pump();
  }

  #give(worker: ScanWorkerClient<S>): void {
    const { queue, workers, recycleAfter } = this.#setup;
    if (!worker.hasSpace || !this.#isCurrent(worker)) return;
    const tasks = queue.take({ most: recycleAfter - worker.count, workers, isAhead: !worker.isIdle });
    if (tasks.length > 0) worker.give(tasks);
    if (queue.length > 0 && worker.count + replaceAhead >= recycleAfter) this.#replace(worker);
  }

  #replace(worker: ScanWorkerClient<S>): void {
    if (this.#replaced.has(worker)) return;
    this.#replaced.add(worker);
    void this.#start();
  }

  #isCurrent({ program, count, isSpent }: ScanWorkerClient<S>): boolean {
    return !isSpent && program === this.#setup.program() && count < this.#setup.recycleAfter;
  }

  /** It takes no more, and has nothing left. */
  #isSpent(worker: ScanWorkerClient<S>): boolean {
    return worker.isIdle && !this.#isCurrent(worker);
  }

  #retire(worker: ScanWorkerClient<S>): void {
    this.end(worker).catch(this.#setup.events.broken);
  }
}
