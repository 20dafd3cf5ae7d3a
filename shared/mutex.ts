import { FailureError } from './failure.ts';

/** What is needed of an AbortSignal: shared code knows neither Node nor the DOM. */
interface Abortable {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Runs pieces of work one at a time, in the order of the calls. One that fails rejects its own call alone. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves when what was given so far is over. */
  async idle(): Promise<void> {
    await this.#last;
  }

  /** As `run`. Rejects at once with `cancelled` when it is given up before its turn. */
  async runUnlessAborted<T>(signal: Abortable, work: () => Promise<T>): Promise<T> {
    const { promise: begun, resolve: begin, reject } = Promise.withResolvers<void>();
    const cancel = (): void => reject(new FailureError({ kind: 'cancelled' }));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    void this.run(() => {
      begin();
      return over;
    });
    try {
      await begun;
      signal.removeEventListener('abort', cancel);
      return await work();
    } finally {
      signal.removeEventListener('abort', cancel);
      end();
    }
  }
}

/** A mutex for each key, there while it is used. */
export class KeyedMutex {
  readonly #mutexes = new Map<string, { mutex: Mutex; users: number }>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#mutexes.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.#mutexes.set(key, entry);
    entry.users += 1;
    try {
      return await entry.mutex.run(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#mutexes.delete(key);
    }
  }

  /** Resolves when what was given so far is over. */
  async idle(): Promise<void> {
    await Promise.all([...this.#mutexes.values()].map(({ mutex }) => mutex.idle()));
  }
}
