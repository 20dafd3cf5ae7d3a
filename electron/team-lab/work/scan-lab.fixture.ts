import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { expect, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { usualFormLimits } from '../../lab/form-fields.ts';
import { file, formHeaders, multipart } from '../../lab/multipart-body.fixture.ts';
import { type LabScanLimits, usualScanLimits } from '../../lab/scan-file.ts';
import { tokenDigest } from '../../lab/tokens.ts';
import type { ScanBy } from '../command-line.ts';
import { serveTeam } from '../commands.ts';
import type { HuntLab } from './hunt-lab.fixture.ts';
import type { RequestJob } from './scan-queue.ts';
import { type BegunRequest, ScanRequests } from './scan-requests.ts';

/** Compiling takes seconds on a machine that is busy with other tests. */
export const soon = { timeout: 400_000, interval: 20 };

/** A reply as a client gets it. */
export interface ScanReply {
  status: number;
  retryAfter: string | null;
  text: string;
}

/** A lab that answers `scanfile`. */
export interface ScanLab {
  scan(content: string | Uint8Array, name?: string): Promise<ScanReply>;
  /** A client that sends the beginning of a form, or all of it, and may leave. */
  client(sentBytes?: number, content?: string): ClientRequest;
  /** Those of the lab alone. */
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** In this process, until the test is over. `lines` collects its log. */
export async function serveScans(
  { addresses, stores }: HuntLab,
  scanBy: ScanBy,
  { limits = usualScanLimits, lines = [] }: { limits?: LabScanLimits; lines?: string[] } = {},
): Promise<ScanLab> {
  const { port, metricsPort, close } = await serveTeam(
    {
      kind: 'serve',
      listen: { host: '127.0.0.1', port: 0 },
      hosts: [],
      trustedProxies: [],
      metrics: { host: '127.0.0.1', port: 0 },
      scanBy,
      requestsPerMinute: 100_000,
      drainMs: 0,
      graceMs: 0,
      limits: usualFormLimits,
      passwordFile: null,
    },
    addresses,
    { result: () => {}, remark: () => {}, report: (error) => expect.fail(String(error)) },
    (line) => void lines.push(line),
    limits,
  );
  let closed: Promise<void> | null = null;
  const end = (): Promise<void> => (closed ??= close(0));
  onTestFinished(end);
  const token = randomBytes(32).toString('hex');
  const created = '2026-01-01T00:00:00.000Z';
  await stores.metadata.addToken({ name: 'ana', sha256: tokenDigest(token), rights: ['scan'], created });
  const address = `http://127.0.0.1:${port}/rules/api.php?action=scanfile&token=${token}`;
  return {
    scan: async (content, name = 'a.exe') => {
      const body = multipart(file(name, content));
      const response = await fetch(address, { method: 'POST', headers: formHeaders, body });
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        text: await response.text(),
      };
    },
    client: (sentBytes, content) => openClient(address, content, sentBytes),
    metrics: async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort ?? 0}/metrics`)).text();
      return text.replaceAll(/^(?!vitrine_).*\n/gm, '');
    },
    close: end,
  };
}

function openClient(address: string, content = 'needle', sentBytes?: number): ClientRequest {
  const body = multipart(file('a.exe', content));
  const client = request(address, {
    method: 'POST',
    agent: false,
    headers: { ...formHeaders, 'Content-Length': body.length },
  });
  client.on('error', () => {});
  client.write(body.subarray(0, sentBytes));
  return client;
}

/** The status of the reply. */
export async function statusOf(client: ClientRequest): Promise<number> {
  const [response] = z.tuple([z.looseObject({ statusCode: z.number() })]).parse(await once(client, 'response'));
  return response.statusCode;
}

/** What a test does in place of a worker: it has no engine. */
export class ManualWorker {
  readonly requests: ScanRequests;
  readonly #lab: HuntLab;

  constructor(lab: HuntLab) {
    this.#lab = lab;
    this.requests = new ScanRequests(lab.stores.database, lab.queue);
  }

  /** From now on it lives, for about as long as a test. */
  async live(tracks = 1): Promise<this> {
    await this.#lab.hunts.noteAlive('manual', tracks, true);
    return this;
  }

  /** The next request, when it comes. */
  async begin(): Promise<{ job: RequestJob; request: BegunRequest }> {
    const job = await vi.waitFor(async () => {
      const taken = await this.#lab.queue.takeRequest();
      if (taken === null) throw new Error('no request has come');
      return taken;
    }, soon);
    const begun = await this.requests.begin(job);
    if (begun === null) throw new Error('its client has left');
    return { job, request: begun };
  }
}

/** What is left of requests in the servers: places in the bucket, rows, and jobs that wait or run. */
export async function leftOf(lab: HuntLab): Promise<{ places: number; rows: number; jobs: number }> {
  const { entries } = await lab.stores.bucket.list('blob/', null);
  // A package has one.
  const published = await lab.count('SELECT count(*) FROM publication');
  return {
    places: entries.length - published,
    rows: await lab.count('SELECT count(*) FROM scan_request'),
    jobs: await lab.count(`SELECT count(*) FROM lab_queue.job WHERE name = 'scan-requests' AND state < 'completed'`),
  };
}

export const nothingLeft = { places: 0, rows: 0, jobs: 0 };
