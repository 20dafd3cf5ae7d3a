import { readdir, readFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { openStores } from '../storage/stores.ts';
import { openVault } from '../vault/vault.ts';
import { type BenchHost, openHost } from './host.ts';

const stockOptions = z.object({ data: z.string().min(1), files: z.string().min(1) });
const filesACommit = 200;

/**
 * Puts every file of a folder into the vault of a new data directory, small ones into packs, as a bulk download does.
 */
export async function benchStock(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' }, files: { type: 'string' } } });
  const { data, files } = stockOptions.parse(values);
  const stores = await openStores(data, null);
  const vault = await openVault(join(data, 'vault'), stores.packs);
  const names = await readdir(files);
  for (let at = 0; at < names.length; at += filesACommit) {
    const batch = vault.batch();
    const adding: Promise<unknown>[] = [];
    for (const name of names.slice(at, at + filesACommit)) {
      const bytes = new Uint8Array(await readFile(join(files, name)));
      await vault.waitForSpace(2 * bytes.length);
      adding.push(
        batch.add({ bytes, encoding: 'identity', sizeBytes: bytes.length, crc32: null }, { md5: null, sha256: null }),
      );
    }
    await Promise.all(adding);
    await batch.commit((kept) =>
      stores.library.recordDownloads(
        kept.map(({ sizeBytes, ...hashes }) => ({
          workspaceId: labWorkspaceId,
          md5: hashes.md5,
          hashes,
          sizeBytes,
          outcome: 'done',
        })),
      ),
    );
  }
  await vault.close();
  await stores.jobReader.close();
  stores.close();
  return { samples: names.length };
}

const engine = z.enum(['native', 'wasm']);
const huntOptions = z.object({ data: z.string().min(1), rules: z.string().min(1), engine });

/**
 * The whole vault under a package that was just installed, in a program that was just started: from the start of the
 * hunt to its end. `hits` are the files that were hit, to be compared with the reference's result.
 */
export async function benchHunt(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, rules: { type: 'string' }, engine: { type: 'string' } },
  });
  const { data, rules, engine: asked } = huntOptions.parse(values);
  const host = await openHost(data, null);
  try {
    await prepare(host, rules, asked);
    const begun = performance.now();
    const { id } = await host.ask('hunts.start', { workspaceId: labWorkspaceId, scope: { kind: 'all' } });
    const { counts } = await host.done(id);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, done: counts.done, hits: await hitsOf(host, id), engine: await engineOf(host, id) };
  } finally {
    await host.close();
  }
}

const memoryOptions = huntOptions.extend({ rounds: z.coerce.number().int().min(2) });
/** Rounds after which memory is what the later ones are held against. */
const firstRounds = 1;

/**
 * The vault hunted through again and again. `first`, `last`: what the host held after a round, without the processes
 * that scan for it.
 */
export async function benchScanMemory(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      rules: { type: 'string' },
      engine: { type: 'string' },
      rounds: { type: 'string' },
    },
  });
  const { data, rules, engine: asked, rounds } = memoryOptions.parse(values);
  const host = await openHost(data, null);
  const collector = new Collector();
  const held: Holding[] = [];
  try {
    await prepare(host, rules, asked);
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await host.ask('hunts.start', { workspaceId: labWorkspaceId, scope: { kind: 'all' } });
      await host.done(id);
      await collector.collect();
      held.push(holding());
    }
    return { first: held[firstRounds - 1], last: held.at(-1) };
  } finally {
    collector.close();
    await host.close();
  }
}

/** In MiB: of the whole process, and of that the objects that are in use. */
interface Holding {
  resident: number;
  heap: number;
}

const mebibyte = 1024 * 1024;

function holding(): Holding {
  const { rss, heapUsed } = process.memoryUsage();
  return { resident: rss / mebibyte, heap: heapUsed / mebibyte };
}

/**
 * Collects garbage as a debugger does: else a round shows how far the engine lets its heap grow before it collects, and
 * not what is kept.
 */
class Collector {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
  }

  /** Twice: what the first frees may have held others by a finalizer. */
  async collect(): Promise<void> {
    for (let time = 0; time < 2; time += 1) await this.#session.post('HeapProfiler.collectGarbage');
  }

  close(): void {
    this.#session.disconnect();
  }
}

/** Makes these rules the active package, for scans with this engine. */
export async function prepare(host: BenchHost, rules: string, asked: z.infer<typeof engine>): Promise<void> {
  await host.ask('settings.change', { scanEngine: asked });
  const { id } = await host.stage(rules);
  await host.ask('publications.addFile', { workspaceId: labWorkspaceId, stagedId: id, version: '1' });
  const { candidate } = await checked(host);
  if (candidate !== null) await host.ask('publications.activate', { workspaceId: labWorkspaceId, sha256: candidate });
  // Which engines there are is found out once a program, when it is first asked.
  await host.ask('scans.plan', { workspaceId: labWorkspaceId, isAhead: true });
}

async function checked(host: BenchHost): Promise<{ candidate: string | null }> {
  for (;;) {
    const { check, candidate } = await host.ask('publications.state', { workspaceId: labWorkspaceId });
    if (check === null) return { candidate };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const hitsOf = async (host: BenchHost, jobId: number): Promise<number> =>
  (await host.ask('scans.summary', { jobId })).withHits;

async function engineOf(host: BenchHost, jobId: number): Promise<string | null> {
  const { jobs } = await host.ask('jobs.list', {});
  const task = jobs.find(({ id }) => id === jobId)?.task;
  return task?.kind === 'hunt' ? task.local : null;
}
