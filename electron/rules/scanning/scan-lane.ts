import type { SystemThread } from './processor-use.ts';

/**
 * A thread or a process that scans, as its session sees it. Messages pass as JSON values, but for what a thread shares.
 * It has one user at a time: a listener takes the place of the one before.
 */
export interface ScanLane {
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

/** A lane that has compiled a program and is idle. */
export interface WarmLane {
  lane: ScanLane;
  /** In which it scans. */
  thread: SystemThread | null;
  /** Orders that it was given so far. */
  count: number;
}

/** Where a session gets lanes that have compiled its program, and leaves them for the next session. */
export interface WarmLanes {
  /** `lane`: at once where it has compiled; null after all where it ended before. */
  take(digest: string): { hasCompiled: boolean; lane: Promise<WarmLane | null> } | null;
  /** How many have compiled it, or are about to. */
  count(digest: string): number;
  /** `warm` resolves when the lane has compiled, with null when it cannot be used again. */
  keep(digest: string, lane: ScanLane, warm: Promise<WarmLane | null>): void;
}

/** A lane as it sees its session: a `MessagePort` is one. */
export interface ScanPort {
  postMessage(message: object): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}
