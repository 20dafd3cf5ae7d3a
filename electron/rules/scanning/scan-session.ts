import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { FileFacts } from './file-variables.ts';
import { LaneClient } from './lane-client.ts';
import { LaneSession } from './lane-session.ts';
import type { RuleProgram } from './rule-program.ts';
import { programDigest } from './post-program.ts';
import type { ScanLane, WarmLanes } from './scan-lane.ts';
import { type ScanLimits, scanLimits } from './scan-limits.ts';
import type { ScanVerdict } from './scan-verdict.ts';

export interface ScanSessionOptions {
  program: RuleProgram;
  engine: LocalEngine;
  /** That the workspace defines. */
  variables?: readonly RuleVariable[];
  startLane(): ScanLane;
  /**
   * Compiled lanes are taken from there first, and left there by a session that ends well. Without it they end with the
   * session.
   */
  warm?: WarmLanes;
  /** A lane begins to compile the program before the session is ready. */
  compiles?(): void;
  /** How many scan at the same time. All are started at once. */
  lanes: number;
  limits?: Partial<ScanLimits>;
  signal: AbortSignal;
  /**
   * This rule keeps the engine from ending, ends it, or takes too much memory: from now on it is looked without it, and
   * without rules that use it, which are told too.
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
  /** What the lane's reader is handed: a JSON value, or in a thread what can be cloned. */
  source: S;
}

export interface ScanSession<S> {
  /**
   * May be called many times at once. Rejects with `cancelled` after the signal or `close`, and where there can be no
   * engine any more.
   */
  scan(order: ScanOrder<S>): Promise<ScanVerdict>;
  /** Resolves when another order is welcome. Rejects as `scan` does. */
  room(): Promise<void>;
  /** What is under way still is cancelled. Resolves when every lane is gone, or left to the next session. */
  close(): Promise<void>;
}

/**
 * Compiles the program in its lanes; resolves when one is ready.
 * @throws FailureError `native-engine-refused`, `scan-engine-failed`, `cancelled`
 */
export async function openScanSession<S>({ limits, ...options }: ScanSessionOptions): Promise<ScanSession<S>> {
  const digest =
    options.warm === undefined ? '' : await programDigest(options.engine, options.program, options.variables ?? []);
  const session = new LaneSession<S>({ ...options, limits: { ...scanLimits, ...limits } }, digest);
  try {
    await session.ready();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Lanes compile the program for the sessions that come, unless so many do already. Resolves when they have been told
 * it.
 */
export async function compileAhead({
  program,
  engine,
  variables = [],
  warm,
  startLane,
  lanes,
  memoryMebibytes,
}: Pick<ScanSessionOptions, 'program' | 'engine' | 'variables' | 'startLane' | 'lanes'> &
  Pick<ScanLimits, 'memoryMebibytes'> & { warm: WarmLanes }): Promise<void> {
  const digest = await programDigest(engine, program, variables);
  for (let there = warm.count(digest); there < lanes; there += 1) {
    const client = new LaneClient<never>({
      lane: startLane(),
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
    if (left !== null) warm.keep(digest, left.lane, left.warm);
  }
}

/** Of a lane that is given nothing. */
const noEvents = { result: () => undefined, idle: () => undefined, ended: () => undefined, defect: () => undefined };
