import { FailureError } from '../../shared/failure.ts';
import { LabError } from './errors.ts';

export interface Closable {
  close(): Promise<void>;
}

interface Kept<S> {
  id: string;
  scanner: Promise<S>;
  users: number;
  idle: NodeJS.Timeout | null;
  ending: Promise<void> | null;
}

/**
 * Keeps the scanner that was used last: until it was idle for so long, or another took its place and nobody uses it any
 * more.
 */
export class KeptScanner<S extends Closable> {
  readonly #idleMs: number;
  readonly #live = new Set<Kept<S>>();
  #last: Kept<S> | null = null;
  #isClosed = false;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /**
   * Does something with the scanner of this id, which is opened where it is not at hand. One that cannot be opened is
   * not used again, nor one whose work fails with anything but a LabError.
   * @throws FailureError `cancelled` once this is closed
   */
  async use<T>(id: string, open: () => Promise<S>, work: (scanner: S) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new FailureError({ kind: 'cancelled' });
    const kept = this.#take(id, open);
    try {
      return await work(await kept.scanner);
    } catch (error) {
      if (!(error instanceof LabError) && this.#last === kept) this.#last = null;
      throw error;
    } finally {
      kept.users -= 1;
      if (kept.users === 0) await this.#rest(kept);
    }
  }

  /** Those in use are closed too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live].map((kept) => this.#end(kept)));
  }

  #take(id: string, open: () => Promise<S>): Kept<S> {
    const before = this.#last;
    const kept = before?.id === id ? before : this.#opened(id, open());
    kept.users += 1;
    if (kept.idle !== null) clearTimeout(kept.idle);
    kept.idle = null;
    if (before !== null && before !== kept && before.users === 0) void this.#end(before);
    return kept;
  }

  #opened(id: string, scanner: Promise<S>): Kept<S> {
    const kept: Kept<S> = { id, scanner, users: 0, idle: null, ending: null };
    this.#last = kept;
    this.#live.add(kept);
    return kept;
  }

  async #rest(kept: Kept<S>): Promise<void> {
    if (this.#last !== kept) return this.#end(kept);
    kept.idle = setTimeout(() => void this.#end(kept), this.#idleMs).unref();
  }

  #end(kept: Kept<S>): Promise<void> {
    if (kept.idle !== null) clearTimeout(kept.idle);
    if (this.#last === kept) this.#last = null;
    return (kept.ending ??= this.#closed(kept));
  }

  async #closed(kept: Kept<S>): Promise<void> {
    const scanner = await kept.scanner.catch(() => null);
    await scanner?.close();
    this.#live.delete(kept);
  }
}
