import { type BigIntStats, statSync } from 'node:fs';
import { fail } from '../../shared/failure.ts';

const lookEveryMs = 2_000;

export interface DataPlaceOptions {
  directory: string;
  /** A file in it that is open as long as the program runs. */
  file: string;
  /** The file whose lock says that the directory is this program's. */
  lockFile: string;
  /** Called when it goes, when it is back, and when it is lost. */
  onChange(): void;
  /** Called once, when it is not this program's any more. Nothing must be written from then on. */
  onLost(): void;
}

/** `lost`: it is there, and nothing keeps another program from it. That one may have written: there is no way back. */
type State = 'there' | 'gone' | 'lost';

/**
 * Whether the data directory is still where it was, and this program's. A folder can be renamed, deleted or unmounted
 * under a running program; the system then takes what is written into files that are open, and nobody finds it again.
 * The lock is on the file and not on its name: who removes the file lets a second program in, and the first still holds
 * a lock that nobody asks for.
 */
export class DataPlace {
  readonly #options: DataPlaceOptions;
  readonly #file: OpenedFile;
  readonly #lockFile: OpenedFile;
  readonly #timer: NodeJS.Timeout;
  #state: State = 'there';
  #wasLost = false;

  /** Throws the system's error when a file is not there now. */
  constructor(options: DataPlaceOptions) {
    this.#options = options;
    this.#file = new OpenedFile(options.file);
    this.#lockFile = new OpenedFile(options.lockFile);
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref();
  }

  /** Takes some microseconds. Fails with `data-gone` or `data-not-held`. */
  requireThere(): void {
    const { directory, lockFile } = this.#options;
    const state = this.#look();
    if (state === 'gone') fail({ kind: 'data-gone', path: directory });
    if (state === 'lost') fail({ kind: 'data-not-held', path: lockFile });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): State {
    const before = this.#state;
    const state = this.#find();
    this.#state = state;
    if (state !== before) this.#options.onChange();
    if (state === 'lost') this.#lose();
    return state;
  }

  #lose(): void {
    if (this.#wasLost) return;
    this.#wasLost = true;
    this.#options.onLost();
  }

  #find(): State {
    if (!this.#file.isThere()) return 'gone';
    if (this.#wasLost) return 'lost';
    if (this.#lockFile.isThere()) return 'there';
    // The directory may have gone in between, and the lock file with it.
    return this.#file.isThere() ? 'lost' : 'gone';
  }
}

/** A file as it was found: another one of its name is not it. */
class OpenedFile {
  readonly #path: string;
  readonly #opened: BigIntStats;

  constructor(path: string) {
    this.#path = path;
    this.#opened = statSync(path, { bigint: true });
  }

  isThere(): boolean {
    try {
      const found = statSync(this.#path, { bigint: true });
      // Some network mounts number the same file anew.
      return (
        found.ino === this.#opened.ino || (found.birthtimeNs !== 0n && found.birthtimeNs === this.#opened.birthtimeNs)
      );
    } catch {
      // Whatever the reason: it cannot be written there.
      return false;
    }
  }
}
