import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { OperationRequest } from '../../../shared/contract.ts';
import type { Job, JobItem } from '../../../shared/domain/job.ts';
import type { ProcessEnd } from '../../../shared/domain/process-end.ts';
import { everyResult, type FileGroup, type HuntScope, type ScanFilter } from '../../../shared/domain/scan.ts';
import { defaultSettings, type Settings } from '../../../shared/domain/settings.ts';
import { systemTiming } from '../../api/limits.ts';
import { NotedFiles } from '../../archive/export/export-file.ts';
import { EventHub } from '../../event-hub.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { HostProcess } from '../../platform/platform.ts';
import { openRuleLibrary, type RuleFingerprint } from '../../rules/rule-library.ts';
import type { Stores } from '../../storage/stores.ts';
import { foundPackage } from '../../storage/testing/package.fixture.ts';
import { openStagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import { openStaging, type Staging } from '../../vault/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { jobItems } from '../testing/job-items.fixture.ts';
import { openTestData } from '../testing/test-data.fixture.ts';
import { connectTo, createTestJobs, keepSample, listenLocally } from '../testing/test-host.fixture.ts';
import type { RulesPort } from './local-scanner.ts';
import { NativeEngine, scanWorkerProcess } from './native-engine.ts';
import { ReadyWorkers } from './ready-workers.ts';
import { RuleCosts } from './rule-costs.ts';
import { RuleTrials } from './rule-trials.ts';
import { Scans } from './scans.ts';
import { Trials } from './trials.ts';

/** A rule editor whose answers to `scanfile` a test decides. */
export interface ScanEditor {
  baseUrl: string;
  /** Bodies that came, as text. */
  received: string[];
  answer(response: ServerResponse, number: number): void;
  /** To `getfile`, where it is a repository as well. */
  record(response: ServerResponse): void;
  close(): void;
}

export async function startScanEditor(): Promise<ScanEditor> {
  const editor: ScanEditor = {
    baseUrl: '',
    received: [],
    answer: (response) => response.end('[]'),
    record: (response) => response.writeHead(404).end('{"error":{"code":"unknown-file","message":"unknown"}}'),
    close: () => server.close().closeAllConnections(),
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    editor.received.push((await buffer(request)).toString('latin1'));
    editor.answer(response, editor.received.length);
  };
  const server = createServer((request, response) => {
    if (request.url?.includes('action=getfile') === true) editor.record(response);
    // A client that leaves in the middle gets no answer.
    else take(request, response).catch(() => response.destroy());
  });
  editor.baseUrl = await listenLocally(server);
  return editor;
}

/** Scans over real stores, a real vault, real jobs and the real engines. */
export interface TestScans {
  stores: Stores;
  vault: Vault;
  staging: Staging;
  scans: Scans;
  ruleTrials: RuleTrials;
  ruleCosts: RuleCosts;
  trials: Trials;
  jobs: JobRunner;
  settings: Settings;
  workers: ReadyWorkers;
  /** SHA-256 of packages whose rules scans asked for. */
  piecesRead: readonly string[];
  events: EventHub;
  /** Milliseconds of the pauses that were asked for. They pass at once. */
  slept: number[];
  /** Throws what went wrong inside, if anything did. */
  requireSound(): void;
  /** Who the rule editor is said to be. */
  receiver: { host: string; isHere: boolean } | null;
  cannotScan: boolean;
  /** At the same address. */
  hasRepository: boolean;
  /** A package that is here and not active. @returns its SHA-256 */
  bring(rules: string): Promise<string>;
  fingerprints(sha256: string): Promise<RuleFingerprint[]>;
  /** Makes these rules the active package. */
  install(rules: string): Promise<void>;
  /** Puts samples into the vault. @returns their SHA-256 */
  keep(...samples: (string | Uint8Array)[]): Promise<string[]>;
  stage(name: string, bytes: string | Uint8Array): Promise<{ id: string }>;
  start(request: Partial<OperationRequest<'scans.start'>>): Promise<Job>;
  /** Starts it and waits until it is over or halted. */
  scan(request: Partial<OperationRequest<'scans.start'>>): Promise<Job>;
  hunt(scope: HuntScope): Promise<Job>;
  over(id: number): Promise<Job>;
  files(jobId: number, filter?: Partial<ScanFilter>): Promise<FileGroup[]>;
  items(jobId: number): Promise<JobItem[]>;
  close(): Promise<void>;
}

export const team = 'team';
export const sha256Of = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** As a platform starts it. */
function startScanner(): HostProcess {
  const child = fork(fileURLToPath(new URL('../../scanner.ts', import.meta.url)), [], {
    execArgv: [],
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = new Promise<ProcessEnd>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal, lastWords: '' })),
  );
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  return {
    post: (message) => {
      if (child.connected) child.send(message, () => {});
    },
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => void gone.then(listener),
    stop: kill,
    kill,
  };
}

export async function createTestScans(editor: Pick<ScanEditor, 'baseUrl'>, given?: string): Promise<TestScans> {
  const { data, stores, vault, close } = await openTestData(given);
  const staging = await openStaging(join(data, 'staging'));
  const facts = openStagedFacts(staging);
  const library = openRuleLibrary();
  const events = new EventHub();
  const processes = {
    platform: { startProcess: startScanner },
    redact: (text: string): string => text,
    logExit: (): void => {},
  };
  const defects: unknown[] = [];
  const workers = new ReadyWorkers({ start: () => scanWorkerProcess(processes), most: 2 });
  const texts = new Map<string, string>();
  const loaded = async (sha256: string): Promise<string> => {
    await library.load(sha256, [{ path: 'rules.yar', bytes: Buffer.from(texts.get(sha256) ?? '') }], []);
    return sha256;
  };
  const piecesRead: string[] = [];
  const port: RulesPort = {
    pieces: async (_, sha256) => {
      piecesRead.push(sha256);
      return library.pieces(await loaded(sha256));
    },
    fingerprints: async (workspaceId, sha256) =>
      library.fingerprints(await loaded(sha256), stores.packages.options(workspaceId).variables),
    facts: async (_, sha256, names) => library.facts(await loaded(sha256), names),
  };
  const ruleCosts = new RuleCosts({
    vault,
    workers,
    events,
    rules: port,
    packages: stores.packages,
    costs: stores.ruleCosts,
    library: stores.library,
    native: new NativeEngine(processes),
    settings: () => setup.settings,
    logDefect: (error) => {
      defects.push(error);
      return { kind: 'unexpected', id: 'a defect' };
    },
  });
  const scans: Scans = new Scans({
    vault,
    staging,
    facts,
    events,
    ruleCosts,
    connect: connectTo(editor.baseUrl, { token: 'a-token-of-the-team' }),
    library: stores.library,
    packages: stores.packages,
    store: stores.scans,
    inputs: stores.huntInputs,
    coverage: stores.coverage,
    reader: stores.scanReader,
    rules: port,
    native: new NativeEngine(processes),
    workers,
    logDefect: (error) => (defects.push(error), { kind: 'unexpected', id: 'logged' }),
    settings: () => setup.settings,
    receiver: () => setup.receiver,
    cannotScan: () => setup.cannotScan,
    hasRepository: () => setup.hasRepository,
    jobs: () => jobs,
    files: new NotedFiles(stores.fileNotes),
    offer: () => expect.fail('nothing is downloaded'),
    timing: { ...systemTiming, sleep: async (milliseconds) => void setup.slept.push(milliseconds) },
  });
  const { jobs } = createTestJobs(stores, {
    runs: { scan: (work) => scans.run(work), hunt: (work) => scans.runHunt(work) },
    forgotten: (id) => void scans.jobForgotten(id),
    logDefect: (_id, _operation, error) => void defects.push(error),
  });
  const ruleTrials = new RuleTrials({
    vault,
    staging,
    workers,
    store: stores.scans,
    packages: stores.packages,
    library: stores.library,
    compiler: library,
    native: new NativeEngine(processes),
    settings: () => setup.settings,
    logDefect: (error) => {
      defects.push(error);
      return { kind: 'unexpected', id: 'a defect' };
    },
  });
  const trials: Trials = new Trials({
    staging,
    events,
    workers,
    packages: stores.packages,
    journal: stores.journal,
    rules: {
      pieces: async (_, sha256) => library.pieces(await loaded(sha256)),
      fingerprints: async (_, sha256) => library.fingerprints(await loaded(sha256), []),
      facts: async () => [],
    },
    native: new NativeEngine(processes),
    settings: () => setup.settings,
    logDefect: (error) => {
      defects.push(error);
      return { kind: 'unexpected', id: 'a-test' };
    },
  });
  let installed = 0;
  const setup: TestScans = {
    piecesRead,
    stores,
    vault,
    staging,
    scans,
    trials,
    ruleTrials,
    ruleCosts,
    jobs,
    workers,
    events,
    requireSound: () => {
      const [first] = defects.splice(0);
      if (first !== undefined) throw new Error('a defect', { cause: first });
    },
    settings: { ...defaultSettings },
    slept: [],
    receiver: { host: 'rules.example', isHere: false },
    cannotScan: false,
    hasRepository: false,
    bring: async (rules) => {
      const sha256 = sha256Of(rules);
      texts.set(sha256, rules);
      installed += 1;
      const { rules: count } = await library.load(sha256, [{ path: 'rules.yar', bytes: Buffer.from(rules) }], []);
      if (!stores.packages.isKnown(team, sha256))
        stores.packages.recordFile(
          team,
          foundPackage(installed, { sha256, contents: { files: 1, rules: count, broken: 0 } }),
        );
      return sha256;
    },
    fingerprints: (sha256) => port.fingerprints(team, sha256),
    install: async (rules) => void stores.packages.activate(team, await setup.bring(rules)),
    keep: async (...samples) => {
      for (const sample of samples) await keepSample(vault, stores, Buffer.from(sample), team);
      return samples.map(sha256Of);
    },
    stage: async (name, bytes) => ({ id: (await staging.stageStream(name, onePiece(Buffer.from(bytes)))).id }),
    start: (request) =>
      scans.start({ workspaceId: team, engines: 'local', files: [], samples: [], tlp: null, ...request }),
    scan: async (request) => setup.over((await setup.start(request)).id),
    hunt: async (scope) => setup.over((await scans.startHunt({ workspaceId: team, scope })).id),
    over: async (id) => {
      const job = await haltedJob(jobs, id, { timeout: 60_000, interval: 10 });
      expect(job.active).toEqual([]);
      return job;
    },
    files: async (jobId, filter = {}) => {
      const { groups } = await scans.groups({
        jobId,
        by: 'file',
        filter: { ...everyResult, ...filter },
        offset: 0,
        limit: 1000,
      });
      return groups.flatMap((group) => (group.by === 'file' ? [group] : []));
    },
    items: async (jobId) => jobItems(stores, jobId),
    close: async () => {
      await jobs.close();
      await ruleCosts.close();
      await trials.close();
      scans.close();
      await ruleTrials.close();
      await workers.close();
      await Promise.all([facts.close(), library.close()]);
      await staging.close();
      await close();
    },
  };
  jobs.start();
  return setup;
}
