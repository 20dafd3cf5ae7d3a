import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { programOf, type RuleProgram } from '../../rules/scanning/rule-program.ts';
import { scanLimits } from '../../rules/scanning/scan-limits.ts';
import { openScanSession, type ScanSession } from '../../rules/scanning/scan-session.ts';
import type { RulePieces } from '../../rules/rule-library.ts';
import { requireEngine } from './engine-choice.ts';
import type { NativeEngine } from './native-engine.ts';
import type { ReadyLanes } from './ready-lanes.ts';
import type { ScanSource } from './read-scan-source.ts';

export interface LocalScannerOptions {
  native: Pick<NativeEngine, 'check'>;
  settings(): Pick<Settings, 'scanEngine' | 'scanSeconds'>;
  lanes: Pick<ReadyLanes, 'prepare' | 'take'>;
}

export interface LocalScanRequest {
  pieces: RulePieces;
  /** Those to look with; null: all. */
  names: ReadonlySet<string> | null;
  /** How many files wait to be scanned. */
  files: number;
  signal: AbortSignal;
  /** What the person should know of the job as a whole. */
  notice(failure: Failure): void;
}

/** An engine with its rules, ready to scan. */
export interface LocalScanner {
  engine: LocalEngine;
  /** Rules whose hits count. */
  reported: readonly string[];
  /** Those of them that are still looked with: while it scans, some may be left out. */
  lookedWith: ReadonlySet<string>;
  /** Global rules that it does not look with any more: those that they bind may hit where they should not. */
  globalsLeftOut: ReadonlySet<string>;
  session: ScanSession<ScanSource>;
}

/** A file at a time for each: two, as many as the smallest machine of the field has processors. */
export const lanesAtOnce = 2;

/**
 * Opens the engine that the settings ask for. A package that the native engine does not take is scanned with the other one, which says so.
 * @throws FailureError `native-engine-missing`; `native-engine-refused` where only that one may be used
 */
export async function openLocalScanner(options: LocalScannerOptions, request: LocalScanRequest): Promise<LocalScanner> {
  const { scanEngine } = options.settings();
  const engine = await requireEngine(options.native, scanEngine);
  try {
    return await openWith(engine, options, request);
  } catch (error) {
    const isRefusal = error instanceof FailureError && error.failure.kind === 'native-engine-refused';
    if (!isRefusal || scanEngine === 'native') throw error;
    request.notice(error.failure);
    return openWith('wasm', options, request);
  }
}

async function openWith(engine: LocalEngine, { lanes, settings }: LocalScannerOptions, { pieces, names, files, signal, notice }: LocalScanRequest): Promise<LocalScanner> {
  const program = programOf(pieces, names);
  const lookedWith = new Set(program.reported);
  const leftOut = new Set<string>();
  const globalsLeftOut = new Set<string>();
  const session = await openScanSession<ScanSource>({
    program, engine, signal,
    startLane: () => lanes.take(),
    lanes: Math.max(1, Math.min(lanesAtOnce, files)),
    limits: { ...scanLimits, fileSeconds: settings().scanSeconds },
    leftOut: (rule, reason) => {
      lookedWith.delete(rule);
      for (const global of globalsWithout(program, leftOut.add(rule))) globalsLeftOut.add(global);
      notice({ kind: 'scan-rule-left-out', rule, reason });
    },
  });
  return { engine, reported: program.reported, lookedWith, globalsLeftOut, session };
}

/** Global rules that cannot be looked with without these: themselves, and those that use them. */
function globalsWithout({ pieces }: RuleProgram, leftOut: ReadonlySet<string>): string[] {
  const left = new Set(programOf(pieces, null, leftOut).pieces.rules);
  const guards = new Set(pieces.rules.flatMap((rule) => rule.guards ?? []));
  return pieces.rules.filter((rule) => (rule.isGlobal || guards.has(rule.name)) && !left.has(rule)).map(({ name }) => name);
}
