import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { FileFacts } from './file-variables.ts';
import { ScanWorkerClient } from './scan-worker-client.ts';
import { ScanWorkerSession } from './scan-worker-session.ts';
import type { RuleProgram } from './rule-program.ts';
import { programDigest } from './post-program.ts';
import type { ScanWorker, WarmWorkers } from './scan-worker.ts';
import { type ScanLimits, scanLimits } from './scan-limits.ts';
import type { ScanVerdict } from './scan-verdict.ts';

export interface ScanSessionOptions {
  program: RuleProgram;
  engine: LocalEngine;
  /** That the workspace defines. */
  variables?: readonly RuleVariable[];
  startScanWorker(): ScanWorker;
  /**
   * Compiled scan workers are taken from there first, and left there by a session that ends well. Without it they end
   * with the session.
   */
  warm?: WarmWorkers;
  /** A scan worker begins to compile the program before the session is ready. */
  compiles?(): void;
  /** How many scan at the same time. All are started at once. */
  workers: number;
  limits?: Partial<ScanLimits>;
  signal: AbortSignal;
  /**
   * This rule keeps the engine from ending, ends it, or takes too much memory: from now on scans run without it, and
   * without rules that use it, which are reported too.
   */
  leftOut(rule: string, reason: LeftOutReason): void;
}

export type LeftOutReason = 'endless' | 'deadly' | 'memory';

export interface ScanOrder<S> {
  /** As a failure names it. */
  name: string;
  /** What rules may ask for; not there: the name alone is known. */
  facts?: readonly FileFacts[];
  sizeBytes: number;
  /** The input of the scan worker's reader: a JSON value, or in a thread what can be cloned. */
  source: S;
}

export interface ScanSession<S> {
  /**
   * May be called many times at once. Rejects with `cancelled` after the signal or `close`, and where there can be no
   * engine any more.
   */
  scan(order: ScanOrder<S>): Promise<ScanVerdict>;
  /** Resolves when another order is welcome. Rejects as `scan` does. */
  waitForSpace(): Promise<void>;
  /** Running scans are cancelled. Resolves when every scan worker is gone, or left to the next session. */
  close(): Promise<void>;
}

/**
 * Compiles the program in its scan workers; resolves when one is ready.
 *
 * @throws FailureError `native-engine-refused`, `scan-engine-failed`, `cancelled`
 */
export async function openScanSession<S>({ limits, ...options }: ScanSessionOptions): Promise<ScanSession<S>> {
  const digest =
    options.warm === undefined ? '' : await programDigest(options.engine, options.program, options.variables ?? []);
  const session = new ScanWorkerSession<S>({ ...options, limits: { ...scanLimits, ...limits } }, digest);
  try {
    await session.ready();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Scan workers compile the program for the sessions that come, unless so many do already. Resolves when they have
 * received it.
 */
export async function compileAhead({
  program,
  engine,
  variables = [],
  warm,
  startScanWorker,
  workers,
  memoryMebibytes,
}: Pick<ScanSessionOptions, 'program' | 'engine' | 'variables' | 'startScanWorker' | 'workers'> &
  Pick<ScanLimits, 'memoryMebibytes'> & { warm: WarmWorkers }): Promise<void> {
  const digest = await programDigest(engine, program, variables);
  for (let there = warm.count(digest); there < workers; there += 1) {
    const client = new ScanWorkerClient<never>({
      worker: startScanWorker(),
      engine,
      program,
      variables,
      fileMs: Infinity,
      memoryMebibytes,
      events: noEvents,
    });
    // What keeps it from compiling is for the session to say that wants it.
    client.ready().catch(() => undefined);
    const left = client.handOver();
    if (left !== null) warm.keep(digest, left.worker, left.warm);
  }
}

/** Of a scan worker that is given nothing. */
const noEvents = { result: () => undefined, idle: () => undefined, ended: () => undefined, defect: () => undefined };
