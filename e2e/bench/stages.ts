import { type Heap, type HeapDoor, heapOf } from './heap.ts';
import { longestOf, noStretch, type Stretch } from './stretch.ts';
import type { WatchedHost } from './watched-host.ts';

/** The time of some work of a host, and its standstills, without those that looking at its heap makes. */
export class Stages {
  readonly #host: Pick<WatchedHost, 'standstill'>;
  readonly #door: HeapDoor;
  readonly #begun = performance.now();
  #lookedMs = 0;
  #longest: Stretch = noStretch;

  private constructor(host: Pick<WatchedHost, 'standstill'>, door: HeapDoor) {
    this.#host = host;
    this.#door = door;
  }

  static async begin(host: Pick<WatchedHost, 'standstill' | 'inspected'>): Promise<Stages> {
    const door = await host.inspected();
    // Until now it had to do with what was before.
    await host.standstill();
    return new Stages(host, door);
  }

  /** Since it began. */
  get seconds(): number {
    return (performance.now() - this.#begun - this.#lookedMs) / 1000;
  }

  async heap(): Promise<Heap> {
    const begun = performance.now();
    this.#longest = longestOf([this.#longest, await this.#host.standstill()]);
    const heap = await heapOf(this.#door);
    await this.#host.standstill();
    this.#lookedMs += performance.now() - begun;
    return heap;
  }

  async standstill(): Promise<Stretch> {
    return longestOf([this.#longest, await this.#host.standstill()]);
  }
}
