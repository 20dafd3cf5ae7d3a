import { systemErrorCode } from '../../shared/disk-failure.ts';
import { endRequest } from '../../shared/domain/process-end.ts';
import type { HostProcess } from './platform.ts';
import { StderrTail } from './process.ts';

const killAfterMs = 5_000;

/** What this needs of Electron's `UtilityProcess`. */
export interface UtilityProcessPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  once(event: 'spawn', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  kill(): boolean;
  /** Null when it was not started with a pipe for it. */
  readonly stderr: NodeJS.ReadableStream | null;
  /** Undefined before it was spawned. */
  readonly pid: number | undefined;
}

export interface EndingOptions {
  /** How long it may take to end by itself, in milliseconds. */
  patienceMs?: number;
  /** Ends a process that listens to nothing. Electron's own `kill` is a request, on POSIX SIGTERM. */
  killAtOnce?(pid: number): void;
}

/** A process that Electron runs for us. */
export function utilityHostProcess(
  child: UtilityProcessPort,
  { patienceMs = killAfterMs, killAtOnce = killProcess }: EndingOptions = {},
): HostProcess {
  let killed = false;
  let isGone = false;
  // Out of memory, it reports so before it exits. Node throws an event without a listener, and the host would end with
  // it.
  child.on('error', () => {});
  const words = new StderrTail(child.stderr);
  const gone = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      isGone = true;
      resolve(killed ? null : code);
    }),
  );
  const end = gone.then(async (code) => ({ code, signal: null, lastWords: await words.read() }));
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void end.then(listener),
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
    kill: async () => {
      if (isGone) return;
      killed = true;
      if (child.pid === undefined) child.once('spawn', () => child.pid !== undefined && killAtOnce(child.pid));
      else killAtOnce(child.pid);
      await gone;
    },
  };
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It went by itself meanwhile.
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}
