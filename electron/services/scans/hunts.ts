import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationRequest } from '../../../shared/contract.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { Job, JobTask } from '../../../shared/domain/job.ts';
import type { HuntEstimate, LocalEngine } from '../../../shared/domain/scan.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { fail } from '../../../shared/failure.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import { putIntoJob } from '../../jobs/samples-into-job.ts';
import type { HuntInput, HuntInputs } from '../../storage/hunt-inputs.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import { planEngine, requireEngine } from './engine-choice.ts';
import { FileScanner } from './file-scanner.ts';
import { type HuntPlan, planHunt, type HuntPlanOptions } from './hunt-plan.ts';
import { HuntRun } from './hunt-run.ts';
import { lanesAtOnce, type LocalScanner, type LocalScannerOptions, openLocalScanner } from './local-scanner.ts';
import { type ScannedItem, ScanLedger } from './scan-ledger.ts';
import { scanLimitBytes } from './scan-limit.ts';
import { learnedPace, secondsFor } from './scan-pacing.ts';
import type { SourcePorts } from './scan-source-of.ts';
import type { ScanStore } from '../../storage/scan-store.ts';

export interface HuntsOptions extends LocalScannerOptions, HuntPlanOptions, SourcePorts {
  library: LibraryStore;
  store: ScanStore;
  inputs: HuntInputs;
  settings(): Pick<Settings, 'scanEngine' | 'scanSeconds' | 'scanMebibytes' | 'scanMemoryMebibytes'>;
  jobs(): Pick<JobRunner, 'create' | 'add' | 'begin' | 'forget' | 'get'>;
}

type HuntTask = Extract<JobTask, { kind: 'hunt' }>;

const shownNames = 20;

/** The vault under rules that it was not looked through with yet. */
export class Hunts {
  readonly #options: HuntsOptions;
  readonly #told: (workspaceId: string) => void;

  constructor(options: HuntsOptions, told: (workspaceId: string) => void) {
    this.#options = options;
    this.#told = told;
  }

  async estimate({ workspaceId, scope, package: asActive }: OperationRequest<'hunts.estimate'>): Promise<HuntEstimate> {
    const { native, settings, library, store } = this.#options;
    const plan = await planHunt(this.#options, workspaceId, scope, asActive);
    const { engine } = await planEngine(native, settings().scanEngine);
    const { inVault: samples, vaultBytes: bytes } = library.count();
    return {
      ...shownOf(plan), removed: plan.removed.slice(0, shownNames), package: plan.package, against: plan.against, samples, bytes, engine,
      seconds: secondsFor(engine, store.pace(engine), { files: samples, bytes, rules: plan.reported.length }, lanesAtOnce),
    };
  }

  async start({ workspaceId, scope }: OperationRequest<'hunts.start'>): Promise<Job> {
    const { native, settings, library } = this.#options;
    const plan = await planHunt(this.#options, workspaceId, scope);
    await requireEngine(native, settings().scanEngine);
    if (library.count().inVault === 0) fail({ kind: 'vault-empty' });
    this.#options.lanes.prepare();
    const jobs = this.#options.jobs();
    const id = jobs.create({ kind: 'hunt', scope: scope.kind, local: null, package: plan.package, ...shownOf(plan), against: plan.against?.version ?? null }, workspaceId);
    try {
      this.#options.inputs.set(id, { names: plan.names === null ? null : [...plan.names], removed: [...plan.removed] });
      await putIntoJob(id, jobs, (after, limit) => this.#options.library.vaultPage(after, limit));
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
    const { library, rules, store } = this.#options;
    const ledger = new ScanLedger({ store, library, rules, work, workspaceId, told: () => this.#told(workspaceId) }, task.package.sha256);
    const last = await this.#lookThrough(work, { task, workspaceId, input, ledger });
    await this.#conclude(work, { task, workspaceId, input, ledger }, last);
  }

  /** @returns the sample that is not settled yet */
  async #lookThrough(work: JobWork, facts: HuntFacts): Promise<ScannedItem[]> {
    const { vault, staging, settings } = this.#options;
    const { task, ledger } = facts;
    const scanner = await this.#openScanner(work, facts);
    const files = new FileScanner({ vault, staging, scanner, package: task.package, limitBytes: scanLimitBytes(settings()), work });
    const started = performance.now();
    const run = new HuntRun({ work, scanner, files, ledger });
    try {
      return await run.run();
    } finally {
      await scanner.session.close();
      this.#learn(scanner.engine, { ...run.scanned, rules: scanner.reported.length }, performance.now() - started);
    }
  }

  async #openScanner(work: JobWork, { task, workspaceId, input }: HuntFacts): Promise<LocalScanner> {
    const sha256 = task.package.sha256 ?? fail({ kind: 'no-package' });
    const pieces = await this.#options.rules.pieces(workspaceId, sha256);
    const names = input.names === null ? null : new Set(input.names);
    const scanner = await openLocalScanner(this.#options, { pieces, names, files: this.#options.jobs().get(work.id).counts.waiting, signal: work.signal, step: (step) => work.step(step), notice: (failure) => work.notice(failure) });
    work.setTask({ ...task, local: scanner.engine });
    return scanner;
  }

  /**
   * All of the vault was looked through: what is gone from the package has no hits any more, and the next hunt is told against this one. Not so
   * where a later hunt was over before: what is left of this one, tried again, is of rules that are older than those that count.
   * A hunt without anything that waits is over, also when it is stopped now: so the last sample is settled with that, and not before.
   */
  async #conclude(work: JobWork, { task, workspaceId, input, ledger }: HuntFacts, last: ScannedItem[]): Promise<void> {
    const { store, library } = this.#options;
    const isOvertaken = (): boolean => (store.lastHunt(workspaceId)?.jobId ?? work.id) > work.id;
    for (const lost of store.loseRulesInSteps(work.id, workspaceId, isOvertaken() ? [] : input.removed)) {
      if (lost > 0) this.#told(workspaceId);
      await nextTurn();
    }
    const also = (): void => {
      if (task.scope !== 'named' && !isOvertaken()) store.setLastHunt(workspaceId, { jobId: work.id, ended: currentInstant(), sha256: task.package.sha256, version: task.package.version });
      const { counts, items } = this.#options.jobs().get(work.id);
      library.recordHunt({ workspaceId, outcome: 'done', detail: { job: work.id, scope: task.scope, version: task.package.version, rules: task.rules, samples: items, failed: counts.failed } });
    };
    await ledger.settle(last, { journalled: false, also });
  }

  /** A few scans tell more about how an engine starts than about how it scans. */
  #learn(engine: LocalEngine, load: { files: number; bytes: number; rules: number }, tookMs: number): void {
    const { store } = this.#options;
    if (load.files >= fewScans) store.setPace(engine, learnedPace(engine, store.pace(engine), load, tookMs * lanesAtOnce));
  }
}

const fewScans = 10;

interface HuntFacts {
  task: HuntTask;
  workspaceId: string;
  input: HuntInput;
  ledger: ScanLedger;
}

const shownOf = ({ reported }: HuntPlan): { rules: number; names: string[] } => ({ rules: reported.length, names: reported.slice(0, shownNames) });
