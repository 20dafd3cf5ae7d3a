import type { Job } from '../../shared/domain/job.ts';

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
