import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import type { Job } from '../shared/domain/job.ts';
import type { LocalEngine } from '../shared/domain/scan.ts';
import {
  defaultRepositoryOptions,
  defaultTimeouts,
  labWorkspaceId,
  type RepositoryOptions,
} from '../shared/domain/workspace.ts';
import type { Failure } from '../shared/failure.ts';
import { buildDiagnostics } from './build-diagnostics.ts';
import { type Connect, createConnect, tokenName } from './api/connections.ts';
import type { EventHub } from './event-hub.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { WorkspaceSlots } from './jobs/workspace-slots.ts';
import type { Platform } from './platform/platform.ts';
import type { RuleLibrary } from './rules/rule-library.ts';
import { Additions } from './services/additions/additions.ts';
import { Bundles } from './services/bundles/bundles.ts';
import { Cases } from './services/cases/cases.ts';
import { DamageNotes } from './services/damage-notes.ts';
import { BulkDownloads } from './services/downloads/bulk/bulk-downloads.ts';
import { Comments } from './services/comments/comments.ts';
import type { DiagnosticsService } from './services/diagnostics/diagnostics.ts';
import type { RecentFailures } from './services/diagnostics/recent-failures.ts';
import { Downloads } from './services/downloads/downloads.ts';
import { ExportJobs } from './services/exports/export-jobs.ts';
import { Exports } from './services/exports/exports.ts';
import { HostService } from './services/host.ts';
import { JournalService } from './services/journal/journal-service.ts';
import { LabSupervisor } from './services/lab-supervisor.ts';
import { Library } from './services/library/library.ts';
import { WordPass } from './services/library/word-pass.ts';
import { SampleLooks } from './services/looks/sample-looks.ts';
import { libraryKey, LoadedRules } from './services/publications/loaded-rules.ts';
import { Mutes } from './services/publications/mutes.ts';
import { PackagePasswords } from './services/publications/package-passwords.ts';
import { PackageReading } from './services/publications/package-reading.ts';
import { Publications } from './services/publications/publications.ts';
import { Publishing } from './services/publishing.ts';
import { SampleBytes } from './services/sample-bytes/sample-bytes.ts';
import { Samples } from './services/samples.ts';
import { processLane, type ScannerProcesses } from './services/scans/process-lane.ts';
import { lanesAtOnce } from './services/scans/local-scanner.ts';
import { NativeEngine } from './services/scans/native-engine.ts';
import { ReadyLanes } from './services/scans/ready-lanes.ts';
import type { RulesPort } from './services/scans/rules-port.ts';
import { RuleCosts, RuleTrials, Scans } from './services/scans/scans.ts';
import { Trials } from './services/scans/trials.ts';
import { Backups } from './services/storage/backups.ts';
import { DataMoves } from './services/storage/data-moves.ts';
import { StorageUpkeep } from './services/storage/storage-upkeep.ts';
import { Uploads } from './services/uploads/uploads.ts';
import { requireUnwatched } from './services/watch/folder-check.ts';
import { Watch } from './services/watch/watch.ts';
import { Workspaces } from './services/workspaces.ts';
import type { Stores } from './storage/stores.ts';
import type { TokenStore } from './storage/token-store.ts';
import type { Packages } from './vault/packages.ts';
import type { StagedFacts } from './vault/staged-facts/staged-facts.ts';
import type { Staging } from './vault/staging.ts';
import type { Vault } from './vault/vault.ts';

/** What the services stand on. */
export interface Foundation {
  platform: Platform;
  stores: Stores;
  vault: Vault;
  staging: Staging;
  facts: StagedFacts;
  /** Threads of their own, for large files. */
  largeFacts: StagedFacts;
  packages: Packages;
  ruleLibrary: RuleLibrary;
  events: EventHub;
  exportFolder: string | null;
  failures: RecentFailures;
  logDefect(id: string, operation: string, error: unknown): void;
}

/** What a person can do, by who does it; and the stores that a few operations read as they are. */
export interface Services {
  host: HostService;
  stores: Stores;
  lab: LabSupervisor;
  workspaces: Workspaces;
  samples: Samples;
  downloads: Downloads;
  bulk: BulkDownloads;
  exports: Exports;
  exportJobs: ExportJobs;
  cases: Cases;
  bundles: Bundles;
  uploads: Uploads;
  additions: Additions;
  comments: Comments;
  publications: Publications;
  packageReading: PackageReading;
  mutes: Mutes;
  publishing: Publishing;
  scans: Scans;
  ruleTrials: RuleTrials;
  ruleCosts: RuleCosts;
  trials: Trials;
  scanLanes: ReadyLanes;
  sampleBytes: SampleBytes;
  library: Library;
  journal: JournalService;
  wordPass: WordPass;
  looks: SampleLooks;
  storage: StorageUpkeep;
  dataMoves: DataMoves;
  watch: Watch;
  backups: Backups;
  jobs: JobRunner;
  diagnostics: DiagnosticsService;
}

/** Fills the ports of every service. Nothing has begun when it returns. */
export function buildServices(foundation: Foundation): Services {
  const { platform, stores, vault, staging, facts, largeFacts, events, exportFolder, logDefect } = foundation;
  const { log, settings, tokens, workspaces: workspaceStore, library } = stores;
  const damage = new DamageNotes(library);
  vault.onDamage((sha256, how) => damage.note(sha256, how));
  const keepOutOfLogs = (secret: string): void => log.addSecret(secret);
  const proxyFor = (address: string): Promise<string | null> => platform.proxyFor(address);

  const passwords: PackagePasswords = new PackagePasswords({
    tokens,
    keepOutOfLogs,
    exportPassword: () => settings.read().values.exportPassword,
    changed: (id) => id === labWorkspaceId && lab.tellPassword(),
  });
  const lab: LabSupervisor = new LabSupervisor({
    platform,
    events,
    keepOutOfLogs,
    dataDirectory: join(platform.dataDirectory, 'lab'),
    packagePassword: () => passwords.own(labWorkspaceId),
    logDefect: defectLog(foundation, 'lab'),
    logExit: (exit) => log.write('warn', 'lab.exit', exit),
    redact: (text) => log.redact(text),
    logPath: log.path,
  });
  tokens.onChange(() => lab.tellPassword());
  const connect = createConnect({
    workspace: (id) => workspaceStore.get(id),
    token: (name) => tokens.get(name),
    lab: () => lab.address(),
    labTimeouts: defaultTimeouts,
    proxyFor,
    keepOutOfLogs,
  });
  const exports = new Exports({ vault, library, notes: stores.fileNotes });
  const slots = new WorkspaceSlots(() => settings.read().values.bulkConnections);
  const bulk = new BulkDownloads({ connect, vault, library, slots, settings: () => settings.read().values });
  const repositoryOptions = (id: string): RepositoryOptions | null =>
    id === labWorkspaceId ? defaultRepositoryOptions : (workspaceStore.get(id)?.options ?? null);
  const uploads: Uploads = new Uploads({
    connect,
    library,
    staging,
    facts,
    largeFacts,
    events,
    slots,
    repositoryOptions,
    store: stores.uploads,
    settings: () => settings.read().values,
    jobs: () => jobs.jobs,
    logDefect: defectLog(foundation, 'uploads'),
  });
  const { rules, ...publications } = buildPublications(foundation, {
    connect,
    passwords,
    exports,
    engine: async () => (await scans.engine()).engine,
  });
  const scanners = scannerProcesses(foundation);
  const scanLanes = new ReadyLanes({ start: () => processLane(scanners), most: lanesAtOnce });
  const ruleCosts = new RuleCosts({
    vault,
    library,
    events,
    lanes: scanLanes,
    packages: stores.packages,
    costs: stores.ruleCosts,
    rules: rulesPort(rules),
    native: new NativeEngine(scanners),
    settings: () => settings.read().values,
    logDefect: defectLog(foundation, 'ruleCosts.start'),
  });
  const scans: Scans = buildScans(foundation, {
    connect,
    exports,
    rules,
    ruleCosts,
    lanes: scanLanes,
    logDefect: defectLog(foundation, 'scans'),
    jobs: () => jobs.jobs,
  });
  const downloads = new Downloads({ connect, vault, library, events, platform, logDefect });
  const looks = new SampleLooks({ vault, library });
  const additions: Additions = new Additions({
    vault,
    library,
    staging,
    facts,
    store: stores.additions,
    settings: () => settings.read().values,
    makeLooks: (sha256s) => looks.looks(sha256s),
    jobs: () => jobs.jobs,
  });
  const libraryList: Library = new Library({
    store: library,
    reader: stores.libraryReader,
    changes: stores.libraryChanges,
    views: stores.views,
    vault,
    events,
    connect,
    slots,
    items: stores.jobReader,
    isCleaningUp: () => storage.isCleaningUp || backups.isRunning,
    jobs: () => jobs.jobs,
  });
  const workspaceIds = (): string[] => [labWorkspaceId, ...workspaceStore.list().map(({ id }) => id)];
  const cases: Cases = new Cases({
    desk: stores.backups.deskId,
    vault,
    library,
    events,
    reader: stores.libraryReader,
    comments: stores.comments,
    items: stores.jobReader,
    kept: stores.libraryChanges,
    workspaceIds,
    looks: (sha256s) => looks.looks(sha256s),
    offer: (prepared) => exports.offer(prepared),
    jobs: () => jobs.jobs,
  });
  const bundles = new Bundles({
    desk: stores.backups.deskId,
    vault,
    library,
    staging,
    events,
    tokens,
    keepOutOfLogs,
    path: stores.databasePath,
    store: stores.bundles,
    libraryReader: stores.libraryReader,
    packages: foundation.packages,
    packageStore: stores.packages,
    workspaceIds,
    addRules: (id, stagedId, bundled) => publications.publications.bringFile(id, stagedId, bundled),
    offer: (prepared) => exports.offer(prepared),
    jobs: () => jobs.jobs,
    logDefect: defectLog(foundation, 'bundles'),
  });
  const isBusy = (): boolean =>
    bundles.running + downloads.running + exports.running + looks.running + libraryList.forgetting + jobs.jobs.running >
    0;
  const storage: StorageUpkeep = new StorageUpkeep({
    vault,
    library,
    dataDirectory: platform.dataDirectory,
    checks: stores.vaultChecks,
    finishForgetting: () => libraryList.finishForgetting(),
    isBusy,
    jobs: () => jobs.jobs,
  });
  const backups: Backups = new Backups({
    platform,
    version: packageJson.version,
    store: stores.backups,
    vault,
    watchedFolder: () => stores.watch.folder()?.path ?? null,
    areBytesGoing: () => storage.isCleaningUp || libraryList.forgetting > 0 || jobs.jobs.list().some(isForgettingNow),
    jobs: () => jobs.jobs,
  });
  const jobs: Pick<Services, 'jobs' | 'exportJobs'> = buildJobs(foundation, {
    backups,
    bulk,
    exports,
    uploads,
    additions,
    scans,
    storage,
    library: libraryList,
    cases,
    bundles,
  });
  const host = new HostService({
    platform,
    version: packageJson.version,
    exportFolder,
    logPath: log.path,
    requireUnwatched: (folder) => requireUnwatched(folder, stores.watch.watched()),
  });
  return {
    host,
    stores,
    diagnostics: buildDiagnostics(foundation, { host, lab, scans, exports, jobs: jobs.jobs }),
    lab,
    workspaces: new Workspaces({
      workspaces: workspaceStore,
      settings,
      tokens,
      events,
      connect,
      proxyFor,
      keepOutOfLogs,
    }),
    samples: new Samples({
      connect,
      library,
      libraryReader: stores.libraryReader,
      scans: stores.scans,
      scanReader: stores.scanReader,
    }),
    downloads,
    bulk,
    exports,
    cases,
    bundles,
    uploads,
    additions,
    comments: new Comments({
      connect,
      library,
      events,
      repositoryOptions,
      store: stores.comments,
      reader: stores.commentReader,
      rememberForm: (id, commentForm) => rememberForm(foundation, id, commentForm),
      logDefect: defectLog(foundation, 'comments'),
    }),
    looks,
    storage,
    dataMoves: new DataMoves({ platform }),
    watch: new Watch({
      staging,
      facts,
      events,
      store: stores.watch,
      dataDirectory: platform.dataDirectory,
      chooseFolder: () => platform.chooseFolder('watch'),
      hasWorkspace: (id) => repositoryOptions(id) !== null,
      draft: (id, files) => uploads.addHeld(id, files),
      placeMoved: (id, contents) => uploads.placeMoved(id, contents),
      placeLost: () => uploads.placeLost(),
      scan: async (id, files) => (await scans.startWatched(id, files))?.id ?? null,
      job: (id) => jobs.jobs.list().find((job) => job.id === id) ?? null,
      logDefect: defectLog(foundation, 'watch'),
    }),
    backups,
    library: libraryList,
    journal: new JournalService({
      journal: stores.journal,
      reader: stores.journalReader,
      files: exports.files,
      offer: (prepared) => exports.offer(prepared),
    }),
    wordPass: new WordPass({
      upkeep: stores.words,
      isBusy: () => isBusy() || storage.isCleaningUp,
      logDefect: defectLog(foundation, 'library.words'),
    }),
    publishing: new Publishing({ connect, staging }),
    scans,
    ruleCosts,
    ruleTrials: new RuleTrials({
      vault,
      staging,
      library,
      store: stores.scans,
      packages: stores.packages,
      lanes: scanLanes,
      compiler: foundation.ruleLibrary,
      native: new NativeEngine(scanners),
      settings: () => stores.settings.read().values,
      logDefect: defectLog(foundation, 'ruleTrials.start'),
    }),
    trials: new Trials({
      packages: stores.packages,
      staging,
      events,
      journal: stores.journal,
      lanes: scanLanes,
      rules: rulesPort(rules),
      native: new NativeEngine(scanners),
      settings: () => settings.read().values,
      logDefect: defectLog(foundation, 'trials'),
    }),
    scanLanes,
    sampleBytes: new SampleBytes({ vault, staging, scanFile: (jobId, position) => stores.scans.file(jobId, position) }),
    ...publications,
    ...jobs,
  };
}

/** What no operation answers for. @returns the failure under whose id the log has it */
const defectLog =
  ({ logDefect }: Foundation, operation: string) =>
  (error: unknown): Failure => {
    const id = randomUUID();
    logDefect(id, operation, error);
    return { kind: 'unexpected', id };
  };

const isForgettingNow = ({ state, task }: Job): boolean =>
  state === 'running' && task.kind === 'library-change' && (task.what === 'bytes' || task.what === 'all');

/** Mutes and packages read rules of the same library. */
function buildPublications(
  foundation: Foundation,
  {
    connect,
    passwords,
    exports,
    engine,
  }: { connect: Connect; passwords: PackagePasswords; exports: Exports; engine(): Promise<LocalEngine> },
): Pick<Services, 'publications' | 'packageReading' | 'mutes'> & { rules: LoadedRules } {
  const { stores, staging, packages, ruleLibrary: library, events } = foundation;
  const { packages: store, workspaces } = stores;
  const rules = new LoadedRules({
    library,
    packages,
    store,
    passwords: (id) => passwords.all(id),
    tokens: (id) => tokensOf(stores.tokens, id),
  });
  const mutes = new Mutes({ store: stores.mutes, packages: store, rules, events });
  const packageReading = new PackageReading({
    store,
    rules,
    scans: stores.scanReader,
    costs: stores.ruleCosts,
    engine,
    mutedRules: (id, where) => mutes.mutedRules(id, where),
  });
  const publications = new Publications({
    connect,
    library,
    packages,
    store,
    staging,
    passwords,
    events,
    rules,
    files: exports.files,
    reading: packageReading,
    hasRuleEditor: (id) => {
      if (id === labWorkspaceId) return true;
      const row = workspaces.get(id);
      return row && row.ruleEditor !== null;
    },
    offer: (prepared) => exports.offer(prepared),
    logDefect: defectLog(foundation, 'publications'),
  });
  return { publications, packageReading, mutes, rules };
}

interface ScanParts {
  connect: Connect;
  exports: Exports;
  rules: LoadedRules;
  ruleCosts: RuleCosts;
  lanes: ReadyLanes;
  logDefect(error: unknown): Failure;
  jobs(): JobRunner;
}

function buildScans(
  { platform, stores, vault, staging, facts, events }: Foundation,
  { connect, exports, rules, ruleCosts, lanes, logDefect, jobs }: ScanParts,
): Scans {
  const { settings, workspaces } = stores;
  return new Scans({
    connect,
    vault,
    staging,
    facts,
    events,
    jobs,
    ruleCosts,
    files: exports.files,
    library: stores.library,
    packages: stores.packages,
    store: stores.scans,
    inputs: stores.huntInputs,
    coverage: stores.coverage,
    reader: stores.scanReader,
    rules: rulesPort(rules),
    native: new NativeEngine(scannerProcesses({ platform, stores })),
    lanes,
    logDefect,
    settings: () => settings.read().values,
    receiver: (id) => {
      if (id === labWorkspaceId) return { host: 'the lab of this computer', isHere: true };
      const address = workspaces.get(id)?.ruleEditor?.baseUrl ?? null;
      return address === null ? null : { host: new URL(address).host, isHere: false };
    },
    hasRepository: (id) => id === labWorkspaceId || (workspaces.get(id)?.repository ?? null) !== null,
    offer: (prepared) => exports.offer(prepared),
  });
}

function scannerProcesses({ platform, stores: { log } }: Pick<Foundation, 'platform' | 'stores'>): ScannerProcesses {
  return {
    platform,
    redact: (text) => log.redact(text),
    logExit: (exit) => log.write('warn', 'scanner.exit', { ...exit }),
  };
}

/** As far as they can be had: where the store is locked, none of them was sent. */
async function tokensOf(tokens: TokenStore, workspaceId: string): Promise<string[]> {
  const found = await Promise.all(
    (['repository', 'rule-editor'] as const).map((service) =>
      tokens.get(tokenName(workspaceId, service)).catch(() => null),
    ),
  );
  return found.filter((token) => token !== null);
}

const rulesPort = (rules: LoadedRules): RulesPort => ({
  fingerprints: (workspaceId, sha256) =>
    rules.with(workspaceId, [sha256], (library) =>
      library.fingerprints(libraryKey(workspaceId, sha256), rules.variables(workspaceId)),
    ),
  pieces: (workspaceId, sha256) =>
    rules.with(workspaceId, [sha256], (library) => library.pieces(libraryKey(workspaceId, sha256))),
  facts: (workspaceId, sha256, names) =>
    rules.with(workspaceId, [sha256], (library) => library.facts(libraryKey(workspaceId, sha256), names)),
});

type Workers = Pick<
  Services,
  'bulk' | 'exports' | 'uploads' | 'additions' | 'scans' | 'storage' | 'library' | 'backups' | 'cases' | 'bundles'
>;

/** The built-in lab has no row to remember it in, and needs none: it reads the documented form. */
function rememberForm(
  { stores: { workspaces }, events }: Foundation,
  id: string,
  commentForm: RepositoryOptions['commentForm'],
): void {
  const row = workspaces.get(id);
  if (row === null) return;
  workspaces.replace({ ...row, options: { ...row.options, commentForm } });
  events.emit({ name: 'workspaces.changed', payload: {} });
}

/** The runner is given what does the work, and exports are given the runner: they make jobs of their own. */
function buildJobs(
  foundation: Foundation,
  { bulk, exports, uploads, additions, scans, storage, library, cases, bundles, backups }: Workers,
): Pick<Services, 'jobs' | 'exportJobs'> {
  const { platform, stores, vault, events, logDefect } = foundation;
  const exportJobs = new ExportJobs({
    desk: stores.backups.deskId,
    vault,
    library: stores.library,
    libraryReader: stores.libraryReader,
    items: stores.jobReader,
    exports,
    jobs: () => jobs,
  });
  const jobs = new JobRunner({
    store: stores.jobs,
    runs: {
      'bulk-download': (work) => bulk.run(work),
      export: (work) => exportJobs.run(work),
      upload: (work) => uploads.run(work),
      scan: (work) => scans.run(work),
      hunt: (work) => scans.runHunt(work),
      'vault-check': (work) => storage.run(work),
      'library-add': (work) => additions.run(work),
      'library-change': (work) => library.run(work),
      'case-export': (work) => cases.run(work),
      backup: (work) => backups.run(work),
      bundle: (work) => bundles.runMaking(work),
      'bundle-import': (work) => bundles.runImport(work),
    },
    interrupted: {
      export: (job) => exportJobs.cleanUp(job),
      'case-export': (job) => cases.cleanUp(job),
      bundle: (job) => bundles.cleanUp(job),
      'bundle-import': () => {},
    },
    tell: (payload) => events.emit({ name: 'job.changed', payload }),
    forgotten: (id) => {
      events.emit({ name: 'job.forgotten', payload: { id } });
      cases.jobForgotten(id);
      void uploads.jobForgotten(id).catch(defectLog(foundation, 'uploads'));
      void additions.jobForgotten(id).catch(defectLog(foundation, 'additions'));
      void bundles.jobForgotten(id).catch(defectLog(foundation, 'bundles'));
      void scans.jobForgotten(id).catch(defectLog(foundation, 'scans'));
    },
    keepAwake: () => platform.keepAwake(),
    logDefect,
  });
  return { jobs, exportJobs };
}
