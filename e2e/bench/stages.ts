import { type Heap, type HeapClient, heapOf } from './heap.ts';
import { forgetPeak, peakResidentMiB } from './peak-resident.ts';
import { longestOf, noStretch, type Stretch } from './stretch.ts';
import type { WatchedProgram } from './watched-host.ts';

/** The time of some work of a program, its standstills and its memory, without what looking at its heap costs. */
export class Stages {
  readonly #watched: WatchedProgram;
  readonly #client: HeapClient;
  readonly #begun = performance.now();
  #lookedMs = 0;
  #longest: Stretch = noStretch;
  #peakMiB: number | null = null;

  private constructor(watched: WatchedProgram, client: HeapClient) {
    this.#watched = watched;
    this.#client = client;
  }

  static async begin(watched: WatchedProgram): Promise<Stages> {
    const client = await watched.inspected();
    // Until now it had to do with what was before.
    await watched.standstill();
    return new Stages(watched, client);
  }

  /** Since it began. */
  get seconds(): number {
    return (performance.now() - this.#begun - this.#lookedMs) / 1000;
  }

  async heap(): Promise<Heap> {
    const begun = performance.now();
    await this.#note();
    const heap = await heapOf(this.#client);
    await forgetPeak(this.#watched.program.pid);
    await this.#watched.standstill();
    this.#lookedMs += performance.now() - begun;
    return heap;
  }

  /** Until now. */
  async over(): Promise<{ seconds: number; standstill: Stretch; residentMiB: number | null }> {
    const { seconds } = this;
    await this.#note();
    return { seconds, standstill: this.#longest, residentMiB: this.#peakMiB };
  }

  async #note(): Promise<void> {
    const [standstill, peakMiB] = [await this.#watched.standstill(), await peakResidentMiB(this.#watched.program.pid)];
    this.#longest = longestOf([this.#longest, standstill]);
    this.#peakMiB = peakMiB === null ? null : Math.max(peakMiB, this.#peakMiB ?? 0);
  }
}
