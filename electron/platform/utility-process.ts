import { endRequest } from '../../shared/end-request.ts';
import type { HostProcess } from './platform.ts';

const killAfterMs = 5_000;

/** What this needs of Electron's `UtilityProcess`. */
export interface UtilityProcessPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

/** A process that Electron runs for us. `patienceMs` is how long it may take to end when asked. */
export function utilityHostProcess(child: UtilityProcessPort, patienceMs = killAfterMs): HostProcess {
  let killed = false;
  let isGone = false;
  const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => {
    isGone = true;
    resolve(killed ? null : code);
  }));
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void gone.then(listener),
    stop: async () => {
      if (isGone) return;
      child.postMessage(endRequest);
      const timer = setTimeout(() => {
        killed = true;
        child.kill();
      }, patienceMs);
      await gone;
      clearTimeout(timer);
    },
  };
}
