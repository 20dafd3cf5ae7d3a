import type { SystemThread } from './processor-use.ts';

/**
 * A thread or a process that scans, as its session sees it. Messages pass as JSON values, but for what a thread shares.
 * It has one user at a time: a listener takes the place of the one before.
 */
export interface ScanWorker {
  post(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /**
   * Called once when it is gone, killed or not, also when it is gone already; `how` is for a sentence: `exit code 1:
   * Error: no disk`. `isTooLarge`: it took more memory than its limit.
   */
  onExit(listener: (how: string, isTooLarge?: boolean) => void): void;
  /** At once, whatever it is doing. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** A scan worker that has compiled a program and is idle. */
export interface WarmWorker {
  worker: ScanWorker;
  /** In which it scans. */
  thread: SystemThread | null;
  /** Orders that it was given so far. */
  count: number;
}

/** Where a session gets scan workers that have compiled its program, and leaves them for the next session. */
export interface WarmWorkers {
  /** `lane`: at once where it has compiled; null after all where it ended before. */
  take(digest: string): { hasCompiled: boolean; worker: Promise<WarmWorker | null> } | null;
  /** How many have compiled it, or are about to. */
  count(digest: string): number;
  /** `warm` resolves when the scan worker has compiled, with null when it cannot be used again. */
  keep(digest: string, worker: ScanWorker, warm: Promise<WarmWorker | null>): void;
}

/** The session as a scan worker sees it: a `MessagePort` is one. */
export interface ScanPort {
  postMessage(message: object): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}
