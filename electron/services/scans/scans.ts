import { Buffer } from 'node:buffer';
import type { OperationOutput, OperationRequest } from '../../../shared/contract.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { Job } from '../../../shared/domain/job.ts';
import {
  scanCsvFileHead,
  scanCsvRows,
  scanJsonHead,
  scanJsonRows,
  scanJsonTail,
} from '../../../shared/domain/scan-table.ts';
import type { ScannedFile, ScanPlan } from '../../../shared/domain/scan.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { fail } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import { systemTiming, type Timing } from '../../api/limits.ts';
import { createRepositoryApi } from '../../api/repository-api.ts';
import { createRuleEditorApi } from '../../api/rule-editor-api.ts';
import { withOutcome } from '../../archive/byte-source.ts';
import type { NotedFiles } from '../../archive/export/export-file.ts';
import { type EventHub, WorkspaceEvents } from '../../event-hub.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { ScanCoverage } from '../../storage/scans/scan-coverage.ts';
import type { ScanReader } from '../../storage/scans/scan-reader.ts';
import type { HuntInputs, ScanStore } from '../../storage/scans/scan-store.ts';
import type { StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import { stagedPlace, type Staging } from '../../vault/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { FileScanner } from './file-scanner.ts';
import { activePackage } from './hunt-run.ts';
import { Hunts } from './hunts.ts';
import {
  type LocalScanner,
  openLocalScanner,
  planEngine,
  requireEngine,
  type RulesPort,
  scanLimitBytes,
  WarmPackage,
  type WarmPackageOptions,
} from './local-scanner.ts';
import { factsOf, type ReadStagedFile } from './read-scan-source.ts';
import type { RuleCosts } from './rule-costs.ts';
import { ScanRecorder } from './scan-recorder.ts';
import { ScanRun, startScan } from './scan-run.ts';
import { ServiceScanner } from './service-scanner.ts';

export { RuleCosts } from './rule-costs.ts';
export { RuleTrials } from './rule-trials.ts';

interface ScansOptions extends WarmPackageOptions {
  connect: Connect;
  vault: Vault;
  staging: Staging;
  facts: StagedFacts;
  library: LibraryStore;
  packages: PackageStore;
  store: ScanStore;
  inputs: HuntInputs;
  coverage: ScanCoverage;
  reader: ScanReader;
  rules: RulesPort;
  events: EventHub;
  settings(): Pick<Settings, 'scanEngine' | 'scanSeconds' | 'scanMebibytes' | 'scanMemoryMebibytes'>;
  /**
   * The rule editor of a workspace: who would get files, and whether that is the lab of this computer; null: it has
   * none.
   */
  receiver(workspaceId: string): { host: string; isHere: boolean } | null;
  /** Whether its rule editor was seen not to scan files. */
  cannotScan(workspaceId: string): boolean;
  hasRepository(workspaceId: string): boolean;
  /** Asked for when a job is made: the runner itself needs `run`. */
  jobs(): Pick<JobRunner, 'create' | 'add' | 'note' | 'begin' | 'forget' | 'get'>;
  ruleCosts: Pick<RuleCosts, 'interrupt' | 'afterHunt'>;
  files: ScanExportRequest['files'];
  offer: ScanExportRequest['offer'];
  /** For pauses; the machine's own where it is left out. */
  timing?: Timing;
}

/** Files sent to one rule editor at a time. */
const requestsAtOnce = 2;

/**
 * Files under the rules: those of the rule editor, those that are installed here, or both; and the vault under new
 * ones.
 */
export class Scans {
  readonly #options: ScansOptions & { timing: Timing };
  readonly #hunts: Hunts;
  readonly #warm: WarmPackage;
  readonly #leaveEvents: () => void;
  readonly #news: WorkspaceEvents;
  readonly #slots = new WorkspaceSlots(() => requestsAtOnce);
  readonly #end = new AbortController();

  constructor(options: ScansOptions) {
    this.#options = { timing: systemTiming, ...options };
    this.#news = new WorkspaceEvents((workspaceId) =>
      options.events.emit({ name: 'scans.changed', payload: { workspaceId } }),
    );
    this.#warm = new WarmPackage(options);
    this.#leaveEvents = options.events.subscribe(({ name }) => {
      if (name === 'publications.changed') this.#warm.changed();
    });
    this.#hunts = new Hunts(options, (workspaceId) => this.#news.changed(workspaceId));
  }

  /** Registers files of earlier runs with the staging, before unused ones are swept. */
  restore(): void {
    const { store, staging } = this.#options;
    for (const { stagedId, place } of store.stagedFiles()) {
      const read = stagedPlace.safeParse(place);
      if (read.success) staging.restore(stagedId, read.data);
    }
  }

  close(): void {
    this.#end.abort();
    this.#leaveEvents();
    this.#news.close();
  }

  /** `isAhead`: a scan will begin soon. */
  async plan(workspaceId: string, isAhead = false): Promise<ScanPlan> {
    const { native, workers, settings, receiver, hasRepository, packages } = this.#options;
    const service = receiver(workspaceId);
    const cannotScan = service !== null && this.#options.cannotScan(workspaceId);
    const { scanEngine, scanSeconds } = settings();
    const { active } = packages.pointers(workspaceId);
    const hasPackage = active !== null;
    // The caller is about to scan, with whichever engine.
    if (hasPackage) workers.prepare();
    if (hasPackage && isAhead) this.#warm.compileAhead(workspaceId, active);
    const local = await planEngine(native, scanEngine);
    return {
      service:
        cannotScan || service === null ? null : { ...service, asksTlp: !service.isHere && hasRepository(workspaceId) },
      cannotScan,
      package: hasPackage ? activePackage(packages, workspaceId) : null,
      local,
      limitBytes: scanLimitBytes(settings()),
      limitSeconds: scanSeconds,
    };
  }

  /** What was compiled for another engine is of no use. */
  settingsChanged(): void {
    this.#warm.changed();
  }

  /** Which engine of this computer scans now. */
  engine(): Promise<ScanPlan['local']> {
    const { native, settings } = this.#options;
    return planEngine(native, settings().scanEngine);
  }

  /** @throws FailureError as `scans.start` of the contract does */
  async start(request: OperationRequest<'scans.start'>): Promise<Job> {
    const { receiver, packages, native, settings, jobs } = this.#options;
    const { engines, workspaceId } = request;
    if (engines !== 'local' && receiver(workspaceId) === null)
      fail({ kind: 'service-not-set', service: 'rule-editor' });
    if (engines !== 'local' && this.#options.cannotScan(workspaceId)) fail({ kind: 'editor-cannot-scan' });
    if (engines !== 'service') await requireEngine(native, settings().scanEngine);
    const used = engines === 'service' ? null : activePackage(packages, workspaceId);
    return startScan({ ...this.#options, jobs: jobs(), signal: this.#end.signal }, request, used);
  }

  /**
   * Files that were read already, by the active rules and on this computer alone; null where there are none. Throws
   * `native-engine-missing`.
   */
  async startWatched(workspaceId: string, files: readonly ReadStagedFile[]): Promise<Job | null> {
    const { packages, native, settings, jobs } = this.#options;
    if (packages.pointers(workspaceId).active === null) return null;
    await requireEngine(native, settings().scanEngine);
    const request = {
      workspaceId,
      engines: 'local' as const,
      files: files.map(({ stagedId }) => ({ id: stagedId })),
      samples: [],
      tlp: null,
    };
    return startScan(
      { ...this.#options, facts: factsOf(files), jobs: jobs(), signal: this.#end.signal, isWatched: true },
      request,
      activePackage(packages, workspaceId),
    );
  }

  estimate(request: OperationRequest<'hunts.estimate'>): Promise<OperationOutput<'hunts.estimate'>> {
    return this.#hunts.estimate(request);
  }

  startHunt(request: OperationRequest<'hunts.start'>): Promise<Job> {
    return this.#hunts.start(request);
  }

  async runHunt(work: JobWork): Promise<void> {
    const { ruleCosts, jobs } = this.#options;
    const { task, workspaceId } = work;
    const started = performance.now();
    ruleCosts.interrupt();
    this.#noteHunt(work);
    await this.#hunts.run(work);
    // The hunt is over with that: what follows is no part of it.
    if (task.kind === 'hunt' && task.package.sha256 !== null && workspaceId !== null)
      void ruleCosts.afterHunt({
        workspaceId,
        sha256: task.package.sha256,
        samples: jobs().get(work.id).items,
        tookMs: performance.now() - started,
      });
  }

  /** A hunt with all rules keeps scan workers as a scan does. */
  #noteHunt({ task, workspaceId }: JobWork): void {
    if (task.kind === 'hunt' && task.scope === 'all' && task.package.sha256 !== null && workspaceId !== null)
      this.#warm.note(workspaceId, task.package.sha256);
  }

  /** The step of jobs of kind `scan`. */
  async run(work: JobWork): Promise<void> {
    const { task } = work;
    if (task.kind !== 'scan') throw new TypeError(`a job of kind ${task.kind} is no scan`);
    const workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    this.#options.ruleCosts.interrupt();
    const { store, coverage, library, rules, vault, staging, settings } = this.#options;
    const recorder = new ScanRecorder(
      { store, coverage, library, rules, work, workspaceId, reported: () => this.#news.changed(workspaceId) },
      task.package?.sha256 ?? null,
    );
    if (task.engines !== 'service') recorder.prepare((await this.engine()).engine);
    this.#options.reader.prepare();
    const scanner = task.engines === 'service' ? null : await this.#openScanner(work, workspaceId);
    try {
      const local = scanner &&
        task.package && {
          scanner,
          files: new FileScanner({
            vault,
            staging,
            store,
            scanner,
            package: task.package,
            limitBytes: scanLimitBytes(settings()),
            work,
          }),
        };
      const service = task.engines === 'local' ? null : await this.#serviceScanner(work, workspaceId);
      await new ScanRun({ store, library, recorder, work, local, service }).run();
    } finally {
      await scanner?.session.close();
    }
  }

  summary(jobId: number): Promise<OperationOutput<'scans.summary'>> {
    return this.#options.reader.summary(jobId);
  }

  groups(request: OperationRequest<'scans.groups'>): Promise<OperationOutput<'scans.groups'>> {
    return this.#options.reader.groups(request);
  }

  async file(jobId: number, position: number): Promise<ScannedFile> {
    const { reader, library } = this.#options;
    const file = await reader.file(jobId, position);
    return { ...file, tlp: library.tlpOf(file) };
  }

  async files(jobId: number, positions: readonly number[]): Promise<ScannedFile[]> {
    const { reader, library } = this.#options;
    const files = await reader.files(jobId, positions);
    return files.map((file) => ({ ...file, tlp: library.tlpOf(file) }));
  }

  export(request: OperationRequest<'scans.export'>, folder: string | null): Promise<OperationOutput<'scans.export'>> {
    const { reader, library, files, offer } = this.#options;
    return exportScan({ ...request, reader, library, files, offer, folder });
  }

  /** What was copied of its files goes with it. */
  async jobForgotten(id: number): Promise<void> {
    for (const stagedId of this.#options.store.forgetJob(id).staged) await this.#options.staging.discard(stagedId);
  }

  async #openScanner(work: JobWork, workspaceId: string): Promise<LocalScanner> {
    const { task, signal } = work;
    const sha256 = (task.kind === 'scan' ? task.package?.sha256 : null) ?? fail({ kind: 'no-package' });
    this.#warm.note(workspaceId, sha256);
    const pieces = await this.#warm.pieces(workspaceId, sha256);
    const scanner = await openLocalScanner(this.#options, {
      pieces,
      variables: this.#options.packages.options(workspaceId).variables,
      names: null,
      files: this.#options.jobs().get(work.id).counts.waiting,
      signal,
      step: (step) => work.step(step),
      notice: (failure) => work.notice(failure),
    });
    if (task.kind === 'scan') work.setTask({ ...task, local: scanner.engine });
    return scanner;
  }

  async #serviceScanner(work: JobWork, workspaceId: string): Promise<ServiceScanner> {
    const { connect, receiver, hasRepository, library, vault, staging, timing } = this.#options;
    const api = createRuleEditorApi(await connect(workspaceId, 'rule-editor'));
    const who = receiver(workspaceId) ?? fail({ kind: 'service-not-set', service: 'rule-editor' });
    const repository =
      who.isHere || !hasRepository(workspaceId) ? null : createRepositoryApi(await connect(workspaceId, 'repository'));
    return new ServiceScanner({
      api,
      repository,
      slots: this.#slots,
      library,
      vault,
      staging,
      work,
      workspaceId,
      receiver: who,
      timing,
    });
  }
}

type ScanExportRequest = OperationRequest<'scans.export'> & {
  reader: Pick<ScanReader, 'rows'>;
  /** Writes the journal. */
  library: Pick<LibraryStore, 'recordExport'>;
  /** Writes what goes into a folder. */
  files: Pick<NotedFiles, 'write'>;
  /** Offers a file to the browser, once. */
  offer(prepared: { fileName: string; sizeBytes: number | null; open(): AsyncIterable<Uint8Array> }): ExportResult;
  folder: string | null;
};

/**
 * The results of a scan as a file, in pages: memory does not grow with their number. @throws FailureError
 * `no-export-folder`, and what the disk throws
 */
async function exportScan(request: ScanExportRequest): Promise<ExportResult> {
  const { jobId, format, to, files, offer, folder, library } = request;
  const fileName = `scan-${jobId}.${format}`;
  const bytes = withOutcome(scanBytes(request), (outcome) =>
    library.recordExport({ sha256: null, outcome, detail: { of: 'scan results', job: jobId, to, form: format } }),
  );
  if (to === 'browser') return offer({ fileName, sizeBytes: null, open: () => bytes });
  return { kind: 'folder', ...(await files.write(folder ?? fail({ kind: 'no-export-folder' }), fileName, bytes)) };
}

async function* scanBytes({
  jobId,
  filter,
  format,
  reader,
}: ScanExportRequest): AsyncGenerator<Uint8Array, void, void> {
  let isFirst = true;
  yield Buffer.from(format === 'csv' ? scanCsvFileHead : scanJsonHead);
  for await (const files of reader.rows(jobId, filter)) {
    yield Buffer.from(format === 'csv' ? scanCsvRows(files) : scanJsonRows(files, isFirst));
    isFirst = false;
  }
  if (format === 'json') yield Buffer.from(scanJsonTail);
}
