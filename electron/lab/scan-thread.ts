import { startWorker } from '../base/workers.ts';
import type { ScanLane } from '../rules/scanning/scan-lane.ts';

/** A thread of the lab that scans. It does not keep the lab from ending. */
export function scanThread(): ScanLane {
  const ended = Promise.withResolvers<string>();
  const worker = startWorker({ entry: './scan-worker', beside: import.meta.url, onEnd: ended.resolve });
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => void ended.promise.then(listener),
    kill: async () => void (await worker.terminate()),
  };
}
