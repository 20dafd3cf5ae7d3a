import type { BundleReading } from '../../archive/bundle/bundle-opening.ts';

const everyBytes = 4 * 2 ** 20;

/** How far a reading is, told every few megabytes. */
export class ShownNowAndThen {
  readonly #reading: Pick<BundleReading, 'readBytes'>;
  readonly #shown: () => void;
  #shownBytes = 0;

  constructor(reading: Pick<BundleReading, 'readBytes'>, shown: () => void) {
    this.#reading = reading;
    this.#shown = shown;
  }

  now(): void {
    if (this.#reading.readBytes - this.#shownBytes < everyBytes) return;
    this.#shownBytes = this.#reading.readBytes;
    this.#shown();
  }
}
