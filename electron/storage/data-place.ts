import { type BigIntStats, statSync } from 'node:fs';
import { fail } from '../../shared/failure.ts';

const lookEveryMs = 2_000;

export interface DataPlaceOptions {
  directory: string;
  /** A file in it that is open as long as the program runs. */
  file: string;
  /** Called when it goes, and when it is back. */
  onChange(): void;
}

/**
 * Whether the data directory is still where it was. A folder can be renamed, deleted or unmounted under a running program; the
 * system then takes what is written into files that are open, and nobody finds it again.
 */
export class DataPlace {
  readonly #options: DataPlaceOptions;
  readonly #opened: BigIntStats;
  readonly #timer: NodeJS.Timeout;
  #isThere = true;

  /** Throws the system's error when the file is not there now. */
  constructor(options: DataPlaceOptions) {
    this.#options = options;
    this.#opened = statSync(options.file, { bigint: true });
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref();
  }

  /** Takes some microseconds. Fails with `data-gone`. */
  requireThere(): void {
    if (!this.#look()) fail({ kind: 'data-gone', path: this.#options.directory });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): boolean {
    const isThere = this.#isSameFile();
    const isNews = isThere !== this.#isThere;
    this.#isThere = isThere;
    if (isNews) this.#options.onChange();
    return isThere;
  }

  #isSameFile(): boolean {
    try {
      const found = statSync(this.#options.file, { bigint: true });
      // Some network mounts number the same file anew.
      return found.ino === this.#opened.ino || (found.birthtimeNs !== 0n && found.birthtimeNs === this.#opened.birthtimeNs);
    } catch {
      // Whatever the reason: it cannot be written there.
      return false;
    }
  }
}
