import { ppid } from 'node:process';
import { startWorker } from './worker-start.ts';

/**
 * Ends this process when the one that started it is gone: a thread of its own looks every second, because the main one
 * may be in native code that never returns, where it hears of nothing. Where the system gives an orphan no other
 * parent, as on Windows, it goes on.
 */
export function endWithParent(): void {
  startWorker({ entry: './parent-watch-worker', beside: import.meta.url, workerData: ppid, onEnd: () => undefined }).unref();
}
