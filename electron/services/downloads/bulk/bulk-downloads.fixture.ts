import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { type ItemState, type Job, type JobItem, settledItems } from '../../../../shared/domain/job.ts';
import { defaultSettings, type Settings } from '../../../../shared/domain/settings.ts';
import { defaultTimeouts, type Timeouts } from '../../../../shared/domain/workspace.ts';
import { systemTiming, type Timing } from '../../../api/limits.ts';
import { writePlainZip } from '../../../archive/writing/plain-zip.ts';
import { temporaryFolder } from '../../../base/temporary-folder.fixture.ts';
import { haltedJob } from '../../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../../jobs/job-runner.ts';
import { WorkspaceSlots } from '../../../jobs/workspace-slots.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { Vault } from '../../../vault/vault.ts';
import { jobItems } from '../../testing/job-items.fixture.ts';
import { openTestData } from '../../testing/test-data.fixture.ts';
import { connectTo, createTestJobs, listenLocally } from '../../testing/test-host.fixture.ts';
import { BulkDownloads } from './bulk-downloads.ts';

/** One request as the repository got it. */
export interface Asked {
  action: string;
  hashes: string[];
}

export interface TestBulkDownloads {
  stores: Stores;
  vault: Vault;
  jobs: JobRunner;
  bulk: BulkDownloads;
  requests: Asked[];
  /** Every state of a job that was reported, in order. */
  reported: Job[];
  /** Runs a list to its end, or until it halts. */
  download(hashes: readonly string[]): Promise<Job>;
  settled(id: number): Promise<Job>;
  itemsOf(id: number): Promise<JobItem[]>;
  /** Hash → outcome. */
  outcomesOf(id: number): Promise<Record<string, ItemState>>;
  /** Ends it and opens it again over the same folder. */
  reopened(): Promise<TestBulkDownloads>;
  close(): Promise<void>;
}

export type Repository = (asked: Asked, response: ServerResponse) => void | Promise<void>;
const team = 'team';
/** Pauses between two tries take no time, but that others have their turn. */
const timing: Timing = { ...systemTiming, sleep: (_, signal) => systemTiming.sleep(0, signal) };

/**
 * Bulk downloads over real stores, a real vault and a real server that the test decides. Without a folder it makes one.
 */
export async function createTestBulkDownloads(
  repository: Repository,
  settings: Partial<Settings> = {},
  folder?: string,
  timeouts = defaultTimeouts,
): Promise<TestBulkDownloads> {
  return setupIn(folder ?? temporaryFolder(), repository, { ...defaultSettings, ...settings }, timeouts);
}

async function setupIn(
  folder: string,
  repository: Repository,
  settings: Settings,
  timeouts: Timeouts,
): Promise<TestBulkDownloads> {
  const requests: Asked[] = [];
  const { baseUrl, stop } = await serve(repository, requests);
  const { stores, vault, close: closeData } = await openTestData(folder);
  const reported: Job[] = [];
  const bulk = new BulkDownloads({
    connect: connectTo(baseUrl, { timeouts }),
    vault,
    library: stores.library,
    slots: new WorkspaceSlots(() => settings.bulkConnections),
    settings: () => settings,
    timing,
  });
  const { jobs } = createTestJobs(stores, {
    runs: { 'bulk-download': (work) => bulk.run(work) },
    report: (job) => void reported.push(job),
    logDefect: (_id, _operation, error) =>
      expect.fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  jobs.start();
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await jobs.close();
    stop();
    await closeData();
  };
  onTestFinished(close);
  const settled = (id: number): Promise<Job> => haltedJob(jobs, id, { interval: 10 });
  const itemsOf = async (id: number): Promise<JobItem[]> => jobItems(stores, id);
  return {
    stores,
    vault,
    jobs,
    bulk,
    requests,
    reported,
    settled,
    itemsOf,
    close,
    download: async (hashes) => {
      const id = jobs.create({ kind: 'bulk-download' }, team);
      await bulk.addTo(jobs, id, hashes);
      jobs.begin(id);
      const job = await settled(id);
      expect(settledItems(job) + job.counts.waiting).toBe(job.items);
      return job;
    },
    outcomesOf: async (id) => Object.fromEntries((await itemsOf(id)).map(({ hash, state }) => [hash, state])),
    reopened: async () => {
      await close();
      return setupIn(folder, repository, settings, timeouts);
    },
  };
}

async function serve(repository: Repository, requests: Asked[]): Promise<{ baseUrl: string; stop(): void }> {
  const server = createServer((request, response) => {
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const asked = {
      action: query.get('action') ?? '',
      hashes: [...query.getAll('files[]'), ...query.getAll('file'), ...query.getAll('hash')],
    };
    requests.push(asked);
    // A connection cut on purpose ends the writing of its own reply.
    Promise.resolve(repository(asked, response)).catch(() => response.destroy());
  });
  return { baseUrl: await listenLocally(server), stop: () => server.close().closeAllConnections() };
}

export const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Samples by MD5, each of its own bytes. */
export function samplesNamed(...names: string[]): Map<string, Buffer> {
  return new Map(
    names.map((name) => Buffer.from(`the bytes of ${name} `.repeat(40))).map((bytes) => [md5Of(bytes), bytes]),
  );
}

export async function zipOf(entries: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writePlainZip(
    entries.map(([name, bytes]) => ({ name, sizeBytes: bytes.length, open: () => [bytes] })),
  ))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** A repository that answers as those in the field do: all or nothing. */
export function repositoryOf(
  samples: ReadonlyMap<string, Uint8Array>,
  forbidden: ReadonlySet<string> = new Set(),
): Repository {
  return async ({ action, hashes }, response) => {
    const [only = ''] = hashes;
    if (action === 'getfile')
      return void response.end(JSON.stringify({ file: samples.has(only) ? { md5: only } : null }));
    if (hashes.some((hash) => forbidden.has(hash) || !samples.has(hash)))
      return void response.writeHead(403).end('Not enough rights');
    return void response.end(
      action === 'downloadfile'
        ? samples.get(only)
        : await zipOf(hashes.map((hash) => [hash, samples.get(hash) ?? Buffer.alloc(0)])),
    );
  };
}
