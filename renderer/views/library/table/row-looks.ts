import type { ByteStrip } from '../../../../shared/domain/byte-classes.ts';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { paced } from '../../../state/pacing.ts';

/** As many as one call takes. */
const atOnce = 100;
/** Rows that a scroll passes are asked for together, or not at all. */
const askedEveryMs = 150;
/** As many strips are remembered: some 200 bytes each. */
const kept = 20_000;

/** How the bytes of rows look. What comes in sight is asked for in batches; what left it before its turn is not. */
export class RowLooks {
  readonly #bridge: Bridge<File>;
  readonly #strips = new Map<string, ByteStrip | null>();
  readonly #listeners = new Set<() => void>();
  readonly #ask: () => void;
  #wanted: readonly string[] = [];

  constructor(bridge: Bridge<File>) {
    this.#bridge = bridge;
    this.#ask = paced(askedEveryMs, () => this.#read());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** null: there is none, or it is not known yet. */
  stripOf(sha256: string): ByteStrip | null {
    return this.#strips.get(sha256) ?? null;
  }

  /** Those in sight: only bytes in the vault can be looked at. */
  want(rows: readonly LibraryRow[]): void {
    this.#wanted = rows.flatMap(({ sha256, vault }) =>
      sha256 !== null && vault === 'held' && !this.#strips.has(sha256) ? [sha256] : [],
    );
    if (this.#wanted.length > 0) this.#ask();
  }

  async #read(): Promise<void> {
    const sha256s = this.#wanted.slice(0, atOnce);
    this.#wanted = this.#wanted.slice(atOnce);
    if (sha256s.length === 0) return;
    const answer = await this.#bridge.call('library.looks', { sha256s: [...sha256s] });
    // A row without its strip still says everything else; the next look at it asks again.
    if (!answer.ok) return;
    for (const { sha256, strip } of answer.value.looks) this.#keep(sha256, strip);
    for (const listener of this.#listeners) listener();
    if (this.#wanted.length > 0) this.#ask();
  }

  #keep(sha256: string, strip: ByteStrip | null): void {
    this.#strips.set(sha256, strip);
    const [oldest] = this.#strips.keys();
    if (this.#strips.size > kept && oldest !== undefined) this.#strips.delete(oldest);
  }
}
