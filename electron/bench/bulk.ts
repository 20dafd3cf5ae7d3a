import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { addRepository, type BenchHost, openHost } from './host.ts';
import { residentMiB } from './resident.ts';

const options = z.object({ 'base-url': z.url(), list: z.string().min(1), data: z.string().min(1) });
const hashesACall = 5000;
const itemsACall = 1000;

/**
 * One bulk download of the MD5s in a file, one a line, into a new data directory: from the first hash that the host
 * gets to the job's end. `listing` is the SHA-256 over `md5 sha256 size` of each, a line each, in the order of the
 * list.
 */
export async function benchBulk(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { 'base-url': { type: 'string' }, list: { type: 'string' }, data: { type: 'string' } },
  });
  const { 'base-url': baseUrl, list, data } = options.parse(values);
  const hashes = (await readFile(list, 'utf8')).split('\n').filter((line) => line !== '');
  const host = await openHost(data, null);
  try {
    const workspaceId = await addRepository(host, baseUrl);
    const begun = performance.now();
    const id = await fetched(host, workspaceId, hashes);
    const seconds = (performance.now() - begun) / 1000;
    const resident = residentMiB();
    return { job: id, seconds, residentMiB: resident, listing: await listingOf(host, id) };
  } finally {
    await host.close();
  }
}

async function fetched(host: BenchHost, workspaceId: string, hashes: readonly string[]): Promise<number> {
  const { id } = await host.ask('bulk.create', { workspaceId });
  for (let at = 0; at < hashes.length; at += hashesACall)
    await host.ask('bulk.add', { id, hashes: hashes.slice(at, at + hashesACall) });
  await host.ask('bulk.start', { id });
  await host.done(id);
  return id;
}

async function listingOf(host: BenchHost, id: number): Promise<string> {
  const listing = createHash('sha256');
  for (let offset = 0, total = 1; offset < total; offset += itemsACall) {
    const window = {
      filter: { states: [], find: '' },
      sort: { column: 'position' as const, descending: false },
      offset,
      limit: itemsACall,
    };
    const page = await host.ask('jobs.items', { id, ...window });
    total = page.total;
    for (const { state, md5, sha256, sizeBytes, failure } of page.items) {
      if (state !== 'done') throw new Error(`${String(md5)} is ${state}: ${JSON.stringify(failure)}`);
      listing.update(`${String(md5)} ${String(sha256)} ${String(sizeBytes)}\n`);
    }
  }
  return listing.digest('hex');
}
