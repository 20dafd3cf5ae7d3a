import { isDeepStrictEqual } from 'node:util';
import type { ActiveItem, Job, JobStep } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';
import type { JobClock } from './job-clock.ts';
import type { StoredJob } from './job-store.ts';
import { ThroughputLine } from './throughput-line.ts';
import { TransferRate } from './transfer-rate.ts';

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
