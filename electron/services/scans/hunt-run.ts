import type { JobItem } from '../../../shared/domain/job.ts';
import type { HuntEstimate, HuntScope, ScanPackage } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { engineVersions } from '../../rules/engine/scan-engine.ts';
import type { RuleFingerprint } from '../../rules/rule-library.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { PackageRow } from '../../storage/packages/package-table.ts';
import type { CoverageAnswer } from '../../storage/scans/coverage-reading.ts';
import type { ScanReader } from '../../storage/scans/scan-reader.ts';
import type { HuntPass, ScanStore } from '../../storage/scans/scan-store.ts';
import type { FileScanner } from './file-scanner.ts';
import type { LocalScanner, RulesPort } from './local-scanner.ts';
import type { ScanSource } from './read-scan-source.ts';
import type { ScannedItem, ScanRecorder } from './scan-recorder.ts';

interface HuntRunOptions {
  work: JobWork;
  /** The next items that are to be looked at; none at the end. */
  take(count: number): JobItem[];
  scanner: LocalScanner;
  files: FileScanner;
  recorder: ScanRecorder;
}

const itemsATurn = 256;
/** Settled together: each commit costs more than many rows. */
const settledATurn = 256;
const settleEveryMs = 500;
const mostUnsettled = 2 * settledATurn;

/**
 * Looks through samples of the vault with some rules: many small files on their way at once, and what came of them
 * settled many at a time.
 */
export class HuntRun {
  readonly #options: HuntRunOptions;
  readonly #halt = new AbortController();
  readonly #scanned: ScannedItem[] = [];
  #settling: Promise<void> = Promise.resolve();
  #unsettled = 0;
  #settledAt = performance.now();
  #files = 0;
  #bytes = 0;

  constructor(options: HuntRunOptions) {
    this.#options = options;
  }

  /** What was looked at in this run. */
  get scanned(): { files: number; bytes: number } {
    return { files: this.#files, bytes: this.#bytes };
  }

  /**
   * All but the sample that came last are settled: with that one goes what makes the hunt one that is over.
   * @returns it
   */
  async run(): Promise<ScannedItem[]> {
    const { work, files, take } = this.#options;
    const under = new Set<Promise<void>>();
    for (let items = take(itemsATurn); items.length > 0 && !this.#halt.signal.aborted; items = take(itemsATurn)) {
      const sources = files.sourcesOf(items);
      for (const [index, item] of items.entries()) {
        await this.#waitForSpace();
        if (this.#halt.signal.aborted) break;
        const going: Promise<void> = this.#scan(item, sources[index])
          .catch((error: unknown) => this.#halt.abort(error))
          .finally(() => under.delete(going));
        under.add(going);
      }
    }
    await Promise.all(under);
    // Also when it is stopped: what was found is not looked for again.
    this.#settleSoon();
    await this.#settling.catch((error: unknown) => this.#halt.abort(error));
    work.signal.throwIfAborted();
    this.#halt.signal.throwIfAborted();
    return this.#scanned;
  }

  /** Scanning waits for what is written: results take memory. */
  async #waitForSpace(): Promise<void> {
    try {
      if (this.#unsettled > mostUnsettled) await this.#settling;
      await this.#options.scanner.session.waitForSpace();
    } catch (error) {
      this.#halt.abort(error);
    }
  }

  async #scan(item: JobItem, source: ScanSource | undefined): Promise<void> {
    const { files } = this.#options;
    const { hash: sha256, sizeBytes } = item;
    const { result, rules, looked, names } = await files.scan(
      item,
      { sha256, name: item.name ?? sha256, stagedId: null, also: [] },
      sizeBytes ?? 0,
      source,
    );
    const { failure } = result;
    this.#files += 1;
    this.#bytes += sizeBytes ?? 0;
    this.#scanned.push({
      item,
      sizeBytes,
      results: [result],
      state: failure === null ? 'done' : 'failed',
      failure,
      rules,
      looked,
      names,
      hashes: null,
    });
    const isDue = this.#scanned.length >= settledATurn || performance.now() - this.#settledAt > settleEveryMs;
    if (isDue) this.#settleSoon();
  }

  #settleSoon(): void {
    const scanned = this.#scanned.splice(0, this.#scanned.length - 1);
    this.#settledAt = performance.now();
    this.#unsettled += scanned.length;
    this.#settling = this.#settleAfter(this.#settling, scanned);
    this.#settling.catch((error: unknown) => this.#halt.abort(error));
  }

  async #settleAfter(others: Promise<void>, scanned: readonly ScannedItem[]): Promise<void> {
    await others;
    await this.#options.recorder.settle(scanned, { journalled: false });
    this.#unsettled -= scanned.length;
  }
}

export interface HuntPlanOptions {
  packages: Pick<PackageStore, 'pointers' | 'get' | 'options'>;
  store: Pick<ScanStore, 'lastHunt'>;
  reader: Pick<ScanReader, 'coverage'>;
  rules: Pick<RulesPort, 'fingerprints'>;
}

/** Samples that a hunt looks at with the same rules. */
interface PlannedPass {
  /** null: all of the package. */
  names: readonly string[] | null;
  /** Numbers of the library; null: the whole vault. */
  samples: Int32Array | null;
  files: number;
  bytes: number;
}

/** What a hunt looks at. */
export interface HuntPlan {
  package: ScanPackage & { sha256: string };
  passes: PlannedPass[];
  /** Those of all passes whose hits count, in the order of the package. */
  reported: readonly string[];
  /** All rules that can hit. */
  rules: number;
  /** Rules with hits that the package has no more. */
  removed: readonly string[];
  /** Where their hits are. */
  removedFrom: Int32Array;
  against: HuntEstimate['against'];
  coverage: CoverageAnswer;
}

interface HuntPlanRequest {
  workspaceId: string;
  scope: HuntScope;
  /** A package that is not the active one yet, as if it were. */
  asActive?: string | undefined;
  vault: { files: number; bytes: number };
  /** Whether the samples themselves are wanted. */
  withSamples: boolean;
}

/** @throws FailureError `no-package`, `package-missing`, `no-rules` */
export async function planHunt(options: HuntPlanOptions, request: HuntPlanRequest): Promise<HuntPlan> {
  const { packages, rules, reader, store } = options;
  const { workspaceId, scope, asActive, withSamples } = request;
  const used =
    asActive === undefined ? activePackage(packages, workspaceId) : keptPackage(packages, workspaceId, asActive);
  const prints = await rules.fingerprints(workspaceId, used.sha256);
  const passes = scope.kind === 'changed' ? 'unseen' : scope.kind === 'engine' ? 'older' : 'none';
  const coverage = await reader.coverage({
    workspaceId,
    rules: prints,
    engines: Object.values(engineVersions),
    passes,
    withSamples,
  });
  const planned = passesOf(request, prints, coverage);
  const removed = scope.kind === 'named' ? [] : coverage.gone;
  const names = planned.some((pass) => pass.names === null)
    ? null
    : new Set(planned.flatMap((pass) => pass.names ?? []));
  const reported = prints.map(({ rule }) => rule).filter((rule) => names === null || names.has(rule));
  const isEmpty = prints.length === 0 || (scope.kind === 'named' && reported.length === 0);
  if (isEmpty && removed.length === 0) fail({ kind: 'no-rules' });
  return {
    package: used,
    passes: planned,
    reported,
    rules: prints.length,
    removed,
    coverage,
    removedFrom: removed.length === 0 ? new Int32Array() : coverage.goneSamples,
    against: lastHuntOf(store, workspaceId),
  };
}

function passesOf(
  { scope, vault }: HuntPlanRequest,
  prints: readonly RuleFingerprint[],
  { passes }: CoverageAnswer,
): PlannedPass[] {
  if (prints.length === 0) return [];
  if (scope.kind === 'all') return [{ names: null, samples: null, ...vault }];
  if (scope.kind === 'named')
    return [
      { names: prints.map(({ rule }) => rule).filter((rule) => scope.rules.includes(rule)), samples: null, ...vault },
    ];
  return passes.map(({ rules, samples, files, bytes }) => ({
    names: rules.length === prints.length ? null : rules.flatMap((place) => prints[place]?.rule ?? []),
    samples,
    files,
    bytes,
  }));
}

/** @throws FailureError `no-package` */
export function activePackage(packages: HuntPlanOptions['packages'], workspaceId: string): HuntPlan['package'] {
  const { active } = packages.pointers(workspaceId);
  const row = active === null ? null : packages.get(workspaceId, active);
  if (active === null || row === null) fail({ kind: 'no-package' });
  return usedOf(active, row);
}

function keptPackage(packages: HuntPlanOptions['packages'], workspaceId: string, sha256: string): HuntPlan['package'] {
  return usedOf(sha256, packages.get(workspaceId, sha256) ?? fail({ kind: 'package-missing', sha256 }));
}

const usedOf = (
  sha256: string,
  { version, contents }: Pick<PackageRow, 'version' | 'contents'>,
): HuntPlan['package'] => ({ sha256, version, rules: contents?.rules ?? null });

function lastHuntOf(store: HuntPlanOptions['store'], workspaceId: string): HuntPlan['against'] {
  const last = store.lastHunt(workspaceId);
  return last === null || last.version === null ? null : { version: last.version, hunted: last.ended };
}

/** The items of a hunt that wait, pass by pass. */
export class HuntItems {
  readonly #work: Pick<JobWork, 'take'>;
  readonly #passes: readonly HuntPass[];
  /** Taken from the job, and not from here yet. */
  #ahead: JobItem[] = [];

  constructor(work: Pick<JobWork, 'take'>, passes: readonly HuntPass[]) {
    this.#work = work;
    this.#passes = passes;
  }

  /** The pass of the next item; null: there is none, or the run is to stop. */
  next(): HuntPass | null {
    if (this.#ahead.length === 0) this.#ahead = this.#work.take(1);
    const [first] = this.#ahead;
    return first === undefined ? null : (this.#passes.find(({ upTo }) => first.position <= upTo) ?? null);
  }

  /** The next ones of this pass. */
  take({ upTo }: HuntPass, count: number): JobItem[] {
    if (this.#ahead.length < count) this.#ahead = [...this.#ahead, ...this.#work.take(count - this.#ahead.length)];
    const end = this.#ahead.findIndex(({ position }) => position > upTo);
    return this.#ahead.splice(0, Math.min(count, end < 0 ? this.#ahead.length : end));
  }
}
