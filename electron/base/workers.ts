import { constants, setPriority } from 'node:os';
import { extname } from 'node:path';
import { platform } from 'node:process';
import { Worker } from 'node:worker_threads';

export interface WorkerStart {
  /** Without its ending: `.ts` in the sources, `.js` where it was built. */
  entry: string;
  /** `import.meta.url` of the module that asks: the entry lies beside it. */
  beside: string;
  /**
   * It is over, asked for or not: an error's own code, `crashed` where it has none, or `exit` and a number. An error is
   * followed by an exit.
   */
  onEnd(code: string): void;
  workerData?: unknown;
  /**
   * For a thread whose large answers are garbage at once: so many MiB of it, and not some tens, before it is collected.
   */
  youngMiB?: number;
}

/** Starts a thread of the host. It takes no options of the process: a worker is not debugged, and reads no input. */
export function startWorker({ entry, beside, onEnd, workerData, youngMiB }: WorkerStart): Worker {
  const worker = new Worker(new URL(`${entry}${extname(beside)}`, beside), {
    execArgv: [],
    stdin: false,
    workerData,
    ...(youngMiB !== undefined && { resourceLimits: { maxYoungGenerationSizeMb: youngMiB } }),
  });
  worker.on('error', (error) => onEnd(codeOf(error)));
  worker.on('exit', (code) => onEnd(`exit ${code}`));
  return worker;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'crashed';
}

const callingThread = 0;

/**
 * Lets the host's own thread go first where there are fewer processors than threads with work: it answers the page,
 * and a thread that hashes has time. To be called from the thread itself. On Linux a priority belongs to a thread
 * (setpriority(2), "C library/kernel differences"); elsewhere it is the whole program's, which is not meant.
 */
export function lowerPriority(): void {
  if (platform === 'linux') setPriority(callingThread, constants.priority.PRIORITY_BELOW_NORMAL);
}
