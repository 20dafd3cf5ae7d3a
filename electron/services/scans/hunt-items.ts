import type { JobItem } from '../../../shared/domain/job.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import type { HuntPass } from '../../storage/scans/scan-store.ts';

/** The items of a hunt that wait, pass by pass. */
export class HuntItems {
  readonly #work: Pick<JobWork, 'take'>;
  readonly #passes: readonly HuntPass[];
  /** Taken from the job, and not from here yet. */
  #ahead: JobItem[] = [];

  constructor(work: Pick<JobWork, 'take'>, passes: readonly HuntPass[]) {
    this.#work = work;
    this.#passes = passes;
  }

  /** The pass of the next item; null: there is none, or the run is to stop. */
  next(): HuntPass | null {
    if (this.#ahead.length === 0) this.#ahead = this.#work.take(1);
    const [first] = this.#ahead;
    return first === undefined ? null : (this.#passes.find(({ upTo }) => first.position <= upTo) ?? null);
  }

  /** The next ones of this pass. */
  take({ upTo }: HuntPass, count: number): JobItem[] {
    if (this.#ahead.length < count) this.#ahead = [...this.#ahead, ...this.#work.take(count - this.#ahead.length)];
    const end = this.#ahead.findIndex(({ position }) => position > upTo);
    return this.#ahead.splice(0, Math.min(count, end < 0 ? this.#ahead.length : end));
  }
}
