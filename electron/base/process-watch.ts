import { ppid } from 'node:process';
import { startWorker } from './workers.ts';

/** The last words of a process that took more memory than its limit. */
export const memoryWords = 'vitrine: this process took more memory than its limit';

/** A thread that watches its own process, because the main one may be in native code that does not return. */
export interface ProcessWatch {
  /** From now on the process ends, with `memoryWords`, when it takes more memory; looked at ten times a second. */
  limitMemory(mebibytes: number): void;
}

/**
 * Starts the thread. `endsWithParent`: it also ends the process when the one that started it is gone, and checks this
 * every second. Where the system gives an orphan no other parent, as on Windows, that process continues.
 */
export function watchProcess({ endsWithParent }: { endsWithParent: boolean }): ProcessWatch {
  const limit = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  startWorker({
    entry: './process-watch-worker',
    beside: import.meta.url,
    workerData: { parent: endsWithParent ? ppid : null, limit },
    onEnd: () => undefined,
  }).unref();
  return { limitMemory: (mebibytes) => void Atomics.store(limit, 0, mebibytes) };
}
