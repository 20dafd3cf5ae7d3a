import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { FailureError } from '../../shared/failure.ts';
import { createRedaction } from '../base/redaction.ts';
import { LabError, OperatorError } from '../lab/errors.ts';
import { type AnsweredCall, type LabWatch, listen } from '../lab/server.ts';
import type { PgAudit } from './postgres/pg-audit.ts';
import type { PgDatabase } from './postgres/pg-database.ts';

export type LogEntry = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Lines of JSON for a log collector, one for each call and each defect. What is known to be secret is taken out. */
export class LabLog {
  readonly #write: (line: string) => void;
  readonly #redacted: (text: string) => string;

  constructor(write: (line: string) => void, secrets: readonly string[]) {
    this.#write = write;
    this.#redacted = createRedaction(secrets).text;
  }

  info(message: string, entry: LogEntry = {}): void {
    this.#line('info', message, entry);
  }

  /** A defect, damaged data, or a server that does not answer. */
  error(error: unknown): void {
    const isError = error instanceof Error;
    const cause = isError && error.cause instanceof Error ? error.cause.message : undefined;
    this.#line('error', isError ? error.message : String(error), {
      error: isError ? error.name : undefined,
      cause,
      stack: isError ? error.stack : undefined,
    });
  }

  #line(level: 'info' | 'error', message: string, entry: LogEntry): void {
    const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...entry });
    this.#write(this.#redacted(line.replaceAll(unescapedBreaks, escaped)));
  }
}

/** Valid in JSON as they are, but ends of lines for some collectors, and commands for some terminals. */
const unescapedBreaks = /[\u007f-\u009f\u2028\u2029]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const gatheredMs = 20;

/**
 * Lines that come within 20 ms are written at once, and what is left when the process exits: a write for each took a
 * tenth of the processor time of a short call. A process that is killed loses the last of them.
 */
export function gatherLines(write: (text: string) => void): (line: string) => void {
  let gathered = '';
  const writeGathered = (): void => {
    if (gathered !== '') write(gathered);
    gathered = '';
  };
  process.once('exit', writeGathered);
  return (line) => {
    if (gathered === '') setTimeout(writeGathered, gatheredMs).unref();
    gathered += `${line}\n`;
  };
}

/** Numbers of this process in Prometheus's text format. */
export class LabMetrics {
  readonly #registry = new Registry();
  readonly #calls = new Counter({
    name: 'vitrine_lab_requests_total',
    help: 'Requests answered, by action and status',
    labelNames: ['action', 'status'],
    registers: [this.#registry],
  });
  readonly #scans = new Counter({
    name: 'vitrine_lab_scans_total',
    help: 'Requests to scan a file, by outcome: scanned, failed, refused, busy, or left by the client',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: 'vitrine_lab_request_seconds',
    help: 'From the headers of a request to the end of its answer',
    labelNames: ['action'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600],
    registers: [this.#registry],
  });
  readonly #received = new Counter({
    name: 'vitrine_lab_received_bytes_total',
    help: 'Bytes of request bodies',
    registers: [this.#registry],
  });
  readonly #sent = new Counter({
    name: 'vitrine_lab_sent_bytes_total',
    help: 'Bytes of answers',
    registers: [this.#registry],
  });

  constructor(database: PgDatabase) {
    collectDefaultMetrics({ register: this.#registry });
    const connections = new Gauge({
      name: 'vitrine_lab_database_connections',
      help: 'Connections to the database, and calls that wait for one',
      labelNames: ['state'],
      registers: [this.#registry],
      collect: () => {
        for (const [state, count] of Object.entries(database.connections)) connections.set({ state }, count);
      },
    });
  }

  /** `waiting`: the files that wait for workers. Without an answer of the database there is no number. */
  watchQueue(waiting: () => Promise<number>): void {
    const queue: Gauge = new Gauge({
      name: 'vitrine_lab_scan_queue',
      help: 'Files of all labs that wait for a worker to scan them',
      registers: [this.#registry],
      collect: async () => {
        queue.set(await waiting().catch(() => Number.NaN));
      },
    });
  }

  answered({ action, status, milliseconds, receivedBytes, sentBytes }: AnsweredCall): void {
    const name = action ?? 'none';
    if (name === 'scanfile') this.#scans.inc({ outcome: scanOutcome(status) });
    this.#calls.inc({ action: name, status: String(status) });
    this.#seconds.observe({ action: name }, milliseconds / 1_000);
    this.#received.inc(receivedBytes);
    this.#sent.inc(Math.max(0, sentBytes));
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

function scanOutcome(status: number): 'scanned' | 'failed' | 'refused' | 'busy' | 'left' {
  if (status === 0) return 'left';
  if (status < 400) return 'scanned';
  if (status < 500) return 'refused';
  return status === 503 ? 'busy' : 'failed';
}

/** For a port that is taken: the sentence of `port-busy` names an option that this program does not have. */
export function portInUse(error: unknown, option: 'listen' | 'metrics'): unknown {
  if (!(error instanceof FailureError) || error.failure.kind !== 'port-busy') return error;
  const { port } = error.failure;
  return new OperatorError(
    `Port ${port} is in use. Another program is using it. Choose a different one with --${option}.`,
    { cause: error },
  );
}

/**
 * Serves the numbers at `/metrics`, without a token: on an address that only the collector reaches. Fails with
 * OperatorError where it cannot listen there.
 */
export async function serveMetrics(
  metrics: Pick<LabMetrics, 'text'>,
  { host, port }: { host: string; port: number },
  report: (error: unknown) => void,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      (error: unknown) => {
        report(error);
        response.writeHead(500).end();
      },
    );
  });
  try {
    return { port: await listen(server, port, host), close: () => closed(server) };
  } catch (error) {
    throw portInUse(error, 'metrics');
  }
}

async function closed(server: Server): Promise<void> {
  const over = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await over;
}

const minuteMs = 60_000;
/** Calls that a token may save up, as a share of a minute's: a page that opens makes many at once. */
const savedShare = 1 / 6;

/** So many calls in a minute for each token, on average; a token bucket. Each process counts for itself. */
export class RateLimit {
  readonly #perMs: number;
  readonly #saved: number;
  readonly #now: () => number;
  readonly #buckets = new Map<number, { calls: number; atMs: number }>();

  /** `now` in milliseconds, of a monotonic clock. */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMs = perMinute / minuteMs;
    this.#saved = Math.max(1, Math.floor(perMinute * savedShare));
    this.#now = now;
  }

  /** @throws LabError `too-many-requests`, with the seconds after which one more is accepted */
  admit(token: number): void {
    const now = this.#now();
    const { calls, atMs } = this.#buckets.get(token) ?? { calls: this.#saved, atMs: now };
    const left = Math.min(this.#saved, calls + (now - atMs) * this.#perMs);
    if (left < 1) {
      this.#buckets.set(token, { calls: left, atMs: now });
      const seconds = Math.ceil((1 - left) / this.#perMs / 1_000);
      throw new LabError('too-many-requests', 'This token makes too many requests.', {
        'Retry-After': String(seconds),
      });
    }
    this.#buckets.set(token, { calls: left - 1, atMs: now });
  }
}

/** Logs, counts, limits and puts on record what a lab answers. */
export function watchOver(parts: { log: LabLog; metrics: LabMetrics; limit: RateLimit; audit: PgAudit }): LabWatch {
  const { log, metrics, limit, audit } = parts;
  return {
    admit: ({ token }) => {
      if (token !== null) limit.admit(token);
    },
    record: ({ caller, action, about, from }) =>
      audit.record({ who: caller.name, what: action, about, from }, caller.token),
    answered: (call) => {
      metrics.answered(call);
      log.info('request', {
        action: call.action,
        status: call.status,
        milliseconds: Math.round(call.milliseconds),
        caller: call.caller?.name ?? null,
        token: call.caller?.token ?? null,
        from: call.from,
        received: call.receivedBytes,
        sent: call.sentBytes,
      });
    },
  };
}
