import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationRequest } from '../../../shared/contract.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { HuntFound, Job, JobItem, JobTask } from '../../../shared/domain/job.ts';
import { everyResult, type HuntEstimate, type LocalEngine } from '../../../shared/domain/scan.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { fail } from '../../../shared/failure.ts';
import { type JobRunner, type JobWork, putIntoJob } from '../../jobs/job-runner.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { ScanCoverage } from '../../storage/scans/scan-coverage.ts';
import type { ScanPace } from '../../storage/scans/scan-files.ts';
import type { ScanReader } from '../../storage/scans/scan-reader.ts';
import type { HuntInput, HuntInputs, HuntPass, ScanStore } from '../../storage/scans/scan-store.ts';
import { FileScanner } from './file-scanner.ts';
import { HuntItems, type HuntPlan, type HuntPlanOptions, HuntRun, planHunt } from './hunt-run.ts';
import {
  type LocalScanner,
  type LocalScannerOptions,
  openLocalScanner,
  planEngine,
  requireEngine,
  type RulesPort,
  scanLimitBytes,
  workersAtOnce,
} from './local-scanner.ts';
import type { SourcePorts } from './read-scan-source.ts';
import { type ScannedItem, ScanRecorder } from './scan-recorder.ts';

/**
 * What is kept of an engine's pace is what it would be with so many rules, so that hunts with few and with many learn
 * from each other.
 */
const usualRules = 1000;
const mebibyte = 1024 * 1024;

/**
 * As measured on a plain machine: each scan costs something, more with more rules, and then each MiB does. In
 * milliseconds.
 */
const plain: Record<LocalEngine, { scan: number; rule: number; mebibyte: number }> = {
  native: { scan: 0.1, rule: 0.0002, mebibyte: 6 },
  wasm: { scan: 5, rule: 0.02, mebibyte: 22 },
};

interface ScanLoad {
  files: number;
  bytes: number;
  rules: number;
}

/** Milliseconds of one engine's time on a plain machine. */
function plainMs(engine: LocalEngine, { files, bytes, rules }: ScanLoad): number {
  const { scan, rule, mebibyte: each } = plain[engine];
  return files * (scan + rule * rules) + (bytes / mebibyte) * each;
}

/** How the time of scans on this computer was against that of a plain one; what is kept goes half-way to the newest. */
export function learnedPace(engine: LocalEngine, known: ScanPace | null, load: ScanLoad, tookMs: number): ScanPace {
  const scanMs = usualScanMs(engine) * (tookMs / plainMs(engine, load));
  return { scanMs: known === null ? scanMs : (known.scanMs + scanMs) / 2 };
}

/** Seconds that it will take with so many scan workers; null where nothing is known of this computer. */
export function secondsFor(engine: LocalEngine, pace: ScanPace | null, load: ScanLoad, workers: number): number | null {
  if (pace === null) return null;
  return (plainMs(engine, load) * (pace.scanMs / usualScanMs(engine))) / workers / 1000;
}

const usualScanMs = (engine: LocalEngine): number => plain[engine].scan + plain[engine].rule * usualRules;

interface HuntsOptions extends LocalScannerOptions, HuntPlanOptions, SourcePorts {
  library: LibraryStore;
  store: ScanStore;
  coverage: ScanCoverage;
  inputs: HuntInputs;
  rules: RulesPort;
  reader: Pick<ScanReader, 'coverage' | 'summary' | 'groups'>;
  settings(): Pick<Settings, 'scanEngine' | 'scanSeconds' | 'scanMebibytes' | 'scanMemoryMebibytes'>;
  jobs(): Pick<JobRunner, 'create' | 'add' | 'begin' | 'forget' | 'get'>;
}

type HuntTask = Extract<JobTask, { kind: 'hunt' }>;

const shownNames = 20;
const samplesATurn = 500;

/** The vault under rules that have not looked at it yet. */
export class Hunts {
  readonly #options: HuntsOptions;
  readonly #notified: (workspaceId: string) => void;

  constructor(options: HuntsOptions, alreadyReported: (workspaceId: string) => void) {
    this.#options = options;
    this.#notified = alreadyReported;
  }

  async estimate({ workspaceId, scope, package: asActive }: OperationRequest<'hunts.estimate'>): Promise<HuntEstimate> {
    const { native, settings, store } = this.#options;
    const vault = this.#vault;
    const plan = await planHunt(this.#options, { workspaceId, scope, asActive, vault, withSamples: false });
    const { engine } = await planEngine(native, settings().scanEngine);
    const { isKnown, unseen, older } = plan.coverage;
    return {
      ...shownOf(plan),
      removed: plan.removed.slice(0, shownNames),
      package: plan.package,
      against: plan.against,
      engine,
      samples: sumOf(plan.passes.map(({ files }) => files)),
      bytes: sumOf(plan.passes.map(({ bytes }) => bytes)),
      total: { rules: plan.rules, samples: vault.files },
      unseen,
      older,
      isFirst: !isKnown,
      seconds: secondsOf(plan, (load) => secondsFor(engine, store.pace(engine), load, workersAtOnce)),
    };
  }

  async start({ workspaceId, scope }: OperationRequest<'hunts.start'>): Promise<Job> {
    const { native, settings, library, coverage, inputs } = this.#options;
    const plan = await planHunt(this.#options, { workspaceId, scope, vault: this.#vault, withSamples: true });
    await requireEngine(native, settings().scanEngine);
    if (library.count().inVault === 0) fail({ kind: 'vault-empty' });
    if (plan.passes.length === 0 && plan.removedFrom.length === 0) fail({ kind: 'nothing-to-hunt' });
    if (plan.passes.length > 0) this.#options.workers.prepare();
    await inTurns(coverage.sweepInSteps());
    const jobs = this.#options.jobs();
    const id = jobs.create(
      {
        kind: 'hunt',
        scope: scope.kind,
        local: null,
        package: plan.package,
        ...shownOf(plan),
        against: plan.against?.version ?? null,
      },
      workspaceId,
    );
    try {
      inputs.set(id, { passes: await this.#put(id, plan), removed: [...plan.removed] });
      return jobs.begin(id);
    } catch (error) {
      jobs.forget(id);
      throw error;
    }
  }

  /** The step of jobs of kind `hunt`. */
  async run(work: JobWork): Promise<void> {
    const { task } = work;
    if (task.kind !== 'hunt') throw new TypeError(`a job of kind ${task.kind} is no hunt`);
    const workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    const input = this.#options.inputs.get(work.id) ?? fail({ kind: 'no-rules' });
    const { library, rules, store, coverage } = this.#options;
    const recorder = new ScanRecorder(
      { store, coverage, library, rules, work, workspaceId, reported: () => this.#notified(workspaceId) },
      task.package.sha256,
    );
    const last = await this.#lookThrough(work, { task, workspaceId, input, recorder });
    await this.#conclude(work, { task, workspaceId, input, recorder }, last);
  }

  get #vault(): { files: number; bytes: number } {
    const { inVault: files, vaultBytes: bytes } = this.#options.library.count();
    return { files, bytes };
  }

  /** Puts the samples into the job, pass by pass. A sample that is in one already is in no other. */
  async #put(id: number, { passes, removedFrom }: HuntPlan): Promise<HuntPass[]> {
    const { library } = this.#options;
    const jobs = this.#options.jobs();
    let upTo = 0;
    const put: HuntPass[] = [];
    for (const { names, samples } of [...passes, { names: [], samples: removedFrom }]) {
      const page =
        samples === null
          ? (after: number, limit: number) => library.vaultPage(after, limit)
          : pagesOf(samples, (ids) => library.numbered(ids));
      await putIntoJob(id, { add: (job, items) => (upTo = jobs.add(job, items)) }, page);
      put.push({ upTo, names: names === null ? null : [...names] });
    }
    return put;
  }

  /** @returns the sample that is not settled yet */
  async #lookThrough(work: JobWork, facts: HuntFacts): Promise<ScannedItem[]> {
    const items = new HuntItems(work, facts.input.passes);
    for (let last: ScannedItem[] = []; ;) {
      const pass = items.next();
      if (pass === null) {
        // Stopped in between: there are more.
        if (this.#options.jobs().get(work.id).counts.waiting > last.length) work.signal.throwIfAborted();
        return last;
      }
      await facts.recorder.settle(last, { journalled: false });
      const take = (count: number): JobItem[] => items.take(pass, count);
      last =
        pass.names?.length === 0
          ? await passedOver(take, facts)
          : await this.#scan(work, facts, { names: pass.names, take });
    }
  }

  async #scan(
    work: JobWork,
    facts: HuntFacts,
    { names, take }: { names: HuntPass['names']; take(count: number): JobItem[] },
  ): Promise<ScannedItem[]> {
    const { vault, staging, store, settings } = this.#options;
    const { task, recorder } = facts;
    const scanner = await this.#openScanner(work, facts, names);
    const files = new FileScanner({
      vault,
      staging,
      store,
      scanner,
      package: task.package,
      limitBytes: scanLimitBytes(settings()),
      work,
    });
    const started = performance.now();
    const run = new HuntRun({ work, take, scanner, files, recorder });
    try {
      return await run.run();
    } finally {
      await scanner.session.close();
      this.#learn(scanner.engine, { ...run.scanned, rules: scanner.reported.length }, performance.now() - started);
    }
  }

  async #openScanner(work: JobWork, { task, workspaceId }: HuntFacts, names: HuntPass['names']): Promise<LocalScanner> {
    const sha256 = task.package.sha256 ?? fail({ kind: 'no-package' });
    const pieces = await this.#options.rules.pieces(workspaceId, sha256);
    const wanted = names === null ? null : new Set(names);
    const scanner = await openLocalScanner(this.#options, {
      pieces,
      variables: this.#options.packages.options(workspaceId).variables,
      names: wanted,
      files: this.#options.jobs().get(work.id).counts.waiting,
      signal: work.signal,
      step: (step) => work.step(step),
      notice: (failure) => work.notice(failure),
    });
    work.setTask({ ...task, local: scanner.engine });
    return scanner;
  }

  /**
   * All samples were looked through: what is gone from the package has no hits any more, and this is the last hunt. Not
   * so where a later hunt was over before: what is left of this one, tried again, is of rules that are older than those
   * that count. A hunt without anything that waits is over, also when it is stopped now: so the last sample is settled
   * with that, and not before.
   */
  async #conclude(
    work: JobWork,
    { task, workspaceId, input, recorder }: HuntFacts,
    last: ScannedItem[],
  ): Promise<void> {
    const { store, library, coverage } = this.#options;
    const isOvertaken = (): boolean => (store.lastHunt(workspaceId)?.jobId ?? work.id) > work.id;
    // Before their hits: what is cut short in between is looked at again.
    await inTurns(coverage.forgetRulesInSteps(workspaceId, isOvertaken() ? [] : input.removed));
    for (const lost of store.loseRulesInSteps(work.id, workspaceId, isOvertaken() ? [] : input.removed)) {
      if (lost > 0) this.#notified(workspaceId);
      await nextTurn();
    }
    const also = (): void => {
      if (task.scope !== 'named' && !isOvertaken())
        store.setLastHunt(workspaceId, {
          jobId: work.id,
          ended: currentInstant(),
          sha256: task.package.sha256,
          version: task.package.version,
        });
      const { counts, items } = this.#options.jobs().get(work.id);
      library.recordHunt({
        workspaceId,
        outcome: 'done',
        detail: {
          job: work.id,
          scope: task.scope,
          version: task.package.version,
          rules: task.rules,
          samples: items,
          failed: counts.failed,
        },
      });
    };
    await recorder.settle(last, { journalled: false, also });
    work.setTask({ ...(work.task.kind === 'hunt' ? work.task : task), found: await this.#found(work.id) });
  }

  async #found(jobId: number): Promise<HuntFound> {
    const { reader } = this.#options;
    const { added, lost } = await reader.summary(jobId);
    const samples =
      added === 0
        ? 0
        : (await reader.groups({ jobId, by: 'file', filter: { ...everyResult, show: 'added' }, offset: 0, limit: 1 }))
            .total;
    return { added, samples, lost };
  }

  /** A few scans show more about how an engine starts than about how it scans. */
  #learn(engine: LocalEngine, load: { files: number; bytes: number; rules: number }, tookMs: number): void {
    const { store } = this.#options;
    if (load.files >= fewScans)
      store.setPace(engine, learnedPace(engine, store.pace(engine), load, tookMs * workersAtOnce));
  }
}

const fewScans = 10;

interface HuntFacts {
  task: HuntTask;
  workspaceId: string;
  input: HuntInput;
  recorder: ScanRecorder;
}

async function inTurns(steps: Iterable<void>): Promise<void> {
  for (const _ of steps) await nextTurn();
}

/** Nothing is scanned: these samples have hits of rules that are gone. Gives the last, as a run does. */
async function passedOver(take: (count: number) => JobItem[], { recorder }: HuntFacts): Promise<ScannedItem[]> {
  let last: ScannedItem[] = [];
  for (let items = take(samplesATurn); items.length > 0; items = take(samplesATurn)) {
    await recorder.settle(last, { journalled: false });
    const settled = items.map((item): ScannedItem => ({
      item,
      sizeBytes: item.sizeBytes,
      results: [],
      state: 'done',
      failure: null,
      rules: new Set(),
      looked: new Set(),
      names: null,
      hashes: null,
    }));
    last = settled.splice(-1);
    await recorder.settle(settled, { journalled: false });
  }
  return last;
}

/** Pages for `putIntoJob` of samples by their numbers, which rise. */
function pagesOf<T extends { id: number }>(samples: Int32Array, read: (ids: readonly number[]) => T[]): () => T[] {
  let at = 0;
  return () => {
    let page: T[] = [];
    // Samples may be gone by now; an empty page is the end.
    while (page.length === 0 && at < samples.length) page = read([...samples.subarray(at, (at += samplesATurn))]);
    return page;
  };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** null where it is not known of one. */
function secondsOf(
  { passes, rules }: HuntPlan,
  reckon: (load: { files: number; bytes: number; rules: number }) => number | null,
): number | null {
  return passes.reduce<number | null>((sum, { names, files, bytes }) => {
    const seconds = reckon({ files, bytes, rules: names?.length ?? rules });
    return sum === null || seconds === null ? null : sum + seconds;
  }, 0);
}

const shownOf = ({ reported }: HuntPlan): { rules: number; names: string[] } => ({
  rules: reported.length,
  names: reported.slice(0, shownNames),
});
