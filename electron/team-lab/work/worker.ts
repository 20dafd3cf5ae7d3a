import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { FailureError } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import { OperatorError } from '../../lab/errors.ts';
import { type LabScanLimits, usualScanLimits } from '../../lab/scan-file.ts';
import { type Stores, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { Hunts, OpenPiece, PieceProgress, PieceSample } from './hunts.ts';
import {
  RulesUnusable,
  type SampleOutcome,
  SampleReader,
  type SampleRead,
  SampleScanner,
  smallBytes,
} from './piece-scanner.ts';
import { type RequestOutcome, RequestTrack } from './request-track.ts';
import type { ScanRequests } from './scan-requests.ts';
import { heartbeatMs, type PieceJob, type PieceName, type RequestJob, type ScanQueue } from './scan-queue.ts';
import { StoreAccess } from './store-access.ts';

export interface WorkerOptions {
  stores: Stores;
  hunts: Hunts;
  requests: ScanRequests;
  queue: ScanQueue;
  /** How many jobs at a time. Each track has an engine of its own. */
  tracks: number;
  limits?: LabScanLimits;
  /** Fails where the store of the samples refuses this process, or does not answer it. */
  probeStore(): Promise<void>;
  /** Takes servers that are away, and defects. */
  report(error: unknown): void;
  /** Called when what was found in some samples is kept. */
  kept(piece: PieceName, progress: PieceProgress): void;
  /** Called when the file of a client is scanned, or will not be. */
  answered(outcome: RequestOutcome): void;
  /** Called when no file of a client is taken any more, because the store cannot be used, and when they are again. */
  paused(why: unknown): void;
  resumed(): void;
}

/** How long a process without jobs waits until it looks for one again. */
const pollMs = 500;
/** What is found is kept so often: a cancelled hunt ends as fast, and a worker that is killed loses no more. */
const keepEveryMs = 1_000;
/** Samples that are read while one is scanned. */
const readAhead = 4;
/** A sample that ended its worker so often is given up. */
const mostTries = 2;
const longestWaitMs = 30_000;

type Ending = 'over' | 'moved' | 'stopped';

/** Takes jobs of one queue, some at a time, until it is closed. It has no state of its own. */
export class ScanWorkers {
  readonly #options: WorkerOptions;
  readonly #id = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`;
  readonly #stopping = new AbortController();
  readonly #killing = new AbortController();
  readonly #tracks: Promise<void>[];
  readonly #alive: NodeJS.Timeout;
  readonly #access: StoreAccess;
  /** One note at a time, so that the one of the last word comes last. */
  readonly #notes = new Mutex();
  #notesLeft = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const signals = { stopping: this.#stopping.signal, killing: this.#killing.signal };
    this.#access = new StoreAccess({
      probe: () => options.probeStore(),
      lost: (why) => {
        options.paused(why);
        this.#note();
      },
      found: () => {
        options.resumed();
        this.#note();
      },
    });
    const shared = { access: this.#access, turns: new RequestTurns(options.queue, this.#access) };
    this.#tracks = Array.from({ length: options.tracks }, () => new Track(options, signals, shared).run());
    this.#note();
    this.#alive = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  #beat(): void {
    if (this.#access.isLost) void this.#access.check();
    // Where the database takes longer than the time between two, they must not become more and more.
    if (this.#notesLeft === 0) this.#note();
  }

  #note(): void {
    const { hunts, requests, tracks, report } = this.#options;
    this.#notesLeft += 1;
    const note = async (): Promise<void> => {
      const takesRequests = !this.#stopping.signal.aborted && !this.#access.isLost;
      await hunts.noteAlive(this.#id, tracks, takesRequests);
      await requests.removeExpired();
    };
    void this.#notes
      .run(note)
      .catch(report)
      .finally(() => (this.#notesLeft -= 1));
  }

  /** Samples that are being scanned may end within the time, in milliseconds. What is not done is left to others. */
  async close(graceMs: number): Promise<void> {
    this.#stopping.abort();
    // Labs give it no other request from now on.
    this.#note();
    const over = Promise.all(this.#tracks);
    const timer = setTimeout(() => this.#killing.abort(), graceMs);
    await over;
    clearTimeout(timer);
    clearInterval(this.#alive);
    // Written later, it would have labs wait for a worker that is gone.
    await this.#notes.idle();
    await this.#options.hunts.noteGone(this.#id).catch(this.#options.report);
  }
}

interface Signals {
  /** No other sample is begun. */
  stopping: AbortSignal;
  /** What runs is given up. */
  killing: AbortSignal;
}

/** Requests for the tracks of a process, of which one looks for a job at a time. */
export class RequestTurns extends Mutex {
  readonly #queue: Pick<ScanQueue, 'takeRequest'>;
  readonly #access: Pick<StoreAccess, 'isLost'>;
  #lookedAt = -Infinity;

  constructor(queue: Pick<ScanQueue, 'takeRequest'>, access: Pick<StoreAccess, 'isLost'>) {
    super();
    this.#queue = queue;
    this.#access = access;
  }

  /** For a track without work. */
  async take(): Promise<RequestJob | null> {
    if (this.#access.isLost) return null;
    this.#lookedAt = performance.now();
    const job = await this.#queue.takeRequest();
    // Behind one there may be others.
    if (job !== null) this.#lookedAt = -Infinity;
    return job;
  }

  /** For a track in the middle of a hunt: when it finds none, it looks no more often than one without work. */
  async takeBetween(): Promise<RequestJob | null> {
    return performance.now() - this.#lookedAt < pollMs ? null : this.take();
  }
}

/** What the tracks of a process share. */
interface SharedByTracks {
  access: StoreAccess;
  turns: RequestTurns;
}

class Track {
  readonly #options: WorkerOptions;
  readonly #signals: Signals;
  readonly #access: StoreAccess;
  readonly #turns: RequestTurns;
  readonly #requests: RequestTrack;
  readonly #scanner: SampleScanner;
  readonly #reader: SampleReader;

  constructor(options: WorkerOptions, signals: Signals, { access, turns }: SharedByTracks) {
    const { stores, limits = usualScanLimits } = options;
    this.#options = options;
    this.#signals = signals;
    this.#access = access;
    this.#turns = turns;
    this.#scanner = new SampleScanner(stores, { limits, signal: signals.killing });
    this.#reader = new SampleReader(stores, limits);
    const { killing } = signals;
    this.#requests = new RequestTrack({ ...options, limits, access, reader: this.#reader, killing });
  }

  async run(): Promise<void> {
    for (;;) {
      const job = await this.#turns.run(() => this.#next());
      if (job === null) break;
      await ('request' in job ? this.#requests.work(job) : this.#work(job));
    }
    await this.#requests.close();
    await this.#scanner.close();
  }

  /** Waits for one. Null: there is to be no other. */
  async #next(): Promise<PieceJob | RequestJob | null> {
    while (!this.#signals.stopping.aborted) {
      const job = await this.#take();
      if (job !== null) return job;
      await this.#pause(pollMs);
    }
    return null;
  }

  /** Clients wait for requests: they come before hunts. */
  async #take(): Promise<PieceJob | RequestJob | null> {
    try {
      return await this.#patiently(async () => (await this.#turns.take()) ?? this.#options.queue.take());
    } catch (error) {
      if (!this.#signals.stopping.aborted) this.#options.report(error);
      return null;
    }
  }

  async #work(job: PieceJob): Promise<void> {
    const { hunts, queue, report } = this.#options;
    const claim = new HeldClaim(queue, job, report);
    try {
      if ((await this.#untilOver(job, claim)) === 'stopped') await hunts.handBack(job);
    } catch (error) {
      // Its silence gives the job to another where this cannot.
      if (isCancelled(error) && this.#signals.killing.aborted) await hunts.handBack(job).catch(report);
      else if (error instanceof RulesUnusable) await this.#endHunt(job, error);
      else {
        report(error);
        await queue.fail(job, error instanceof Error ? error.message : 'unknown').catch(report);
      }
    } finally {
      claim.end();
      this.#reader.rest();
    }
  }

  /** Another worker would fail as well. */
  async #endHunt(job: PieceJob, error: RulesUnusable): Promise<void> {
    const { hunts, report } = this.#options;
    report(error);
    await this.#patiently(() => hunts.fail(job, error.message)).catch(report);
  }

  async #untilOver(job: PieceJob, claim: HeldClaim): Promise<'over' | 'stopped'> {
    const { hunts } = this.#options;
    while (!claim.isLost) {
      const piece = await this.#patiently(() => hunts.open(job.piece));
      if (piece === null) {
        await this.#patiently(() => hunts.complete(job));
        return 'over';
      }
      const ending = job.isLost ? await this.#giveUp(job, piece) : await this.#scan(job, piece, claim);
      if (ending !== 'moved') return ending;
    }
    return 'over';
  }

  /** What is left of a piece that no worker finishes. */
  async #giveUp(job: PieceJob, piece: OpenPiece): Promise<Ending> {
    const { hunts } = this.#options;
    const samples = await this.#patiently(() => hunts.samples(piece));
    const part = new Part();
    for (const { id } of samples)
      part.add(id, { rules: [], failure: 'Its part of the hunt failed too often.', leftOut: [] });
    return (await this.#keep(job, piece.reached, part.progress(piece.upto, true))) ? 'over' : 'moved';
  }

  async #scan(job: PieceJob, piece: OpenPiece, claim: HeldClaim): Promise<Ending> {
    const samples = await this.#patiently(() => this.#options.hunts.samples(piece));
    // A worker ended in the middle: what it was at is noted from now on, to find the sample that ends workers.
    const isCareful = job.retries > 0;
    const outcomes = this.#outcomes(job, piece.publication, samples, isCareful);
    let { reached } = piece;
    let part = new Part();
    for await (const { sample, outcome } of outcomes) {
      part.add(sample, outcome);
      await this.#answerBetween();
      const isStopped = this.#signals.stopping.aborted;
      if (sample === samples.at(-1)?.id || !(isCareful || isStopped || part.isDue || claim.isLost)) continue;
      if (claim.isLost) return 'over';
      if (!(await this.#keep(job, reached, part.progress(sample, false)))) return 'moved';
      if (isStopped) return 'stopped';
      reached = sample;
      part = new Part();
    }
    return (await this.#keep(job, reached, part.progress(piece.upto, true))) ? 'over' : 'moved';
  }

  /** A client does not wait until a piece of a hunt is over. */
  async #answerBetween(): Promise<void> {
    if (this.#signals.stopping.aborted) return;
    try {
      const job = await this.#turns.takeBetween();
      if (job !== null) await this.#requests.work(job);
    } catch (error) {
      // The hunt finds out by itself whether the servers are away.
      this.#options.report(error);
    }
  }

  /** Some are read ahead, so that the engine does not wait for the store. */
  async *#outcomes(
    { piece }: PieceJob,
    publication: string,
    samples: readonly PieceSample[],
    isCareful: boolean,
  ): AsyncGenerator<{ sample: number; outcome: SampleOutcome }, void, void> {
    const { hunts } = this.#options;
    const reading: Promise<SampleRead>[] = [];
    let next = 0;
    const readNext = (): void => {
      const sample = samples[next];
      if (sample === undefined) return;
      next += 1;
      const read = this.#patiently(() => this.#reader.read(sample));
      // It is awaited in its turn, or not at all.
      read.catch(() => {});
      reading.push(read);
    };
    const isSmall = (at: number): boolean => (samples[at]?.sizeBytes ?? 0) <= smallBytes;
    for (const [at, { id, name }] of samples.entries()) {
      const tries = isCareful ? await this.#patiently(() => hunts.noteTrying(piece, id)) : 1;
      if (next === at) readNext();
      while (!isCareful && next < samples.length && next - at <= readAhead && isSmall(at) && isSmall(next)) readNext();
      const read = (await reading.shift()) ?? { failure: 'It was not read.' };
      const outcome =
        tries > mostTries
          ? failed(`It ended its worker ${mostTries} times.`)
          : 'failure' in read
            ? failed(read.failure)
            : await this.#scanned(publication, name, read.bytes);
      if ('release' in read) read.release();
      yield { sample: id, outcome };
    }
  }

  /** The rules are read from the store, which may be away: a piece has only so many tries. */
  #scanned(publication: string, name: string, bytes: Uint8Array): Promise<SampleOutcome> {
    return this.#patiently(() => this.#scanner.scan(publication, name, bytes));
  }

  async #keep(job: PieceJob, from: number, progress: PieceProgress): Promise<boolean> {
    const isKept = await this.#patiently(() => this.#options.hunts.advance(job, from, progress));
    if (isKept) this.#options.kept(job.piece, progress);
    return isKept;
  }

  /** A server that is away comes back: until then, or until this worker is to end, the same is tried again. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let waitMs = pollMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
      try {
        return await work();
      } catch (error) {
        const isAway = error instanceof StoreUnavailable || error instanceof OperatorError;
        if (!isAway || this.#signals.stopping.aborted) throw error;
        this.#options.report(error);
        // In the middle of a piece it would not find out otherwise, and clients would wait for this process.
        await this.#access.check();
        await this.#pause(waitMs);
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    // It ends early where the worker is to end.
    await delay(milliseconds, undefined, { signal: this.#signals.stopping }).catch(() => {});
  }
}

const failed = (failure: string): SampleOutcome => ({ rules: [], failure, leftOut: [] });

const isCancelled = (error: unknown): boolean => error instanceof FailureError && error.failure.kind === 'cancelled';

/** Reports to the queue that a job is being worked at, until it ends. */
class HeldClaim {
  readonly #timer: NodeJS.Timeout;
  #isLost = false;

  constructor(queue: ScanQueue, job: PieceJob, report: (error: unknown) => void) {
    this.#timer = setInterval(() => {
      queue.isStillOurs(job).then((isOurs) => (this.#isLost ||= !isOurs), report);
    }, heartbeatMs).unref();
  }

  /** Another worker has the job now. */
  get isLost(): boolean {
    return this.#isLost;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** What was found since it was kept last. */
class Part {
  readonly #since = performance.now();
  readonly #hits: { sample: number; rule: string }[] = [];
  readonly #failures: { sample: number; reason: string }[] = [];
  readonly #leftOut = new Set<string>();
  #scanned = 0;

  add(sample: number, { rules, failure, leftOut }: SampleOutcome): void {
    for (const rule of rules) this.#hits.push({ sample, rule });
    for (const rule of leftOut) this.#leftOut.add(rule);
    if (failure === null) this.#scanned += 1;
    else this.#failures.push({ sample, reason: failure });
  }

  get isDue(): boolean {
    return performance.now() - this.#since >= keepEveryMs;
  }

  progress(reached: number, isLast: boolean): PieceProgress {
    return {
      reached,
      scanned: this.#scanned,
      hits: this.#hits,
      failures: this.#failures,
      leftOut: [...this.#leftOut],
      isLast,
    };
  }
}
