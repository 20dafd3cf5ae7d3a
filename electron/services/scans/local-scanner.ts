import type { JobStep } from '../../../shared/domain/job.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { askingRules } from '../../rules/scanning/asking-rules.ts';
import { programOf, type RuleProgram, withStringsFirst } from '../../rules/scanning/rule-program.ts';
import { scanLimits } from '../../rules/scanning/scan-limits.ts';
import { compileAhead, openScanSession, type ScanSession } from '../../rules/scanning/scan-session.ts';
import type { RulePieces } from '../../rules/rule-library.ts';
import { planEngine, requireEngine } from './engine-choice.ts';
import type { NativeEngine } from './native-engine.ts';
import type { ReadyLanes } from './ready-lanes.ts';
import type { ScanSource } from './read-scan-source.ts';

export interface LocalScannerOptions {
  native: Pick<NativeEngine, 'check'>;
  settings(): Pick<Settings, 'scanEngine' | 'scanSeconds' | 'scanMemoryMebibytes'>;
  lanes: Pick<ReadyLanes, 'prepare' | 'start' | 'take' | 'count' | 'keep'>;
}

export interface LocalScanRequest {
  pieces: RulePieces;
  /** That the workspace defines. */
  variables: readonly RuleVariable[];
  /** Those to look with; null: all. */
  names: ReadonlySet<string> | null;
  /** How many files wait to be scanned. */
  files: number;
  /** Times are compared: one lane has all rules, and the engine that is planned is the only one. */
  isTimed?: boolean;
  signal: AbortSignal;
  /** The rules are being compiled; null: no longer. */
  step(step: JobStep | null): void;
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
  /** Rules whose hits count, by the variable that they depend on. */
  asked: ReadonlyMap<string, ReadonlySet<string>>;
  /** Variables that the workspace has a text for where a scan knows none. */
  defaults: ReadonlySet<string>;
  session: ScanSession<ScanSource>;
}

/** A file at a time for each: two, as many as the smallest machine of the field has processors. */
export const lanesAtOnce = 2;
/**
 * For up to so many files conditions are compiled when a string of their rule is found: that is ready in a third of the
 * time, and takes half of the memory, but a file in which strings are found is scanned twice.
 */
const mostFilesFirst = 500;

/**
 * Opens the engine that the settings ask for. A package that the native engine does not take is scanned with the other
 * one, which says so.
 * @throws FailureError `native-engine-missing`; `native-engine-refused` where only that one may be used
 */
export async function openLocalScanner(options: LocalScannerOptions, request: LocalScanRequest): Promise<LocalScanner> {
  const { scanEngine } = options.settings();
  const engine = await requireEngine(options.native, scanEngine);
  try {
    return await openWith(engine, options, request);
  } catch (error) {
    const isRefusal = error instanceof FailureError && error.failure.kind === 'native-engine-refused';
    if (!isRefusal || scanEngine === 'native' || request.isTimed === true) throw error;
    request.notice(error.failure);
    return openWith('wasm', options, request);
  }
}

async function openWith(
  engine: LocalEngine,
  { lanes, settings }: LocalScannerOptions,
  { pieces, variables, names, files, isTimed = false, signal, step, notice }: LocalScanRequest,
): Promise<LocalScanner> {
  const program = programOf(pieces, names);
  const compiled = files <= mostFilesFirst && !isTimed ? suited(program, engine) : program;
  const lookedWith = new Set(program.reported);
  const leftOut = new Set<string>();
  const globalsLeftOut = new Set<string>();
  let isOpen = false;
  const session = await openScanSession<ScanSource>({
    program: compiled,
    engine,
    signal,
    variables,
    startLane: () => lanes.start(),
    // A lane that is replaced later compiles beside those that scan.
    compiles: () => isOpen || step('compiling'),
    // Rules of a hunt with some of them will hardly be asked for again.
    ...(names === null && { warm: lanes }),
    lanes: Math.max(1, Math.min(lanesAtOnce, files)),
    limits: { ...scanLimits, fileSeconds: settings().scanSeconds, memoryMebibytes: settings().scanMemoryMebibytes },
    leftOut: (rule, reason) => {
      // A helper may be in several parts.
      if (leftOut.has(rule)) return;
      leftOut.add(rule);
      lookedWith.delete(rule);
      for (const global of globalsWithout(program, leftOut)) globalsLeftOut.add(global);
      notice({ kind: 'scan-rule-left-out', rule, reason });
    },
  });
  isOpen = true;
  step(null);
  const asked = new Map(
    Array.from(askingRules(program.pieces).by, ([name, rules]) => [
      name,
      new Set(program.reported.filter((rule) => rules.has(rule))),
    ]),
  );
  return {
    engine,
    reported: program.reported,
    lookedWith,
    globalsLeftOut,
    asked,
    defaults: new Set(variables.map(({ name }) => name)),
    session,
  };
}

/** Global rules that cannot be looked with without these: themselves, and those that use them. */
function globalsWithout({ pieces }: RuleProgram, leftOut: ReadonlySet<string>): string[] {
  const left = new Set(programOf(pieces, null, leftOut).pieces.rules);
  const guards = new Set(pieces.rules.flatMap((rule) => rule.guards ?? []));
  return pieces.rules
    .filter((rule) => (rule.isGlobal || guards.has(rule.name)) && !left.has(rule))
    .map(({ name }) => name);
}

/** The portable engine gives no memory back: it compiles once. */
const suited = (program: RuleProgram, engine: LocalEngine): RuleProgram =>
  engine === 'native' ? withStringsFirst(program) : program;

/** What `openLocalScanner` will need for all rules is compiled meanwhile. */
export async function compileRulesAhead(
  { native, settings, lanes }: LocalScannerOptions,
  pieces: RulePieces,
  variables: readonly RuleVariable[],
): Promise<void> {
  const { engine } = await planEngine(native, settings().scanEngine);
  await compileAhead({
    program: suited(programOf(pieces, null), engine),
    engine,
    variables,
    warm: lanes,
    startLane: () => lanes.start(),
    lanes: lanesAtOnce,
    memoryMebibytes: settings().scanMemoryMebibytes,
  });
}
