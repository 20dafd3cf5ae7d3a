import { type Db, PgBoss } from 'pg-boss';
import { z } from 'zod';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase, type Queries } from '../postgres/pg-database.ts';
import { SchemaOutdated } from '../postgres/pg-schema.ts';

/** A piece of a hunt, by the number of the run and its own within it. */
const piece = z.object({ run: z.number(), number: z.number() });
export type PieceName = z.output<typeof piece>;

/** A file that a client waits for, by the identifier of its row. */
const requested = z.object({ request: z.string() });

const touched = z.object({ affected: z.number() });

/** A piece that this process has taken. */
export interface PieceJob {
  piece: PieceName;
  /** How often it was taken before and not finished. */
  retries: number;
  /** It was taken too often: it is only to be given up. */
  isLost: boolean;
  claim: Claim;
}

/** A request that this process has taken. */
export interface RequestJob {
  request: string;
  claim: Claim;
}

interface Claim {
  id: string;
  retryCount: number;
}

const queues = { pieces: 'hunt-pieces', lost: 'hunt-pieces-lost', requests: 'scan-requests' } as const;
/** How often a process reports that it still works at a job. */
export const heartbeatMs = 5_000;
/** A job that was silent for so long is given to another. */
const silentSeconds = 15;
/** How often one of the processes looks for jobs that are silent. */
const supervisedSeconds = 5;
/** Once for each sample that ends a worker, and a few besides: by then the worker itself must be at fault. */
const retries = 20;
const longestJobSeconds = 24 * 60 * 60;
/** Of a job that waits: until then no worker ran at all. */
const waitsSeconds = 365 * 24 * 60 * 60;
const keptSeconds = 60 * 60;
const settings = {
  retentionSeconds: waitsSeconds,
  deleteAfterSeconds: keptSeconds,
  retryDelay: 1,
  heartbeatSeconds: silentSeconds,
  expireInSeconds: longestJobSeconds,
} as const;
/** As long as pg-boss accepts. */
const mostSchemaName = 50;

/**
 * Jobs for workers, kept by pg-boss in a schema beside the lab's tables: `lab_queue`, or for a lab whose search path
 * names another schema than `public` first, `NAME_queue`. It has a pool of its own, because its maintenance takes
 * longer than a statement of the lab may; at most two connections. Jobs are taken and held through the lab's pool,
 * whose statements end: without that, a network that has gone silent would hold a worker for a quarter of an hour.
 */
export class ScanQueue {
  readonly #database: PgDatabase;
  readonly #boss: PgBoss;
  /** For what must end soon. */
  readonly #quick: { db: Db };

  private constructor(database: PgDatabase, boss: PgBoss, lab: PgDatabase) {
    this.#database = database;
    this.#boss = boss;
    this.#quick = { db: adapterOf(lab) };
  }

  /** Creates the tables of the queue, or brings them to this release. */
  static async migrate(address: string): Promise<void> {
    const database = openDatabase(address);
    try {
      const boss = await bossOver(database, { migrates: true, supervises: false }, () => {});
      await boss.start();
      try {
        await createQueue(boss, queues.lost, { ...settings, retryLimit: 1_000 });
        await createQueue(boss, queues.requests, { ...settings, deleteAfterSeconds: 60, retryLimit: retries });
        await createQueue(boss, queues.pieces, { ...settings, retryLimit: retries, deadLetter: queues.lost });
      } finally {
        await boss.stop();
      }
    } finally {
      await database.close();
    }
  }

  /**
   * `lab` is the lab's own pool over the same database. `supervises`: it looks for jobs whose worker is gone, in turns
   * with other processes. `report` takes what goes wrong in between. Fails with SchemaOutdated where `migrate` was not
   * run, and as PgDatabase does.
   */
  static async open(
    address: string,
    { lab, supervises, report }: { lab: PgDatabase; supervises: boolean; report: (error: unknown) => void },
  ): Promise<ScanQueue> {
    const database = openDatabase(address);
    try {
      const boss = await bossOver(database, { migrates: false, supervises }, report);
      await start(boss, database);
      return new ScanQueue(database, boss, lab);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** They are there with the transaction's other changes, or not at all. */
  async add(pieces: readonly PieceName[], queries: Queries): Promise<void> {
    if (pieces.length === 0) return;
    await this.#boss.insert(
      queues.pieces,
      pieces.map((data) => ({ data })),
      { db: adapterOf(queries) },
    );
  }

  /** A worker must begin and end it within so many seconds. It comes with the transaction's other changes, as `add`. */
  async addRequest(request: string, seconds: number, queries: Queries): Promise<void> {
    const limits = { retentionSeconds: seconds, expireInSeconds: seconds };
    await this.#boss.insert(queues.requests, [{ id: request, data: { request }, ...limits }], {
      db: adapterOf(queries),
    });
  }

  /** Also one that a worker has taken, which learns of it by `isStillOurs`. */
  async removeRequest(request: string, queries: Queries): Promise<void> {
    await this.#boss.deleteJob(queues.requests, request, { db: adapterOf(queries) });
  }

  /** Null: none waits. */
  async takeRequest(): Promise<RequestJob | null> {
    const [job] = await this.#boss.fetch<unknown>(queues.requests, this.#quick);
    if (job === undefined) return null;
    const { id, retryCount } = job;
    return { ...requested.parse(job.data), claim: { id, retryCount } };
  }

  /** Null: none waits. */
  async take(): Promise<PieceJob | null> {
    for (const name of [queues.pieces, queues.lost]) {
      const [job] = await this.#boss.fetch<unknown>(name, this.#quick);
      if (job === undefined) continue;
      const { id, retryCount } = job;
      return {
        piece: piece.parse(job.data),
        retries: retryCount,
        isLost: name === queues.lost,
        claim: { id, retryCount },
      };
    }
    return null;
  }

  /** False: the job was given to another, because nothing was heard of this process, or it was removed. */
  async isStillOurs(job: PieceJob | RequestJob): Promise<boolean> {
    return touched.parse(await this.#boss.touch(queueOf(job), job.claim, this.#quick)).affected > 0;
  }

  /** It is over with the transaction's other changes, or not at all. */
  async complete(job: PieceJob | RequestJob, queries: Queries): Promise<void> {
    await this.#boss.complete(queueOf(job), job.claim, null, { db: adapterOf(queries) });
  }

  /** Another process, or this one, is to try again. */
  async fail(job: PieceJob | RequestJob, reason: string): Promise<void> {
    await this.#boss.fail(queueOf(job), job.claim, { reason }, this.#quick);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
    await this.#database.close();
  }
}

function queueOf(job: PieceJob | RequestJob): string {
  if ('request' in job) return queues.requests;
  return job.isLost ? queues.lost : queues.pieces;
}

const openDatabase = (address: string): PgDatabase =>
  new PgDatabase(readDatabaseAddress(address), { connections: 2, statementTimeoutMs: null });

type QueueSettings = NonNullable<Parameters<PgBoss['createQueue']>[1]>;

/** One that is there gets the settings of this release. */
async function createQueue(boss: PgBoss, name: string, options: QueueSettings): Promise<void> {
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, options);
  else await boss.updateQueue(name, options);
}

async function bossOver(
  database: PgDatabase,
  { migrates, supervises }: { migrates: boolean; supervises: boolean },
  report: (error: unknown) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: adapterOf(database),
    schema: await schemaBeside(database),
    migrate: migrates,
    schedule: false,
    supervise: supervises,
    superviseIntervalSeconds: supervisedSeconds,
    monitorIntervalSeconds: supervisedSeconds,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  boss.on('error', (error: unknown) => report(reportable(error)));
  return boss;
}

const plainError = z.looseObject({ message: z.string(), stack: z.string().optional() });

/** pg-boss emits some errors as plain objects with their fields, of which a log would show none. */
export function reportable(error: unknown): unknown {
  const plain = error instanceof Error ? null : plainError.safeParse(error).data;
  if (plain === null || plain === undefined) return error;
  const { message, stack } = plain;
  const made = new Error(`The queue failed: ${message}`, { cause: error });
  if (stack !== undefined) made.stack = stack;
  return made;
}

async function schemaBeside(database: PgDatabase): Promise<string> {
  const [at] = await database.query({
    text: 'SELECT current_schema() AS schema',
    row: z.object({ schema: z.string().nullable() }),
  });
  const own = at?.schema ?? null;
  if (own === null) throw new SchemaOutdated(`The ${database.label} has no schema that its search path names.`);
  const name = own === 'public' ? 'lab_queue' : `${own}_queue`;
  if (!/^[a-z_][a-z0-9_]*$/.test(name) || name.length > mostSchemaName)
    throw new SchemaOutdated(
      `The schema ${own} cannot have a queue: its name takes lower-case letters, digits and "_", at most 44.`,
    );
  return name;
}

async function start(boss: PgBoss, { label }: PgDatabase): Promise<void> {
  if (!(await boss.isInstalled()))
    throw new SchemaOutdated(`The ${label} has no queue yet. Run "migrate" once to create it.`);
  try {
    await boss.start();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    // pg-boss compares the version of its tables with its own, and has no other reason not to start.
    throw new SchemaOutdated(`The queue of the ${label} is one of another release. Run "migrate" with the newest.`, {
      cause: error,
    });
  }
}

const adapterOf = (queries: Pick<Queries, 'foreign'>): Db => ({
  executeSql: (text, values) => queries.foreign(text, values),
});
