import { setTimeout as passed } from 'node:timers/promises';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { FailureError } from '../../../shared/failure.ts';
import { LaneClient, type LaneEnd, type LaneEvents } from './lane-client.ts';
import type { RuleProgram } from './rule-program.ts';
import type { ScanLane } from './scan-lane.ts';
import type { TaskQueue } from './task-queue.ts';

export interface PoolSetup<S> {
  engine: LocalEngine;
  startLane(): ScanLane;
  lanes: number;
  fileMs: number;
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
  /** Those whose successor is there, or on its way. */
  readonly #replaced = new WeakSet<LaneClient<S>>();
  /** Lanes that are being started, and places of those that ended until it is known what is to become of that. */
  #coming = 0;
  #failedStarts = 0;
  readonly #closing = new AbortController();

  constructor(setup: PoolSetup<S>) {
    this.#setup = setup;
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

  /** Resolves when all are gone. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#all].map((lane) => lane.close()));
  }

  /** A lane of its own, not one of those that are kept busy. To be ended with `end`. @throws FailureError `cancelled` once this is closed */
  startClient(program: RuleProgram, fileMs: number, events: LaneEvents<S>): LaneClient<S> {
    if (this.#closing.signal.aborted) throw new FailureError({ kind: 'cancelled' });
    const { startLane, engine, variables } = this.#setup;
    const lane = new LaneClient<S>({ lane: startLane(), engine, program, variables, fileMs, events });
    this.#all.add(lane);
    return lane;
  }

  async end(lane: LaneClient<S>): Promise<void> {
    this.#working.delete(lane);
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
    const { events, fileMs, program } = this.#setup;
    const lane: LaneClient<S> = this.startClient(program(), fileMs, {
      result: events.result,
      idle: () => this.pump(),
      ended: (end) => void this.#ended(lane, end),
      defect: events.broken,
    });
    try {
      await lane.ready();
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
