import { setTimeout as passed } from 'node:timers/promises';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { FailureError } from '../../../shared/failure.ts';
import { LaneClient, type LaneEnd, type LaneEvents, type LaneSetup } from './lane-client.ts';
import type { RuleProgram } from './rule-program.ts';
import type { ScanLane, WarmLane, WarmLanes } from './scan-lane.ts';
import type { TaskQueue } from './task-queue.ts';

export interface PoolSetup<S> {
  engine: LocalEngine;
  startLane(): ScanLane;
  warm?: WarmLanes | undefined;
  /** Of the program that the session began with: lanes of another one are neither taken from `warm` nor left there. */
  digest: string;
  compiles?(): void;
  lanes: number;
  fileMs: number;
  memoryMebibytes: number;
  /** Of the workspace. */
  variables: readonly RuleVariable[];
  /** Scans of one lane. */
  recycleAfter: number;
  queue: TaskQueue<S>;
  /** What lanes are to look with now; one that looks with another one is replaced. */
  program(): RuleProgram;
  events: PoolEvents<S>;
}

export interface PoolEvents<S> {
  result: LaneEvents<S>['result'];
  /** A lane is there. */
  ready(): void;
  /** One ended that should not have. Another takes its place when the promise is settled. */
  ended(end: LaneEnd<S>): Promise<void>;
  /** There are no lanes to be had. */
  broken(error: unknown): void;
}

/** So many scans before a lane is ended, the next one is started. */
const replaceAhead = 64;
/** In a row. */
const mostFailedStarts = 4;
/** In milliseconds: what keeps an engine from starting may pass, and does not at once. */
const pauseAfter = (failedStarts: number): number => 250 * 2 ** (failedStarts - 1);

/** Keeps so many lanes busy with what is in the queue. */
export class LanePool<S> {
  readonly #setup: PoolSetup<S>;
  readonly #all = new Set<LaneClient<S>>();
  readonly #working = new Set<LaneClient<S>>();
  /** Those that compile, to work afterwards. */
  readonly #compiling = new Set<LaneClient<S>>();
  readonly #first: RuleProgram;
  /** Those whose successor is there, or on its way. */
  readonly #replaced = new WeakSet<LaneClient<S>>();
  /** Lanes that are being started, and places of those that ended until it is known what is to become of that. */
  #coming = 0;
  #failedStarts = 0;
  readonly #closing = new AbortController();

  constructor(setup: PoolSetup<S>) {
    this.#setup = setup;
    this.#first = setup.program();
  }

  /** Starts lanes where there are too few, and gives each what it has room for. */
  pump(): void {
    if (this.#closing.signal.aborted) return;
    for (const lane of this.#working) if (this.#isSpent(lane)) this.#retire(lane);
    while (this.#working.size + this.#coming < this.#setup.lanes) void this.#start();
    // No lane has its next before each has its first.
    for (const lane of this.#working) if (lane.isIdle) this.#give(lane);
    for (const lane of this.#working) if (!lane.isIdle) this.#give(lane);
  }

  /** Resolves when all are gone. `keeps`: but for those that are left to the next session. */
  async close(keeps = false): Promise<void> {
    this.#closing.abort();
    if (keeps) for (const lane of [...this.#working, ...this.#compiling]) this.#leave(lane);
    await Promise.all([...this.#all].map((lane) => lane.close()));
  }

  /**
   * A lane of its own, not one of those that are kept busy. To be ended with `end`. @throws FailureError `cancelled`
   * once this is closed
   */
  startClient(program: RuleProgram, fileMs: number, events: LaneEvents<S>): LaneClient<S> {
    if (this.#closing.signal.aborted) throw new FailureError({ kind: 'cancelled' });
    return this.#client(this.#setup.startLane(), { program, fileMs, events });
  }

  #client(lane: LaneSetup<S>['lane'], rest: Pick<LaneSetup<S>, 'program' | 'fileMs' | 'events'>): LaneClient<S> {
    const client = new LaneClient<S>({
      lane,
      engine: this.#setup.engine,
      variables: this.#setup.variables,
      memoryMebibytes: this.#setup.memoryMebibytes,
      ...rest,
    });
    this.#all.add(client);
    return client;
  }

  #leave(lane: LaneClient<S>): void {
    const { warm, digest } = this.#setup;
    if (warm === undefined || !this.#isCurrent(lane) || lane.program !== this.#first) return;
    const left = lane.handOver();
    if (left === null) return;
    this.#all.delete(lane);
    warm.keep(digest, left.lane, left.warm);
  }

  async end(lane: LaneClient<S>): Promise<void> {
    this.#working.delete(lane);
    this.#compiling.delete(lane);
    await lane.close();
    this.#all.delete(lane);
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
    const lane = await this.#nextWorking();
    try {
      await lane.ready();
      this.#compiling.delete(lane);
      if (this.#closing.signal.aborted) return;
      this.#failedStarts = 0;
      this.#working.add(lane);
      events.ready();
    } catch (error) {
      await this.end(lane);
      this.#failedStarts += 1;
      if (!lane.hasFailedToStart || this.#failedStarts >= mostFailedStarts) throw error;
      await passed(pauseAfter(this.#failedStarts), undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  /** One that has compiled already, or one that begins to. */
  async #nextWorking(): Promise<LaneClient<S>> {
    if (this.#closing.signal.aborted) throw new FailureError({ kind: 'cancelled' });
    const { events, fileMs, startLane, program } = this.#setup;
    const current = program();
    const kept = current === this.#first ? await this.#keptLane() : null;
    const lane: LaneClient<S> = this.#client(kept ?? startLane(), {
      program: current,
      fileMs,
      events: {
        result: events.result,
        idle: () => this.pump(),
        ended: (end) => void this.#ended(lane, end),
        defect: events.broken,
      },
    });
    if (kept === null) this.#setup.compiles?.();
    this.#compiling.add(lane);
    return lane;
  }

  /** From an earlier session. @throws FailureError `cancelled` when this was closed meanwhile */
  async #keptLane(): Promise<WarmLane | null> {
    const { warm, digest, compiles } = this.#setup;
    const taken = warm?.take(digest) ?? null;
    if (warm === undefined || taken === null) return null;
    if (!taken.hasCompiled) compiles?.();
    const kept = await taken.lane;
    if (!this.#closing.signal.aborted) return kept;
    if (kept !== null) warm.keep(digest, kept.lane, Promise.resolve(kept));
    throw new FailureError({ kind: 'cancelled' });
  }

  /** The processor it had is the search's meanwhile. */
  async #ended(lane: LaneClient<S>, end: LaneEnd<S>): Promise<void> {
    const { events } = this.#setup;
    this.#coming += 1;
    try {
      await Promise.all([this.end(lane), events.ended(end)]);
    } catch (error) {
      events.broken(error);
    } finally {
      this.#coming -= 1;
    }
    this.pump();
  }

  #give(lane: LaneClient<S>): void {
    const { queue, lanes, recycleAfter } = this.#setup;
    if (!lane.hasRoom || !this.#isCurrent(lane)) return;
    const tasks = queue.take({ most: recycleAfter - lane.count, lanes, isAhead: !lane.isIdle });
    if (tasks.length > 0) lane.give(tasks);
    if (queue.length > 0 && lane.count + replaceAhead >= recycleAfter) this.#replace(lane);
  }

  #replace(lane: LaneClient<S>): void {
    if (this.#replaced.has(lane)) return;
    this.#replaced.add(lane);
    void this.#start();
  }

  #isCurrent({ program, count, isSpent }: LaneClient<S>): boolean {
    return !isSpent && program === this.#setup.program() && count < this.#setup.recycleAfter;
  }

  /** It takes no more, and has nothing left. */
  #isSpent(lane: LaneClient<S>): boolean {
    return lane.isIdle && !this.#isCurrent(lane);
  }

  #retire(lane: LaneClient<S>): void {
    this.end(lane).catch(this.#setup.events.broken);
  }
}
