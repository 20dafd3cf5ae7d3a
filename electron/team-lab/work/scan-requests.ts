import { z } from 'zod';
import { Mutex } from '../../../shared/mutex.ts';
import { LabError, type LabErrorCode } from '../../lab/errors.ts';
import type { StoredBlob } from '../../lab/stores/metadata-store.ts';
import type { PgDatabase, Queries } from '../postgres/pg-database.ts';
import { aliveSeconds } from './hunts.ts';
import type { RequestJob, ScanQueue } from './scan-queue.ts';

/** A file whose client waits for a reply. Its bytes are in the store, and no row of a sample names them. */
export interface ScanRequest {
  /** A UUID. */
  id: string;
  /** The publication's identifier. */
  publication: string;
  name: string;
  blob: StoredBlob;
}

/** A request that a worker has begun. */
export interface BegunRequest extends ScanRequest {
  /** How often it was begun by now, this time included. */
  tries: number;
  /** Until its client waits no longer. */
  leftMs: number;
}

const codes = ['body-too-large', 'file-damaged', 'internal', 'scan-timed-out', 'scan-failed', 'unavailable'] as const;
export type ScanFailureCode = (typeof codes)[number] & LabErrorCode;

/** The JSON of the reply, or why there is none. */
export type ScanAnswer = { reply: string } | { code: ScanFailureCode; message: string };

/** Where a request is, for its client. */
export interface RequestState {
  id: string;
  isAnswered: boolean;
  /** A worker has begun it. */
  isBegun: boolean;
  /** There is a worker that may answer it: one that takes requests, or for one that was begun, one that lives. */
  hasWorker: boolean;
}

/** Notified with the identifier of a request when it is answered. */
export const answeredChannel = 'vitrine_scan_answered';
/** Requests that wait for each track of a worker: a track takes seconds for one. */
const waitingForTrack = 20;
/** Of all requests, because each keeps a file in the store. */
const mostWaiting = 1_000;
/** Headers of a refusal. */
export const comeAgain = { 'Retry-After': '5' };
/** Any number that no other program of the same database takes for its own locks. */
const lockClass = 0x7669_7473;

const nothing = z.unknown();
const count = z.object({ count: z.number() });
const open = 'reply IS NULL AND expires > now()';
const begunRow = z.object({
  publication: z.string(),
  name: z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString()),
  sha256: z.string(),
  sizeBytes: z.number(),
  place: z.string(),
  tries: z.number(),
  leftMs: z.number(),
});
const answerRow = z.object({ code: z.enum(codes).nullable(), reply: z.string() });
const stateRow = z.object({ id: z.string(), isAnswered: z.boolean(), isBegun: z.boolean() });

/** Requests to scan a file, from their client to a worker and back. Fails as PgDatabase does. */
export class ScanRequests {
  readonly #database: PgDatabase;
  readonly #queue: ScanQueue;
  readonly #adding = new Mutex();

  constructor(database: PgDatabase, queue: ScanQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  /** Those that no worker has answered yet. */
  async waiting(queries: Queries = this.#database): Promise<number> {
    const [found] = await queries.query({ text: `SELECT count(*) FROM scan_request WHERE ${open}`, row: count });
    return found?.count ?? 0;
  }

  /** Tracks of the workers that live, and of those among them that take requests. */
  async #tracks(queries: Queries): Promise<{ living: number; taking: number }> {
    const [found] = await queries.query(
      {
        text: `SELECT coalesce(sum(tracks), 0)::bigint AS living,
                 coalesce(sum(tracks) FILTER (WHERE takes_requests), 0)::bigint AS taking
               FROM scan_worker WHERE seen > now() - make_interval(secs => $1)`,
        row: z.object({ living: z.number(), taking: z.number() }),
      },
      [aliveSeconds],
    );
    return found ?? { living: 0, taking: 0 };
  }

  /** @throws LabError `busy` when no worker takes requests, or too many requests wait for those that do */
  async requireSpace(queries: Queries = this.#database): Promise<void> {
    const { taking } = await this.#tracks(queries);
    if (taking === 0) throw noWorker();
    const waiting = await this.waiting(queries);
    if (waiting >= Math.min(mostWaiting, waitingForTrack * taking))
      throw new LabError('busy', `${waiting} files wait to be scanned. Try again later.`, comeAgain);
  }

  /** It is given up after so many seconds. @throws LabError as `requireSpace` */
  async add({ id, publication, name, blob }: ScanRequest, seconds: number): Promise<void> {
    const { sha256, sizeBytes, place } = blob;
    const work = async (queries: Queries): Promise<void> => {
      // Labs that add at the same moment would all find the last place free.
      await queries.execute(`SELECT pg_advisory_xact_lock(${lockClass}, hashtext(coalesce(current_schema(), '')))`);
      await this.requireSpace(queries);
      await queries.query(
        {
          text: `INSERT INTO scan_request (id, publication, name, sha256, size, place, expires)
                 VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
          row: nothing,
        },
        [id, publication, Buffer.from(name), Buffer.from(sha256, 'hex'), sizeBytes, place, seconds],
      );
      await this.#queue.addRequest(id, seconds, queries);
    };
    // One connection of this process waits for the lock, and leaves the others to other work.
    await this.#adding.run(() => this.#database.transaction(work));
  }

  /** Of those that are there. */
  async states(ids: readonly string[]): Promise<RequestState[]> {
    const found = await this.#database.query(
      {
        text: `SELECT id, reply IS NOT NULL AS "isAnswered", tries > 0 AS "isBegun"
               FROM scan_request WHERE id = ANY($1::text[]::uuid[])`,
        row: stateRow,
      },
      [ids],
    );
    const { living, taking } = await this.#tracks(this.#database);
    return found.map((state) => ({ ...state, hasWorker: (state.isBegun ? living : taking) > 0 }));
  }

  /** Reads an answer, and removes it. Null: there is none. */
  async take(id: string): Promise<ScanAnswer | null> {
    const [found] = await this.#database.query(
      { text: 'DELETE FROM scan_request WHERE id = $1 AND reply IS NOT NULL RETURNING code, reply', row: answerRow },
      [id],
    );
    if (found === undefined) return null;
    const { code, reply } = found;
    return code === null ? { reply } : { code, message: reply };
  }

  /** For a client that waits no longer. A worker that has begun it learns of it. */
  async cancel(id: string): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await queries.query({ text: 'DELETE FROM scan_request WHERE id = $1', row: nothing }, [id]);
      await this.#queue.removeRequest(id, queries);
    });
  }

  /** Null: its client waits no longer, or has its answer. */
  async begin({ request }: RequestJob): Promise<BegunRequest | null> {
    const [found] = await this.#database.query(
      {
        text: `UPDATE scan_request SET tries = tries + 1 WHERE id = $1 AND ${open}
               RETURNING publication, name, encode(sha256, 'hex') AS sha256, size AS "sizeBytes", place, tries,
                 (1000 * extract(epoch FROM expires - now()))::bigint AS "leftMs"`,
        row: begunRow,
      },
      [request],
    );
    if (found === undefined) return null;
    const { publication, name, tries, leftMs, ...blob } = found;
    return { id: request, publication, name, blob, tries, leftMs };
  }

  /** The job is over with it. An answer that is there already stays. */
  async answer(job: RequestJob, answer: ScanAnswer): Promise<void> {
    const [code, reply] = 'reply' in answer ? [null, answer.reply] : [answer.code, answer.message];
    await this.#database.transaction(async (queries) => {
      await queries.query(
        { text: `UPDATE scan_request SET code = $2, reply = $3 WHERE id = $1 AND ${open}`, row: nothing },
        [job.request, code, reply],
      );
      await this.#queue.complete(job, queries);
      await queries.query({ text: `SELECT pg_notify('${answeredChannel}', $1)`, row: nothing }, [job.request]);
    });
  }

  /** For one that no client waits for. */
  async complete(job: RequestJob): Promise<void> {
    await this.#database.transaction((queries) => this.#queue.complete(job, queries));
  }

  /** For a worker that ends, or cannot read it: another is to begin it, as if this one had not. */
  async handBack(job: RequestJob): Promise<void> {
    await this.#database.query(
      { text: 'UPDATE scan_request SET tries = tries - 1 WHERE id = $1 AND tries > 0', row: nothing },
      [job.request],
    );
    await this.#queue.fail(job, 'handed back by its worker');
  }

  /** Those whose clients are gone without a word: their process was killed, or the database was away. */
  async removeExpired(): Promise<void> {
    await this.#database.query({
      text: `DELETE FROM scan_request WHERE expires < now() - interval '1 minute'`,
      row: nothing,
    });
  }
}

export const noWorker = (): LabError =>
  new LabError('busy', 'No worker is running that could scan the file. Try again later.', comeAgain);

/** For a request that no worker began in its time. */
export const notBegun = (seconds: number): LabError =>
  new LabError('busy', `No worker was free for the file within ${seconds} s. Try again later.`, comeAgain);
