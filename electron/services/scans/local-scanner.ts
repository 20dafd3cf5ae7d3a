import type { JobStep } from '../../../shared/domain/job.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine, ScanPlan } from '../../../shared/domain/scan.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { RuleFacts, RuleFingerprint, RulePieces } from '../../rules/rule-library.ts';
import { askingRules, programOf, type RuleProgram, withStringsFirst } from '../../rules/scanning/rule-program.ts';
import { compileAhead, openScanSession, type ScanSession } from '../../rules/scanning/scan-session.ts';
import { scanLimits } from '../../rules/scanning/worker-messages.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { NativeEngine } from './native-engine.ts';
import type { ScanSource } from './read-scan-source.ts';
import type { ReadyWorkers } from './ready-workers.ts';

export interface LocalScannerOptions {
  native: Pick<NativeEngine, 'check'>;
  settings(): Pick<Settings, 'scanEngine' | 'scanSeconds' | 'scanMemoryMebibytes'>;
  workers: Pick<ReadyWorkers, 'prepare' | 'start' | 'take' | 'count' | 'keep'>;
}

export interface LocalScanRequest {
  pieces: RulePieces;
  /** That the workspace defines. */
  variables: readonly RuleVariable[];
  /** Those to look with; null: all. */
  names: ReadonlySet<string> | null;
  /** How many files wait to be scanned. */
  files: number;
  /** Times are compared: one scan worker has all rules, and the engine that is planned is the only one. */
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
export const workersAtOnce = 2;
/**
 * For up to so many files conditions are compiled when a string of their rule is found: that is ready in a third of the
 * time, and takes half of the memory, but a file in which strings are found is scanned twice.
 */
const mostFilesFirst = 500;

/**
 * Opens the engine that the settings ask for. A package that the native engine does not take is scanned with the other
 * one, which reports so.
 *
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
  { workers, settings }: LocalScannerOptions,
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
    startScanWorker: () => workers.start(),
    // A scan worker that is replaced later compiles beside those that scan.
    compiles: () => isOpen || step('compiling'),
    // Rules of a hunt with some of them will hardly be asked for again.
    ...(names === null && { warm: workers }),
    workers: Math.max(1, Math.min(workersAtOnce, files)),
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
  { native, settings, workers }: LocalScannerOptions,
  pieces: RulePieces,
  variables: readonly RuleVariable[],
): Promise<void> {
  const { engine } = await planEngine(native, settings().scanEngine);
  await compileAhead({
    program: suited(programOf(pieces, null), engine),
    engine,
    variables,
    warm: workers,
    startScanWorker: () => workers.start(),
    workers: workersAtOnce,
    memoryMebibytes: settings().scanMemoryMebibytes,
  });
}

type EngineSetting = Settings['scanEngine'];

/** Which engine scans here, and why it is not the other one. */
export async function planEngine(
  native: Pick<NativeEngine, 'check'>,
  chosen: EngineSetting,
): Promise<ScanPlan['local']> {
  if (chosen === 'wasm') return { engine: 'wasm', nativeFailure: null, chosen };
  const checked = await native.check();
  if (checked.ok) return { engine: 'native', nativeFailure: null, chosen };
  return { engine: 'wasm', nativeFailure: checked.text, chosen };
}

/** @throws FailureError `native-engine-missing` where it was asked for and there is none */
export async function requireEngine(native: Pick<NativeEngine, 'check'>, chosen: EngineSetting): Promise<LocalEngine> {
  const { engine, nativeFailure } = await planEngine(native, chosen);
  if (chosen === 'native' && nativeFailure !== null) fail({ kind: 'native-engine-missing', text: nativeFailure });
  return engine;
}

/** The rules of packages that are kept here. Rejects with `package-missing`, and with why one cannot be opened. */
export interface RulesPort {
  pieces(workspaceId: string, sha256: string): Promise<RulePieces>;
  fingerprints(workspaceId: string, sha256: string): Promise<RuleFingerprint[]>;
  facts(workspaceId: string, sha256: string, names: readonly string[]): Promise<(RuleFacts | null)[]>;
}

const bytesAMebibyte = 1024 * 1024;

/** Larger files are not scanned here: engines take whole files. */
export const scanLimitBytes = ({ scanMebibytes }: Pick<Settings, 'scanMebibytes'>): number =>
  scanMebibytes * bytesAMebibyte;

export interface WarmPackageOptions extends LocalScannerOptions {
  workers: ReadyWorkers;
  rules: RulesPort;
  packages: Pick<PackageStore, 'pointers' | 'options'>;
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
}

/**
 * The package whose rules the scan workers have compiled: they end when it is no longer the active one, or the engine
 * another.
 */
export class WarmPackage {
  readonly #options: WarmPackageOptions;
  /** What scan workers were last compiled for. */
  #of: { workspaceId: string; sha256: string; scanEngine: string } | null = null;
  #isCompiling = false;
  /**
   * Its rules, as long as scan workers are warm: to have them split and bound again takes longer than to scan a few
   * files.
   */
  #pieces: { workspaceId: string; sha256: string; read: Promise<RulePieces> } | null = null;

  constructor(options: WarmPackageOptions) {
    this.#options = options;
    options.workers.onCold(() => {
      this.#pieces = null;
    });
  }

  /** The rules of a package, for scan workers that were passed to `note`. Rejects as the port of rules does. */
  pieces(workspaceId: string, sha256: string): Promise<RulePieces> {
    if (this.#pieces?.workspaceId === workspaceId && this.#pieces.sha256 === sha256) return this.#pieces.read;
    const read = this.#options.rules.pieces(workspaceId, sha256);
    const kept = { workspaceId, sha256, read };
    this.#pieces = kept;
    // The next call reads them once more.
    read.catch(() => {
      if (this.#pieces === kept) this.#pieces = null;
    });
    return read;
  }

  /**
   * Scan workers compile for this package from now on.
   *
   * @returns whether they did so before, with this engine
   */
  note(workspaceId: string, sha256: string): boolean {
    const { scanEngine } = this.#options.settings();
    const isKnown =
      this.#of?.workspaceId === workspaceId && this.#of.sha256 === sha256 && this.#of.scanEngine === scanEngine;
    this.#of = { workspaceId, sha256, scanEngine };
    return isKnown;
  }

  /** Has the rules compiled for a scan that is about to come, unless they are. */
  compileAhead(workspaceId: string, sha256: string): void {
    const isKnown = this.note(workspaceId, sha256);
    if (this.#isCompiling || (isKnown && this.#options.workers.areWarm)) return;
    this.#isCompiling = true;
    void this.#compile(workspaceId, sha256).finally(() => {
      this.#isCompiling = false;
    });
  }

  /** Something of packages or settings is not as it was. */
  changed(): void {
    const { workers, packages, settings } = this.#options;
    // Of the same package other rules may be usable now.
    this.#pieces = null;
    if (this.#of === null) return;
    const { workspaceId, sha256, scanEngine } = this.#of;
    if (packages.pointers(workspaceId).active === sha256 && settings().scanEngine === scanEngine) return;
    this.#of = null;
    workers.dropWarm();
  }

  async #compile(workspaceId: string, sha256: string): Promise<void> {
    const { packages, logDefect } = this.#options;
    try {
      await compileRulesAhead(
        this.#options,
        await this.pieces(workspaceId, sha256),
        packages.options(workspaceId).variables,
      );
    } catch (error) {
      // The scan itself reports why it cannot begin.
      if (!(error instanceof FailureError)) logDefect(error);
    }
  }
}
