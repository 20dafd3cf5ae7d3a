import { isDeepStrictEqual } from 'node:util';
import type { ActiveItem, Job, JobStep } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';
import type { StoredJob } from './job-store.ts';
import type { JobClock } from './job-work.ts';

type Throughput = Job['throughput'];

const mostValues = 240;

/** How fast a job was, over its whole running time, in a bounded number of values: a full line is halved. */
export class ThroughputLine {
  #secondsEach: number;
  #values: number[];
  #bytes = 0;
  #ms = 0;

  constructor({ secondsEach, values }: Throughput) {
    this.#secondsEach = secondsEach;
    this.#values = [...values];
  }

  get value(): Throughput {
    return { secondsEach: this.#secondsEach, values: [...this.#values] };
  }

  /** So much more came in so many more milliseconds of running time. */
  add(bytes: number, ms: number): void {
    this.#bytes += bytes;
    this.#ms += ms;
    const each = this.#secondsEach * 1000;
    const whole = Math.floor(this.#ms / each);
    if (whole === 0) return;
    const perSecond = Math.round((this.#bytes * 1000) / this.#ms);
    this.#bytes = 0;
    this.#ms = 0;
    // A computer that slept may owe hours: they are no more than one line.
    for (let value = 0; value < Math.min(whole, mostValues); value += 1) this.#push(perSecond);
  }

  #push(value: number): void {
    if (this.#values.length >= mostValues) this.#halve();
    this.#values.push(value);
  }

  #halve(): void {
    const pairs = Array.from({ length: Math.ceil(this.#values.length / 2) }, (_, pair) =>
      this.#values.slice(pair * 2, pair * 2 + 2),
    );
    this.#values = pairs.map((pair) => Math.round(pair.reduce((sum, value) => sum + value, 0) / pair.length));
    this.#secondsEach *= 2;
  }
}

const windowMs = 2_000;

/** Bytes a second over the last two seconds. Times in milliseconds, from any steady clock. */
export class TransferRate {
  #points: { at: number; bytes: number }[] = [];

  add(at: number, bytes: number): void {
    this.#points.push({ at, bytes });
    while (this.#points.length > 2 && at - (this.#points[1]?.at ?? at) >= windowMs) this.#points.shift();
    if (this.#points.length > 200)
      this.#points = this.#points.filter((_, index) => index % 2 === 0 || index === this.#points.length - 1);
  }

  perSecond(now: number): number {
    const first = this.#points[0];
    const last = this.#points.at(-1);
    if (!first || !last || now <= first.at) return 0;
    // A transfer that began again has fewer.
    return (Math.max(0, last.bytes - first.bytes) * 1000) / (now - first.at);
  }
}

/** What is only true while a job runs. */
export type LiveFacts = Pick<Job, 'bytesPerSecond' | 'secondsLeft' | 'active' | 'step'>;
/** What a run adds to a job beside its items; saved from time to time. */
export type Progress = Pick<StoredJob, 'bytes' | 'expectedBytes' | 'throughput' | 'notices' | 'noticeCount'>;

export const atRest: LiveFacts = { bytesPerSecond: 0, secondsLeft: null, active: [] };

const mostActive = 16;
export const mostNotices = 20;

/** Measures one run of a job. */
export class JobMeter {
  readonly #clock: JobClock;
  readonly #before: StoredJob;
  readonly #line: ThroughputLine;
  readonly #rate = new TransferRate();
  readonly #active = new Map<number, ActiveItem>();
  readonly #startedAt: number;
  readonly #notices: Failure[];
  #noticeCount: number;
  #step: JobStep | null = null;
  #bytes = 0;
  #expectedBytes: number | null = null;
  #settled = 0;
  #tickedAt: number;
  #tickedBytes = 0;

  constructor(job: StoredJob, clock: JobClock) {
    this.#clock = clock;
    this.#before = job;
    this.#line = new ThroughputLine(job.throughput);
    this.#notices = [...job.notices];
    this.#noticeCount = job.noticeCount;
    this.#startedAt = clock.now();
    this.#tickedAt = this.#startedAt;
    this.#rate.add(this.#startedAt, 0);
  }

  get progress(): Progress {
    return {
      bytes: this.#before.bytes + this.#bytes,
      expectedBytes: this.#expectedBytes === null ? null : this.#before.bytes + this.#expectedBytes,
      throughput: this.#line.value,
      notices: [...this.#notices],
      noticeCount: this.#noticeCount,
    };
  }

  /** `waiting`: how many items have no outcome yet. */
  live(waiting: number): LiveFacts {
    const bytesPerSecond = this.#rate.perSecond(this.#clock.now());
    return {
      bytesPerSecond,
      secondsLeft: this.#secondsLeft(waiting, bytesPerSecond),
      active: [...this.#active.values()].slice(0, mostActive),
      ...(this.#step !== null && { step: this.#step }),
    };
  }

  moved(bytes: number): void {
    this.#bytes += bytes;
    this.#rate.add(this.#clock.now(), this.#bytes);
  }

  expect(bytes: number | null): void {
    this.#expectedBytes = bytes;
  }

  active(position: number, item: ActiveItem | null): void {
    if (item) this.#active.set(position, item);
    else this.#active.delete(position);
  }

  step(step: JobStep | null): void {
    this.#step = step;
  }

  settled(positions: readonly number[]): void {
    this.#settled += positions.length;
    for (const position of positions) this.#active.delete(position);
  }

  tallied(items: number): void {
    this.#settled += items;
  }

  /** What an earlier run of the job said already is not said again. */
  notice(failure: Failure): void {
    if (this.#before.notices.some((one) => isDeepStrictEqual(one, failure))) return;
    this.#noticeCount += 1;
    if (this.#notices.length < mostNotices) this.#notices.push(failure);
  }

  /** Draws the line on; called about once a second, and when the run is over. */
  tick(): void {
    const now = this.#clock.now();
    this.#line.add(this.#bytes - this.#tickedBytes, now - this.#tickedAt);
    this.#tickedAt = now;
    this.#tickedBytes = this.#bytes;
  }

  #secondsLeft(waiting: number, bytesPerSecond: number): number | null {
    if (this.#expectedBytes !== null)
      return bytesPerSecond > 0 ? Math.max(0, this.#expectedBytes - this.#bytes) / bytesPerSecond : null;
    const seconds = (this.#clock.now() - this.#startedAt) / 1000;
    return this.#settled > 0 && seconds > 0 ? (waiting * seconds) / this.#settled : null;
  }
}
