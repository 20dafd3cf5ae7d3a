import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { VariableTexts } from '../engine/scan-engine.ts';
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
  /** `worker`: at once where it has compiled; null after all where it ended before. */
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

/** Messages from a session to a scan worker. It does one thing after the other. */
export type ToScanWorker<S> =
  /** Whether the native engine is there. */
  | { kind: 'check' }
  /** MiB of memory that its process may take from now on. */
  | { kind: 'limit'; memoryMebibytes: number }
  /** A part of the rules; what was compiled before is forgotten with the first one. */
  | { kind: 'source'; text: string }
  /** A part of the rules that ask for a variable, and of what they need: again, to be compiled by themselves. */
  | { kind: 'asking'; text: string }
  /**
   * `reported`: rules to report; null: all. `asking`: those whose hits depend on a variable. `typed`: one of them needs
   * the type of the file. `stringsFirst`: a condition is compiled when a string of its rule was found.
   */
  | {
      kind: 'compile';
      engine: LocalEngine;
      variables: readonly RuleVariable[];
      asking: readonly string[];
      typed: boolean;
      stringsFirst: boolean;
      reported: readonly string[] | null;
    }
  | { kind: 'scan'; orders: WorkerOrder<S>[] };

/** A scan worker gets messages only from the program it is a part of. */
export const isToScanWorker = <S>(message: unknown): message is ToScanWorker<S> =>
  typeof message === 'object' && message !== null && 'kind' in message;

export interface WorkerOrder<S> {
  source: S;
  sizeBytes: number;
  /** Texts of variables, once for each name that the file has; the scan worker itself knows its type. */
  variables: readonly VariableTexts[];
}

/** A session does not hear more often than this of what takes long. */
export const resultsEveryMs = 200;
/** Reading these takes a while by itself. */
export const largeBytes = 8 * 1024 * 1024;

export interface ScanLimits {
  /** A file that takes longer to be scanned is given up. Reading it has as long once more. */
  fileSeconds: number;
  /**
   * Of one process, in MiB. One that takes more is ended: its file is given up, or the rule that takes so much is left
   * out. A thread has none.
   */
  memoryMebibytes: number;
  /** Scans in one process of the portable engine, which never gives memory back: some 100 KiB each. */
  recycleAfter: number;
}

export const scanLimits: ScanLimits = { fileSeconds: 30, memoryMebibytes: 2048, recycleAfter: 1000 };
