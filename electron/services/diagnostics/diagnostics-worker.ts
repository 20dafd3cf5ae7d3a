import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import type { DiagnosticsPart } from '../../../shared/domain/diagnostics.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { createRedaction } from '../../base/redaction.ts';
import { lowerPriority } from '../../base/workers.ts';
import {
  databaseSummary,
  jobCounts,
  storedFailures,
  type StoredSettings,
  storedSettings,
} from '../../storage/database/database-summary.ts';
import { translateSqliteError } from '../../storage/database/sqlite-error.ts';
import { readingUntouched } from '../../storage/migrations/migrations.ts';
import { readingConnection } from '../../storage/reading/reading-connection.ts';
import { collectingOrder, type FromCollector } from './collecting.ts';
import { failureFacts, jobsFacts, recentFacts, settingsFacts } from './database-facts.ts';
import { type FilteredLog, filteredLog } from './log-filter.ts';

/**
 * Reads what a bug report needs in a separate thread. Each part is reported as soon as it is there, so that trouble
 * with one of them costs no other one.
 */
const port = parentPort ?? raise();
lowerPriority();
const order = collectingOrder.parse(workerData);
const database = join(order.dataDirectory, 'vitrine.db');
/** A shorter name is found by chance in words of the program. */
const shortestName = 4;

type Tried<T> = { value: T } | { reason: string };

/** What could be read, or why not: the kind of a failure, and the code of the system. */
function tried<T>(read: () => T): Tried<T> {
  try {
    return { value: read() };
  } catch (error) {
    return { reason: reasonOf(translateSqliteError(error, database)) };
  }
}

function reasonOf(error: Error): string {
  if (error instanceof FailureError)
    return [error.failure.kind, ...('code' in error.failure ? [error.failure.code] : [])].join(' ');
  return systemErrorCode(error) ?? ('code' in error && typeof error.code === 'string' ? error.code : error.name);
}

function readDatabase<T>(read: (sql: DatabaseSync) => T): Tried<T> {
  return tried(() => {
    if (!existsSync(database)) fail({ kind: 'data-gone', path: database });
    return order.isOpen ? readingOpen(read) : readingUntouched(database, read);
  });
}

function readingOpen<T>(read: (sql: DatabaseSync) => T): T {
  const sql = readingConnection(database);
  try {
    return read(sql);
  } finally {
    sql.close();
  }
}

function report<T>(part: DiagnosticsPart, read: Tried<T>, textOf: (value: T) => string): void {
  const made = 'reason' in read ? read : tried(() => textOf(read.value));
  post('reason' in made ? { kind: 'missing', part, reason: made.reason } : { kind: 'part', part, text: made.value });
}

const post = (message: FromCollector): void => port.postMessage(message);
const orWhy = <T>(read: Tried<T>, facts: (value: T) => unknown): unknown =>
  'reason' in read ? { missing: read.reason } : facts(read.value);

/** The password of exports, where it is the person's own. */
function passwordIn({ settings }: StoredSettings): string[] {
  const password = settings.get('exportPassword');
  return typeof password === 'string' && password !== defaultSettings.exportPassword ? [password] : [];
}

/** Addresses and names of the workspaces. */
function namesIn({ workspaces }: StoredSettings): string[] {
  const service = z.object({ baseUrl: z.string() }).nullable().catch(null);
  const body = z.object({ name: z.string().catch(''), repository: service, ruleEditor: service });
  return workspaces.flatMap(({ body: stored }) => {
    const { name = '', repository = null, ruleEditor = null } = body.safeParse(stored).data ?? {};
    return [
      name,
      ...[repository, ruleEditor].flatMap((one) =>
        one === null ? [] : [one.baseUrl, URL.parse(one.baseUrl)?.hostname ?? ''],
      ),
    ];
  });
}

function collect(): void {
  const settings = readDatabase(storedSettings);
  const [passwords, addresses] =
    'reason' in settings ? [[], []] : [passwordIn(settings.value), namesIn(settings.value)];
  const secrets = createRedaction([...order.secrets, ...passwords]);
  const names = createRedaction(
    [...order.secrets, ...passwords, ...order.names, ...addresses].filter((text) => text.length >= shortestName),
  );
  const redact = (text: string): string => names.text(text);
  // The last guard: what is a secret is in no text, whatever the filters let through.
  const jsonOf = (value: unknown, indent: number): string =>
    JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? secrets.data(each) : each), indent);
  const page = (value: unknown): string => `${jsonOf(value, 2)}\n`;
  const log = tried((): FilteredLog =>
    filteredLog(join(order.dataDirectory, 'logs'), redact, (entry) => jsonOf(entry, 0)),
  );
  report('log', log, ({ text }) => text);
  report('settings', settings, (stored) => page(settingsFacts(stored)));
  const stored = readDatabase(storedFailures);
  report('failures', { value: stored }, () =>
    page({
      answers: recentFacts(order.recent, redact),
      defects: orWhy(log, ({ defects }) => defects),
      stored: orWhy(stored, (failures) => failureFacts(failures, redact)),
    }),
  );
  report('jobs', readDatabase(jobCounts), (counts) => page(jobsFacts(counts)));
  report(
    'database',
    readDatabase((sql) => databaseSummary(sql, database)),
    (summary) => page(summary),
  );
  post({ kind: 'over' });
}

function raise(): never {
  throw new Error('this file is the entry of a worker');
}

collect();
port.close();
