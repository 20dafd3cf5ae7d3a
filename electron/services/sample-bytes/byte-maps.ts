import type { ByteMap } from '../../../shared/domain/byte-view.ts';
import { fail } from '../../../shared/failure.ts';

/** A map is at most 1.5 KB. */
const keptMaps = 32;
/** Whoever walks through a list of files does not want the map of one that was walked past. */
const wantedMaps = 3;

export type MakeMap = (isStopped: () => boolean) => Promise<ByteMap>;

/** Maps by the SHA-256 of their file, made one after the other. */
export class ByteMaps {
  /** Those used last are at the end. */
  readonly #made = new Map<string, Promise<ByteMap>>();
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #isClosed = false;

  /** @throws FailureError `cancelled` when three others were wanted after it, and what `make` throws */
  of(sha256: string, make: MakeMap): Promise<ByteMap> {
    const map = this.#made.get(sha256) ?? this.#next(sha256, make);
    this.#made.delete(sha256);
    this.#made.set(sha256, map);
    const [oldest] = this.#made.keys();
    if (oldest !== undefined && this.#made.size > keptMaps) this.#made.delete(oldest);
    return map;
  }

  /** Gives up those that are not made yet. */
  close(): void {
    this.#isClosed = true;
  }

  #next(sha256: string, make: MakeMap): Promise<ByteMap> {
    this.#asked += 1;
    const number = this.#asked;
    const isStopped = (): boolean => this.#isClosed || this.#asked - number >= wantedMaps;
    const map = this.#last.then(() => (isStopped() ? fail({ kind: 'cancelled' }) : make(isStopped)));
    const forget = (): void => {
      if (this.#made.get(sha256) === map) this.#made.delete(sha256);
    };
    // Whoever asked for it is told why it failed; the next one is made all the same.
    this.#last = map.catch(forget);
    return map;
  }
}
