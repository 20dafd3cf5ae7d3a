import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultTimeouts } from '../../../shared/domain/workspace.ts';
import { heldFlat } from '../heap.ts';
import { type HostCalls, openHostCalls } from '../host-calls.ts';
import type { Held, Measured, Row, RowSettings } from '../row.ts';
import { Stages } from '../stages.ts';
import type { Stretch } from '../stretch.ts';
import { startWatchedHost, type WatchedHost } from '../watched-host.ts';
import { bulkReference, referenceSeconds, serve, type Served, settled } from './bulk.ts';

/**
 * One job of a hundred thousand samples in the host as it is started: its memory must not follow them, and the last of
 * them must come as fast as the first.
 */
export const loadBulk100k: Row = {
  name: 'load-bulk-100k',
  reference: bulkReference,
  limit:
    'SQLite, which writes several rows of each sample on the host’s own thread (library, search index, journal, ' +
    'job, index), and the disk, to which sixteen samples at a time are synced: 43 kB are written per 1 kB, and ' +
    'synced when the clock stops; the reference leaves its files to the system. Other load on the disk slows only ' +
    'our side; constant speed is checked separately.',
  aim: 1.5,
  must: 3,
  residentMustMiB: 600,
  longestMustMs: 50,
  measure: compare,
};

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  const served = await serve(folder, { samples: quick ? 6_000 : 100_000, bytesEach: 1024 });
  const host = await startWatchedHost(folder);
  try {
    const ours = await bulkThrough(host, served);
    const reference = await referenceSeconds(join(folder, 'reference'), served);
    const standstill = { what: 'host', ...ours.standstill };
    return { ratio: ours.seconds / reference, residentMiB: ours.residentMiB, longest: [standstill], held: ours.held };
  } finally {
    await host.stop();
  }
}

interface Loaded {
  /** Without the time for which the debugger stopped it. */
  seconds: number;
  standstill: Stretch;
  residentMiB: number | null;
  held: Held[];
}

async function bulkThrough(host: WatchedHost, { baseUrl, set }: Served): Promise<Loaded> {
  const call = await openHostCalls(await host.newLink());
  const id = await draftOf(call, baseUrl, (await readFile(set.listPath, 'utf8')).trim().split('\n'));
  await settled();
  const stages = await Stages.begin(host);
  await call('bulk.start', { id });
  await until(call, id, set.samples / 3);
  const first = await stages.heap();
  const firstSeconds = stages.seconds;
  await until(call, id, (set.samples * 2) / 3);
  const secondSeconds = stages.seconds;
  await until(call, id, set.samples * nearlyAll);
  const last = await stages.heap();
  await until(call, id, set.samples);
  const { seconds, standstill, residentMiB } = await stages.over();
  if ((await listingOf(call, id)) !== set.listing) throw new Error('the job lists other samples than were served');
  const pace = {
    what: 'last third to first, time',
    value: (seconds - secondSeconds) / firstSeconds,
    must: paceMust,
  };
  return {
    seconds,
    standstill,
    residentMiB,
    held: [...heldFlat('heap', { first, last, between: set.samples * (nearlyAll - 1 / 3) }), pace],
  };
}

/** Where the last look is taken: with as much under way as at the first one. */
const nearlyAll = 0.95;
const paceMust = 1.5;

/** @returns its number */
async function draftOf(call: HostCalls, baseUrl: string, hashes: readonly string[]): Promise<number> {
  const repository = { baseUrl, token: { kind: 'set' as const, token: 'bench' } };
  const draft = {
    name: 'bench',
    repository,
    ruleEditor: null,
    allowHttp: false,
    trust: { kind: 'system' as const },
    timeouts: defaultTimeouts,
  };
  const { id: workspaceId } = await call('workspaces.add', draft);
  const { id } = await call('bulk.create', { workspaceId });
  for (let at = 0; at < hashes.length; at += hashesACall)
    await call('bulk.add', { id, hashes: hashes.slice(at, at + hashesACall) });
  return id;
}

const hashesACall = 5_000;
const lookEveryMs = 50;

/** Until so many are done: a job that ends otherwise has no time worth telling. */
async function until(call: HostCalls, id: number, done: number): Promise<void> {
  for (;;) {
    const { jobs } = await call('jobs.list', {});
    const job = jobs.find((one) => one.id === id);
    if (job === undefined || job.state === 'paused' || job.state === 'cancelled')
      throw new Error(`job ${id} is ${job?.state}: ${JSON.stringify(job?.failure)}`);
    if (job.counts.done >= done && (done < job.items || job.state === 'done')) return;
    if (job.state === 'done') throw new Error(`of job ${id} came ${JSON.stringify(job.counts)}`);
    await pause(lookEveryMs);
  }
}

const itemsACall = 1_000;

/** In the form of the set's own listing. */
async function listingOf(call: HostCalls, id: number): Promise<string> {
  const listing = createHash('sha256');
  for (let offset = 0, total = 1; offset < total; offset += itemsACall) {
    const page = await call('jobs.items', {
      id,
      filter: { states: [], find: '' },
      sort: { column: 'position', descending: false },
      offset,
      limit: itemsACall,
    });
    total = page.total;
    for (const { md5, sha256, sizeBytes } of page.items)
      listing.update(`${String(md5)} ${String(sha256)} ${String(sizeBytes)}\n`);
  }
  return listing.digest('hex');
}
