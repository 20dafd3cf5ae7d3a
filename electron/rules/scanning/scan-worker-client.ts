import { assertNever } from '../../../shared/assert-never.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { FailureError } from '../../../shared/failure.ts';
import { engineNames } from '../engine/scan-engine.ts';
import { postProgram } from './post-program.ts';
import type { SystemThread } from './processor-use.ts';
import { reportedIdentifiers, type RuleProgram } from './rule-program.ts';
import type { ScanTask } from './task-queue.ts';
import { SilenceWatch, WorkerClock } from './worker-clock.ts';
import { largeBytes, resultsEveryMs, type ScanWorker, type ToScanWorker, type WarmWorker } from './worker-messages.ts';
import { fromScanWorker, type FromScanWorker, type WorkerResult } from './worker-reply.ts';

/** How a scan worker ended unexpectedly. */
export interface WorkerEnd<S> {
  kind: 'slow' | 'died' | 'memory';
  /** Of what it ended. */
  text: string;
  /**
   * Given to it together with what it was busy with, that included: the first is it, unless there were results that had
   * not left.
   */
  suspects: ScanTask<S>[];
  /** What it looked with. */
  program: RuleProgram;
  /** Given to it after those. */
  others: ScanTask<S>[];
  /** It was slow in reading. */
  wasReading: boolean;
}

export interface WorkerEvents<S> {
  result(task: ScanTask<S>, result: WorkerResult): void;
  /** After results: it can take more. */
  idle(): void;
  /** It was ready, and now it is over; before that, `ready` rejects. */
  ended(end: WorkerEnd<S>): void;
  /** Something that means nothing to a person. */
  defect(error: Error): void;
}

export interface WorkerSetup<S> {
  /** A warm one has compiled the program already. */
  worker: ScanWorker | WarmWorker;
  engine: LocalEngine;
  program: RuleProgram;
  /** Of the workspace. */
  variables: readonly RuleVariable[];
  fileMs: number;
  memoryMebibytes: number;
  events: WorkerEvents<S>;
}

/** Messages that a scan worker has before it needs them. */
const mostAhead = 2;
/** In `signs`: what the scan worker does. */
const phases = { waits: 0, compiles: 1, reads: 2, scans: 3 } as const;
/** A sign of life may be this late: results are reported this rarely. */
const lateMs = resultsEveryMs + 100;

const compileMs = ({ pieces }: RuleProgram): number => 30_000 + 10 * pieces.rules.length;

/** A scan worker as a session uses it. */
export class ScanWorkerClient<S> {
  readonly program: RuleProgram;
  /** Rejects, with why, when nothing more comes of it. */
  readonly stopped: Promise<never>;
  readonly #stopped = Promise.withResolvers<never>();
  readonly #worker: ScanWorker;
  readonly #engine: LocalEngine;
  readonly #variables: readonly RuleVariable[];
  readonly #events: WorkerEvents<S>;
  readonly #reported: ReadonlySet<string>;
  readonly #signs = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #clock = new WorkerClock();
  readonly #watch: SilenceWatch;
  readonly #ready = Promise.withResolvers<void>();
  #given: ScanTask<S>[][] = [];
  #count = 0;
  #thread: SystemThread | null = null;
  #isReady = false;
  #hasFailedToStart = false;
  #isOver = false;
  #isSpent = false;

  constructor({ worker, engine, program, variables, fileMs, memoryMebibytes, events }: WorkerSetup<S>) {
    this.program = program;
    this.stopped = this.#stopped.promise;
    this.#worker = 'worker' in worker ? worker.worker : worker;
    this.#engine = engine;
    this.#variables = variables;
    this.#events = events;
    this.#reported = new Set(reportedIdentifiers(program));
    const allowed: Record<number, number> = {
      [phases.compiles]: compileMs(program),
      [phases.reads]: fileMs + lateMs,
      [phases.scans]: fileMs + lateMs,
    };
    this.#watch = new SilenceWatch(
      this.#signs,
      (phase) => allowed[phase] ?? Infinity,
      () => this.#end('slow', 'it took too long'),
      (passedMs) => this.#clock.counted(passedMs),
    );
    if ('worker' in worker) this.#compiled(worker.thread, worker.count);
    this.#worker.onMessage((message) => this.#heard(message));
    this.#worker.onExit((how, isTooLarge = false) =>
      isTooLarge
        ? this.#end('memory', `it took more than ${memoryMebibytes} MiB of memory`)
        : this.#end('died', `it ended (${how})`),
    );
    this.#worker.post({ kind: 'limit', memoryMebibytes } satisfies ToScanWorker<S>);
    // There may be no caller.
    this.#ready.promise.catch(() => undefined);
    this.stopped.catch(() => undefined);
  }

  /**
   * Resolves when the program is compiled. @throws FailureError `native-engine-refused`, `scan-engine-failed`,
   * `cancelled` when it was closed
   */
  async ready(): Promise<void> {
    if (this.#isReady) return;
    this.#enter(phases.compiles);
    await postProgram(this.#worker, this.#engine, this.program, this.#variables);
    return this.#ready.promise;
  }

  /** It ended, or took too long, before it had compiled anything: another one may do better. */
  get hasFailedToStart(): boolean {
    return this.#hasFailedToStart;
  }

  /** Orders it was given so far. */
  get count(): number {
    return this.#count;
  }

  /** It has taken memory that only its end gives back: it is to be given nothing more. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  get isIdle(): boolean {
    return this.#given.length === 0;
  }

  get hasSpace(): boolean {
    return !this.#isOver && this.#given.length < mostAhead;
  }

  give(tasks: ScanTask<S>[]): void {
    if (this.#given.length === 0) this.#enter(phases.reads);
    this.#given.push(tasks);
    this.#count += tasks.length;
    const orders = tasks.map(({ order: { source, sizeBytes }, variables }) => ({ source, sizeBytes, variables }));
    this.#worker.post({ kind: 'scan', orders } satisfies ToScanWorker<S>);
  }

  /**
   * Passes the scan worker to another user, which receives its messages from now on. Null where it is over or busy: the
   * caller then closes it.
   */
  handOver(): { worker: ScanWorker; warm: Promise<WarmWorker | null> } | null {
    if (this.#isOver || this.#given.length > 0) return null;
    const warm = this.#ready.promise.then(
      () => this.#let(),
      () => null,
    );
    return { worker: this.#worker, warm };
  }

  #let(): WarmWorker | null {
    if (this.#isOver) return null;
    this.#stop(new FailureError({ kind: 'cancelled' }));
    return { worker: this.#worker, thread: this.#thread, count: this.#count };
  }

  /** Its orders are forgotten: none of their results is reported. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#stop(new FailureError({ kind: 'cancelled' }));
    await this.#worker.kill();
  }

  #heard(message: unknown): void {
    if (this.#isOver) return;
    const read = fromScanWorker.safeParse(message);
    if (read.success) return this.#understood(read.data);
    this.#end('died', 'unexpected output from the scan process');
  }

  #understood(message: FromScanWorker): void {
    switch (message.kind) {
      case 'compiled':
        return this.#compiled(message.thread, 0);
      case 'refused':
        return this.#stop(this.#refusal(message.text));
      case 'read':
        return this.#enter(phases.scans);
      case 'compiling':
        return this.#enter(phases.compiles);
      case 'results':
        this.#isSpent ||= message.isSpent === true;
        return this.#results(message.results);
      case 'broke':
        return this.#end('died', message.text);
      case 'defect':
        return this.#defect(new Error(message.text));
      case 'checked':
        return;
      default:
        return assertNever(message);
    }
  }

  #compiled(thread: SystemThread | null, count: number): void {
    this.#isReady = true;
    this.#thread = thread;
    this.#count = count;
    this.#clock.follow(thread);
    this.#enter(phases.waits);
    this.#ready.resolve();
  }

  #results(results: readonly WorkerResult[]): void {
    for (const result of results) {
      const task = this.#given[0]?.[0];
      if (task === undefined || this.#namesOthers(result)) return this.#end('died', 'more output than requested');
      this.#given[0]?.shift();
      if (this.#given[0]?.length === 0) this.#given.shift();
      this.#events.result(task, result);
    }
    this.#enter(this.#given.length === 0 ? phases.waits : phases.reads);
    this.#events.idle();
  }

  /** It names a rule that it was not to report. */
  #namesOthers(result: WorkerResult): boolean {
    return (
      typeof result === 'object' && 'found' in result && result.found.some(({ rule }) => !this.#reported.has(rule))
    );
  }

  #enter(phase: number): void {
    Atomics.store(this.#signs, 1, phase);
    Atomics.add(this.#signs, 0, 1);
  }

  #end(kind: WorkerEnd<S>['kind'], text: string): void {
    if (this.#isOver) return;
    const [suspects = [], ...others] = this.#given;
    const wasReading =
      kind === 'slow' &&
      suspects.length === 1 &&
      (suspects[0]?.order.sizeBytes ?? 0) >= largeBytes &&
      Atomics.load(this.#signs, 1) === phases.reads;
    this.#hasFailedToStart = !this.#isReady && kind !== 'memory';
    // Before all else: those that wait for either learn this first.
    if (this.#isReady)
      this.#events.ended({ kind, text, program: this.program, suspects, others: others.flat(), wasReading });
    this.#stop(this.#refusal(text));
  }

  #defect(error: Error): void {
    this.#stop(error);
    this.#events.defect(error);
  }

  #stop(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#given = [];
    this.#watch.end();
    this.#ready.reject(error);
    this.#stopped.reject(error);
  }

  /** The other engine may take them. */
  #refusal(text: string): FailureError {
    return new FailureError(
      this.#engine === 'native'
        ? { kind: 'native-engine-refused', text }
        : { kind: 'scan-engine-failed', engine: engineNames.wasm, text },
    );
  }
}
