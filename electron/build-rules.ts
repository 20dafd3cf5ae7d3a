import type { LocalEngine } from '../shared/domain/scan.ts';
import { isAbsent, type WorkspaceActions } from '../shared/domain/server-action.ts';
import { labWorkspaceId } from '../shared/domain/workspace.ts';
import { type Connect, tokenName } from './api/connections.ts';
import type { Connections } from './build-connections.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import { defectLog, type Foundation, type Services } from './services.ts';
import type { Exports } from './services/exports/exports.ts';
import { libraryKey, LoadedRules } from './services/publications/loaded-rules.ts';
import { Mutes } from './services/publications/mutes.ts';
import type { PackagePasswords } from './services/publications/package-passwords.ts';
import { PackageReading } from './services/publications/package-reading.ts';
import { Publications } from './services/publications/publications.ts';
import { type RulesPort, workersAtOnce } from './services/scans/local-scanner.ts';
import { NativeEngine, scanWorkerProcess, type ScannerProcesses } from './services/scans/native-engine.ts';
import { ReadyWorkers } from './services/scans/ready-workers.ts';
import { RuleCosts, RuleTrials, Scans } from './services/scans/scans.ts';
import { Trials } from './services/scans/trials.ts';
import type { TokenStore } from './storage/tokens/token-store.ts';

/** Packages of rules, what they find, and what they cost. */
export function buildRules(
  foundation: Foundation,
  { connect, passwords }: Connections,
  exports: Exports,
  services: () => Services,
): Pick<
  Services,
  'publications' | 'packageReading' | 'mutes' | 'scans' | 'ruleCosts' | 'ruleTrials' | 'trials' | 'scanWorkers'
> {
  const { rules, ...publications } = buildPublications(foundation, {
    connect,
    passwords,
    exports,
    engine: async () => (await services().scans.engine()).engine,
    actions: (id) => services().servers.actions(id),
  });
  const { stores, vault, staging, events } = foundation;
  const scanners = scannerProcesses(foundation);
  const workers = new ReadyWorkers({ start: () => scanWorkerProcess(scanners), most: workersAtOnce });
  const common = {
    packages: stores.packages,
    workers,
    rules: rulesPort(rules),
    native: new NativeEngine(scanners),
    settings: () => stores.settings.read().values,
  };
  const ruleCosts = new RuleCosts({
    ...common,
    vault,
    library: stores.library,
    events,
    costs: stores.ruleCosts,
    logDefect: defectLog(foundation, 'ruleCosts.start'),
  });
  return {
    ...publications,
    ruleCosts,
    scanWorkers: workers,
    scans: buildScans(foundation, {
      connect,
      exports,
      rules,
      ruleCosts,
      workers,
      cannotScan: (id) => isAbsent(services().servers.actions(id), 'scanfile'),
      jobs: () => services().jobs,
    }),
    ruleTrials: new RuleTrials({
      ...common,
      vault,
      staging,
      library: stores.library,
      store: stores.scans,
      compiler: foundation.ruleLibrary,
      logDefect: defectLog(foundation, 'ruleTrials.start'),
    }),
    trials: new Trials({
      ...common,
      staging,
      events,
      journal: stores.journal,
      logDefect: defectLog(foundation, 'trials'),
    }),
  };
}

/** Mutes and packages read rules of the same library. */
function buildPublications(
  foundation: Foundation,
  {
    connect,
    passwords,
    exports,
    engine,
    actions,
  }: {
    connect: Connect;
    passwords: PackagePasswords;
    exports: Exports;
    engine(): Promise<LocalEngine>;
    actions(workspaceId: string): WorkspaceActions;
  },
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
    actions,
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
  workers: ReadyWorkers;
  cannotScan(workspaceId: string): boolean;
  jobs(): JobRunner;
}

function buildScans(
  foundation: Foundation,
  { connect, exports, rules, ruleCosts, workers, cannotScan, jobs }: ScanParts,
): Scans {
  const { platform, stores, vault, staging, facts, events } = foundation;
  const { settings, workspaces } = stores;
  return new Scans({
    connect,
    vault,
    staging,
    facts,
    events,
    jobs,
    ruleCosts,
    cannotScan,
    files: exports.files,
    library: stores.library,
    packages: stores.packages,
    store: stores.scans,
    inputs: stores.huntInputs,
    coverage: stores.coverage,
    reader: stores.scanReader,
    rules: rulesPort(rules),
    native: new NativeEngine(scannerProcesses({ platform, stores })),
    workers,
    logDefect: defectLog(foundation, 'scans'),
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
