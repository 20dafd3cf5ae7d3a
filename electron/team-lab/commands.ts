import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import { currentInstant } from '../../shared/domain/clock.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { FailureError } from '../../shared/failure.ts';
import { WrongArguments } from '../lab/command-line.ts';
import type { LabPlace, Terminal } from '../lab/commands.ts';
import { OperatorError } from '../lab/errors.ts';
import { serveStores } from '../lab/lab.ts';
import { endOnSignals, obey, ownTerminal } from '../lab/program.ts';
import { readPasswordFile } from '../lab/readable-file.ts';
import { type FileScanner, type LabScanLimits, usualScanLimits } from '../lab/scan-file.ts';
import { stock, stockRules } from '../lab/stock.ts';
import { StoreUnavailable } from '../lab/stores/blob-store.ts';
import { createCallerOf } from '../lab/tokens.ts';
import {
  type HuntTask,
  readTeamArguments,
  type ServeTask,
  type TeamCommand,
  teamUsage,
  type WorkTask,
} from './command-line.ts';
import { moveLab } from './move/move-command.ts';
import { readDatabaseAddress } from './postgres/pg-address.ts';
import { PgAudit } from './postgres/pg-audit.ts';
import { PgDatabase } from './postgres/pg-database.ts';
import { openPgMetadata } from './postgres/pg-metadata-store.ts';
import { migrate, requireSchema } from './postgres/pg-schema.ts';
import { checkS3 } from './s3/s3-check.ts';
import { searchFiles } from './search/search-action.ts';
import { openBucket, openTeamStores, secretsOf, type TeamStores } from './team-stores.ts';
import { commandHunts } from './work/hunt-commands.ts';
import { QueueScanner } from './work/queue-scanner.ts';
import { ScanQueue } from './work/scan-queue.ts';
import { ScanRequests } from './work/scan-requests.ts';
import { startWork } from './work/work-command.ts';
import { portInUse, gatherLines, LabLog, LabMetrics, RateLimit, serveMetrics, watchOver } from './watch.ts';

/** The lab over servers that a team runs, as its arguments ask. */
export async function runTeamLab(args: readonly string[]): Promise<void> {
  const command = readTeamArguments(args);
  if (command === null) return ownTerminal.result(teamUsage);
  switch (command.kind) {
    case 'serve': {
      const { close } = await serveTeam(
        command,
        { blobs: requiredBlobs(command), database: command.database },
        ownTerminal,
      );
      return endOnSignals({ close }, command.graceMs);
    }
    case 'check':
      return checkTeam(command.database, requiredBlobs(command), ownTerminal);
    case 'migrate':
      return migrateTeam(command, ownTerminal);
    case 'audit':
      return listAudit(command, ownTerminal);
    case 'move':
      return moveLab(command, { blobs: requiredBlobs(command), database: command.database }, ownTerminal);
    case 'work': {
      const { close } = await startWork(command, { blobs: requiredBlobs(command), database: command.database });
      return endOnSignals({ close }, command.graceMs);
    }
    case 'hunt':
    case 'hunt-list':
    case 'hunt-cancel':
    case 'hunt-failed':
      return commandHunts(command, command.database, ownTerminal);
    default:
      return recordAndObey(command);
  }
}

/** The command line asks for it wherever bytes are touched. */
function requiredBlobs({ blobs }: TeamCommand): string {
  if (blobs === null) throw new WrongArguments('--blobs takes the address of the bucket.');
  return blobs;
}

function openDatabase(address: string, options?: ConstructorParameters<typeof PgDatabase>[1]): PgDatabase {
  return new PgDatabase(readDatabaseAddress(address), options);
}

/** Beside labs that are running, which share the same data. */
const placeOf = (command: TeamCommand): LabPlace => ({
  stores: () => openTeamStores({ database: command.database, blobs: requiredBlobs(command) }, ownTerminal.report),
  metadata: () => openPgMetadata(openDatabase(command.database)),
});

/** A command that a folder's lab has, too. */
type SharedCommand = Exclude<
  TeamCommand,
  { kind: 'serve' | 'check' | 'migrate' | 'audit' | 'move' | WorkTask['kind'] | HuntTask['kind'] }
>;

/** On record before it begins: a command that fails or is killed midway has changed something, too. */
async function recordAndObey(command: SharedCommand): Promise<void> {
  const about = aboutCommand(command);
  if (about !== null) await withAudit(command.database, (audit) => audit.recordCommand(command.kind, about));
  await obey(command, placeOf(command), ownTerminal);
}

async function withAudit<T>(address: string, work: (audit: PgAudit) => Promise<T>): Promise<T> {
  const database = openDatabase(address);
  try {
    await requireSchema(database);
    return await work(new PgAudit(database));
  } finally {
    await database.close();
  }
}

/** Null for a command that only reads. */
function aboutCommand(command: SharedCommand): readonly string[] | null {
  switch (command.kind) {
    case 'add':
      return command.files.map(({ name }) => name);
    case 'publish':
      return [command.version];
    case 'token-add':
      return [command.name, ...command.rights];
    case 'token-remove':
      return [String(command.id)];
    case 'sweep':
      return [];
    case 'token-list':
    case 'verify':
      return null;
    default:
      return assertNever(command);
  }
}

async function migrateTeam(command: Extract<TeamCommand, { kind: 'migrate' }>, { remark }: Terminal): Promise<void> {
  // An index over millions of rows takes longer than any other statement may.
  const database = openDatabase(command.database, { statementTimeoutMs: null });
  try {
    await migrate(database);
    // Before there are tables, nothing can be put on record.
    await new PgAudit(database).recordCommand('migrate', command.stocks ? ['stock'] : []);
  } finally {
    await database.close();
  }
  await ScanQueue.migrate(command.database);
  remark('The tables are those of this release.');
  if (!command.stocks) return;
  const stores = await placeOf(command).stores('');
  try {
    await stock(stores);
    await stockRules(stores);
  } finally {
    await stores.close();
  }
  remark('Sample files and starter rules are there.');
}

async function listAudit(
  command: Extract<TeamCommand, { kind: 'audit' }>,
  { result }: Pick<Terminal, 'result'>,
): Promise<void> {
  await withAudit(command.database, async (audit) => {
    for await (const page of audit.pages(command))
      for (const { at, who, what, from, about } of page)
        result([at, who, what, from ?? '-', about.join(',')].map(visibleLine).join('\t'));
  });
}

/** A line for each thing tried; ends at the last. @throws OperatorError when something the lab needs is missing */
async function checkTeam(address: string, blobs: string, { result, remark }: Terminal): Promise<void> {
  let missing = 0;
  let lacking = 0;
  const list = (what: string, words: string, isRequired: boolean): void => {
    if (words !== '' && isRequired) missing += 1;
    else if (words !== '') lacking += 1;
    const outcome = words === '' ? 'works' : isRequired ? 'fails' : 'lacks';
    result([outcome, what, ...(words === '' ? [] : [visibleLine(words)])].join('\t'));
  };
  const database = openDatabase(address);
  try {
    for (const { what, words } of await checkDatabase(database)) list(`${database.label}: ${what}`, words, true);
  } finally {
    await database.close();
  }
  const bucket = openBucket(blobs);
  try {
    for (const { step, words, isRequired } of await checkS3(bucket))
      list(`${bucket.shown}: ${step}`, words, isRequired);
  } finally {
    bucket.close();
  }
  if (missing > 0) throw new OperatorError(`${missing} of what the lab needs does not work.`);
  if (lacking > 0)
    remark('The lab runs without what lacks. Set a rule in the bucket that aborts unfinished uploads after a day.');
}

async function checkDatabase(database: PgDatabase): Promise<{ what: string; words: string }[]> {
  const found: { what: string; words: string }[] = [];
  const tried = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      found.push({ what, words: '' });
      return true;
    } catch (error) {
      const words = wordsOf(error);
      if (words === null) throw error;
      found.push({ what, words });
      return false;
    }
  };
  const one = { text: 'SELECT 1 AS one', row: z.object({ one: z.number() }) };
  if (!(await tried('reached', () => database.query(one)))) return found;
  // Into tables of another release nothing is written, also not to try it.
  if (!(await tried('tables of this release', () => requireSchema(database)))) return found;
  await tried('a row written, read and removed', () => writeReadRemove(database));
  return found;
}

/** What a server does not do, or lacks, in a sentence; null for a defect. */
function wordsOf(error: unknown): string | null {
  if (error instanceof OperatorError || error instanceof StoreUnavailable) return error.message;
  if (!(error instanceof FailureError)) return null;
  const { what, then } = sentenceFor(error.failure);
  return `${what}. ${then}`;
}

async function writeReadRemove(database: PgDatabase): Promise<void> {
  const row = z.object({ name: z.string() });
  const name = `check ${currentInstant()} ${process.pid}`;
  await database.query({ text: 'INSERT INTO fact (name, value) VALUES ($1, 1) RETURNING name', row }, [name]);
  const removed = await database.query({ text: 'DELETE FROM fact WHERE name = $1 RETURNING name', row }, [name]);
  if (removed.length !== 1) throw new OperatorError('A row that was written is not there.');
}

/** A revoked token is refused by every process after this time at most. */
const tokenRememberedMs = 500;

/** Serves over a team's stores. @returns its ports, and how it ends: not ready, not listening, then cut off */
export async function serveTeam(
  task: ServeTask,
  addresses: { database: string; blobs: string },
  { remark }: Terminal,
  write: (line: string) => void = gatherLines((text) => void process.stdout.write(text)),
  scanLimits: LabScanLimits = usualScanLimits,
): Promise<{ port: number; metricsPort: number | null; close(graceMs: number): Promise<void> }> {
  const packagePassword = task.passwordFile === null ? null : await readPasswordFile(task.passwordFile);
  const log = new LabLog(write, [...secretsOf(addresses), ...(packagePassword === null ? [] : [packagePassword])]);
  const report = (error: unknown): void => log.error(error);
  const stores = await openTeamStores(addresses, report);
  if (stores.bucketAway !== null) report(stores.bucketAway);
  const metrics = new LabMetrics(stores.database);
  const readiness = new Readiness(stores);
  const watch = watchOver({
    log,
    metrics,
    limit: new RateLimit(task.requestsPerMinute),
    audit: new PgAudit(stores.database),
  });
  const measured = task.metrics && (await serveMetrics(metrics, task.metrics, report).catch(closing(stores)));
  const scanning =
    task.scanBy === 'workers' ? { address: addresses.database, limits: scanLimits, metrics, report } : null;
  const scanner = scanning && (await openQueueScanner(stores, scanning).catch(closing(stores, measured)));
  const lab = await serveStores(stores, {
    port: task.listen.port,
    address: task.listen.host,
    hosts: task.hosts,
    trustedProxies: task.trustedProxies,
    limits: task.limits,
    packagePassword,
    scanLimits,
    ...(scanner === null ? {} : { scanner }),
    callerOf: createCallerOf(stores.metadata, null, tokenRememberedMs),
    probeAt: (path) => readiness.at(path),
    watch,
    moreActions: new Map([['searchfiles', searchFiles(stores.database)]]),
    report,
    sweep: (signal) => stores.sweepInTurn(signal),
  }).catch(async (error: unknown) => {
    // A server that listens would keep the process alive.
    await measured?.close();
    throw portInUse(error, 'listen');
  });
  log.info('listening', { address: task.listen.host, port: lab.port, metrics: measured?.port ?? null });
  remark(`Lab repository: http://${task.listen.host}:${lab.port}/repository/api.php`);
  return {
    port: lab.port,
    metricsPort: measured?.port ?? null,
    close: async (graceMs) => {
      log.info('ending');
      readiness.end();
      await delay(task.drainMs);
      await lab.close(graceMs);
      await measured?.close();
      log.info('ended');
    },
  };
}

/** For what cannot begin. */
const closing =
  (stores: TeamStores, measured: { close(): Promise<void> } | null = null) =>
  async (error: unknown): Promise<never> => {
    await measured?.close();
    await stores.close();
    throw error;
  };

interface QueueScanning {
  /** Of the database. */
  address: string;
  limits: LabScanLimits;
  metrics: LabMetrics;
  report(error: unknown): void;
}

/** Closing it closes its connections, not the stores. */
async function openQueueScanner(
  { blobs, database }: TeamStores,
  { address, limits, metrics, report }: QueueScanning,
): Promise<FileScanner> {
  const queue = await ScanQueue.open(address, { lab: database, supervises: false, report });
  const requests = new ScanRequests(database, queue);
  metrics.watchQueue(() => requests.waiting());
  const scanner = new QueueScanner({ blobs, requests, address: readDatabaseAddress(address), limits, report });
  return {
    lend: (work) => scanner.lend(work),
    close: async () => {
      await scanner.close();
      await queue.close();
    },
  };
}

type Probed = { status: number; body: object };

/** What a balancer asks: `/healthz`, whether the process lives, and `/readyz`, whether it can answer now. */
class Readiness {
  readonly #stores: TeamStores;
  #isEnding = false;

  constructor(stores: TeamStores) {
    this.#stores = stores;
  }

  /** From now on it is not ready. */
  end(): void {
    this.#isEnding = true;
  }

  /** Null for any other path. Never fails. */
  at(path: string): Promise<Probed> | null {
    if (path === '/healthz') return Promise.resolve({ status: 200, body: { status: 'ok' } });
    return path === '/readyz' ? this.#ready() : null;
  }

  /** Without the bucket records are answered all the same: it alone takes no lab from its balancer. */
  async #ready(): Promise<Probed> {
    if (this.#isEnding) return { status: 503, body: { status: 'ending' } };
    const database = await this.#stores.database.query({ text: 'SELECT 1 AS one', row: z.unknown() }).then(
      () => 'ok',
      () => 'unavailable',
    );
    return { status: database === 'ok' ? 200 : 503, body: { status: database === 'ok' ? 'ok' : 'waiting', database } };
  }
}
