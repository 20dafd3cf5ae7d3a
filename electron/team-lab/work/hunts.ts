import { z } from 'zod';
import type { PgDatabase, Queries } from '../postgres/pg-database.ts';
import type { PieceJob, PieceName, ScanQueue } from './scan-queue.ts';

export type HuntState = 'running' | 'done' | 'cancelled' | 'failed';

/** A hunt as it is now. */
export interface Hunt {
  number: number;
  version: string;
  state: HuntState;
  /** UTC, ISO 8601, by the clock of the database. */
  created: string;
  ended: string | null;
  /** Samples scanned, and those that could not be. */
  done: number;
  total: number;
  /** Rules found in samples, also where an earlier hunt had found them. */
  hits: number;
  failed: number;
  /** Why no sample could be scanned; null unless it has failed. */
  failure: string | null;
  /** Rules that some of the samples were scanned without. */
  leftOut: string[];
}

/** A sample that could not be scanned, or not with all rules, and why. */
export interface HuntFailure {
  sha256: string;
  reason: string;
}

/** Where a piece of a hunt is. */
export interface OpenPiece {
  /** The publication's identifier. */
  publication: string;
  /** The last sample that was scanned in it, and the last that is to be, by the database's number of a sample. */
  reached: number;
  upto: number;
}

export interface PieceSample {
  id: number;
  sha256: string;
  name: string;
  sizeBytes: number;
  place: string;
}

/** What was found in the samples of a piece after the one it had reached. */
export interface PieceProgress {
  /** The last of these samples. */
  reached: number;
  scanned: number;
  hits: readonly { sample: number; rule: string }[];
  failures: readonly { sample: number; reason: string }[];
  leftOut: readonly string[];
  /** They were the last of the piece. */
  isLast: boolean;
}

/** Puts what is done to a hunt on record, in the transaction that does it. */
export type RecordHunt = (number: number, queries: Queries) => Promise<void>;

const noRecord: RecordHunt = async () => {};

/** Some seconds of work, so that taking a piece costs nothing beside it. */
const usualPieceSamples = 500;
/** Pieces that wait for each track that works, so that a hunt of millions does not fill the queue. */
const aheadForTrack = 20;
/** Without a word a worker is gone. */
export const aliveSeconds = 20;

const nothing = z.unknown();
const time = z.date().transform((at) => at.toISOString());
const count = z.object({ count: z.number() });
const runRow = z.object({ cursor: z.number(), upto: z.number(), pieces: z.number(), state: z.string() });
const huntRow = z.object({
  number: z.number(),
  version: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  created: time,
  ended: time.nullable(),
  done: z.number(),
  total: z.number(),
  hits: z.number(),
  failed: z.number(),
  failure: z.string().nullable(),
  leftOut: z.array(z.string()),
});
/** Samples that were being added when a hunt began can come into it late. */
const selectHunts = `
  SELECT r.id AS number, p.version, CASE WHEN r.failure IS NULL THEN r.state ELSE 'failed' END AS state, r.failure,
    r.created, r.ended, greatest(r.total, s.done) AS total, s.done, s.hits, s.failed,
    ARRAY(SELECT DISTINCT unnest(left_out) AS rule FROM scan_piece WHERE run = r.id ORDER BY rule) AS "leftOut"
  FROM scan_run r JOIN publication p ON p.number = r.publication, LATERAL (
    SELECT coalesce(sum(scanned + failed), 0)::bigint AS done, coalesce(sum(hits), 0)::bigint AS hits,
      coalesce(sum(failed), 0)::bigint AS failed FROM scan_piece WHERE run = r.id
  ) s`;

/**
 * Scans of all samples with the rules of one publication, cut into pieces that workers share. Fails as PgDatabase does.
 */
export class Hunts {
  readonly #database: PgDatabase;
  readonly #queue: ScanQueue;
  readonly #pieceSamples: number;

  /** `pieceSamples`: samples of a piece. */
  constructor(database: PgDatabase, queue: ScanQueue, pieceSamples = usualPieceSamples) {
    this.#database = database;
    this.#queue = queue;
    this.#pieceSamples = pieceSamples;
  }

  /**
   * Begins one over the samples that are there now. `record` puts it on record: without that it does not begin.
   *
   * @returns its number
   */
  async begin(publication: string, record: RecordHunt = noRecord): Promise<number> {
    return this.#database.transaction(async (queries) => {
      const [run] = await queries.query(
        {
          text: `INSERT INTO scan_run (publication, upto, total)
                 SELECT number, (SELECT coalesce(max(id), 0) FROM sample), (SELECT count(*) FROM sample)
                 FROM publication WHERE id = $1 RETURNING id AS count`,
          row: count,
        },
        [publication],
      );
      if (run === undefined) throw new TypeError(`there is no publication ${publication}`);
      await this.#feed(run.count, queries);
      await record(run.count, queries);
      return run.count;
    });
  }

  /** Newest first. */
  async list(): Promise<Hunt[]> {
    return this.#database.query({ text: `${selectHunts} ORDER BY r.id DESC`, row: huntRow });
  }

  async hunt(number: number): Promise<Hunt | null> {
    const [found] = await this.#database.query({ text: `${selectHunts} WHERE r.id = $1`, row: huntRow }, [number]);
    return found ?? null;
  }

  /** Ends one whose samples cannot be scanned, with the job of one of its pieces. The others are found to be over. */
  async fail(job: PieceJob, failure: string): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await queries.query(
        {
          text: `UPDATE scan_run SET state = 'cancelled', failure = $2, ended = now()
                 WHERE id = $1 AND state = 'running'`,
          row: nothing,
        },
        [job.piece.run, failure],
      );
      await this.#queue.complete(job, queries);
    });
  }

  /** Hits that were found stay. `record` as for `begin`. False: it is not running. */
  async cancel(number: number, record: RecordHunt = noRecord): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const cancelled = await queries.query(
        {
          text: `UPDATE scan_run SET state = 'cancelled', ended = now()
                 WHERE id = $1 AND state = 'running' RETURNING id`,
          row: nothing,
        },
        [number],
      );
      if (cancelled.length === 0) return false;
      await record(number, queries);
      return true;
    });
  }

  /** By the order of the samples. */
  async failures(number: number): Promise<HuntFailure[]> {
    return this.#database.query(
      {
        text: `SELECT encode(s.sha256, 'hex') AS sha256, f.reason
               FROM scan_failure f JOIN sample s ON s.id = f.sample_id
               WHERE f.run = $1 ORDER BY f.sample_id`,
        row: z.object({ sha256: z.string(), reason: z.string() }),
      },
      [number],
    );
  }

  /** Null: it is done, or the hunt was cancelled. */
  async open({ run, number }: PieceName): Promise<OpenPiece | null> {
    const [found] = await this.#database.query(
      {
        name: 'piece-open',
        text: `SELECT p.id AS publication, piece.reached, piece.upto FROM scan_piece piece
               JOIN scan_run r ON r.id = piece.run JOIN publication p ON p.number = r.publication
               WHERE piece.run = $1 AND piece.number = $2 AND NOT piece.is_done AND r.state = 'running'`,
        row: z.object({ publication: z.string(), reached: z.number(), upto: z.number() }),
      },
      [run, number],
    );
    return found ?? null;
  }

  /** In their order. */
  async samples({ reached, upto }: Pick<OpenPiece, 'reached' | 'upto'>): Promise<PieceSample[]> {
    return this.#database.query(
      {
        name: 'piece-samples',
        text: `SELECT s.id, encode(s.sha256, 'hex') AS sha256, s.name, b.size AS "sizeBytes", b.place
               FROM sample s JOIN blob b ON b.sha256 = s.sha256 WHERE s.id > $1 AND s.id <= $2 ORDER BY s.id`,
        row: z.object({
          id: z.number(),
          sha256: z.string(),
          name: z.string(),
          sizeBytes: z.number(),
          place: z.string(),
        }),
      },
      [reached, upto],
    );
  }

  /**
   * Notes that a sample is about to be scanned, in a piece that was not finished by the worker before.
   * @returns how often it was begun by now, this time included
   */
  async noteTrying({ run, number }: PieceName, sample: number): Promise<number> {
    const [found] = await this.#database.query(
      {
        text: `UPDATE scan_piece SET tries = CASE WHEN trying = $3 THEN tries + 1 ELSE 1 END, trying = $3
               WHERE run = $1 AND number = $2 RETURNING tries AS count`,
        row: count,
      },
      [run, number, sample],
    );
    return found?.count ?? 1;
  }

  /**
   * Keeps what was found, all of it or nothing. False: the piece is not where it was, because another worker has it as
   * well, or it is cancelled; nothing is kept then. With the last samples the job is completed, and the next pieces of
   * the hunt come into the queue.
   */
  async advance(job: PieceJob, from: number, progress: PieceProgress): Promise<boolean> {
    const { run, number } = job.piece;
    const { reached, scanned, hits, failures, leftOut, isLast } = progress;
    return this.#database.transaction(async (queries) => {
      const moved = await queries.query(
        {
          text: `UPDATE scan_piece SET reached = $4, scanned = scanned + $5, failed = failed + $6, hits = hits + $7,
                   left_out = ARRAY(SELECT DISTINCT unnest(left_out || $8::text[])), trying = NULL, tries = 0,
                   is_done = $9
                 FROM scan_run r WHERE run = $1 AND number = $2 AND reached = $3 AND NOT is_done AND r.id = run
                   AND r.state = 'running' RETURNING run`,
          row: nothing,
        },
        [run, number, from, reached, scanned, failures.length, hits.length, leftOut, isLast],
      );
      if (moved.length === 0) return false;
      await keepHits(queries, run, hits);
      await keepFailures(queries, run, failures);
      if (isLast) {
        await this.#queue.complete(job, queries);
        await this.#feed(run, queries);
      }
      return true;
    });
  }

  /** For a piece with nothing left to do. */
  async complete(job: PieceJob): Promise<void> {
    await this.#database.transaction((queries) => this.#queue.complete(job, queries));
  }

  /** For a worker that ends: the rest of the piece waits for another. */
  async handBack(job: PieceJob): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await this.#queue.complete(job, queries);
      await this.#queue.add([job.piece], queries);
    });
  }

  /** What is to be called some times in 20 seconds while a worker lives, and when it takes requests or no more. */
  async noteAlive(worker: string, tracks: number, takesRequests: boolean): Promise<void> {
    await this.#database.query(
      {
        text: `INSERT INTO scan_worker (id, tracks, seen, takes_requests) VALUES ($1, $2, now(), $3)
               ON CONFLICT (id) DO UPDATE
                 SET tracks = excluded.tracks, seen = excluded.seen, takes_requests = excluded.takes_requests`,
        row: nothing,
      },
      [worker, tracks, takesRequests],
    );
    await this.#database.query(
      { text: `DELETE FROM scan_worker WHERE seen < now() - interval '1 day'`, row: nothing },
      [],
    );
  }

  async noteGone(worker: string): Promise<void> {
    await this.#database.query({ text: 'DELETE FROM scan_worker WHERE id = $1', row: nothing }, [worker]);
  }

  /** Tracks of all workers that live. */
  async tracks(queries: Queries = this.#database): Promise<number> {
    const [found] = await queries.query(
      {
        text: `SELECT coalesce(sum(tracks), 0)::bigint AS count FROM scan_worker
               WHERE seen > now() - make_interval(secs => $1)`,
        row: count,
      },
      [aliveSeconds],
    );
    return found?.count ?? 0;
  }

  /** Cuts as many pieces as may wait, and ends the hunt behind the last of them. */
  async #feed(run: number, queries: Queries): Promise<void> {
    const [at] = await queries.query(
      { text: 'SELECT cursor, upto, pieces, state FROM scan_run WHERE id = $1 FOR UPDATE', row: runRow },
      [run],
    );
    if (at === undefined || at.state !== 'running') return;
    const [open] = await queries.query(
      { text: 'SELECT count(*) FROM scan_piece WHERE run = $1 AND NOT is_done', row: count },
      [run],
    );
    const waiting = open?.count ?? 0;
    const most = aheadForTrack * Math.max(1, await this.tracks(queries)) - waiting;
    const ends = most > 0 ? await this.#pieceEnds(queries, at, most) : [];
    const last = ends.at(-1);
    if (last === undefined) {
      if (waiting === 0 && most > 0)
        await queries.query({ text: `UPDATE scan_run SET state = 'done', ended = now() WHERE id = $1`, row: nothing }, [
          run,
        ]);
      return;
    }
    await queries.query(
      {
        text: `INSERT INTO scan_piece (run, number, reached, upto)
               SELECT $1, $2 + n, coalesce(lag(upto) OVER (ORDER BY n), $3), upto
               FROM unnest($4::text[]::bigint[]) WITH ORDINALITY AS ends (upto, n)`,
        row: nothing,
      },
      [run, at.pieces, at.cursor, ends.map(String)],
    );
    await queries.query({ text: 'UPDATE scan_run SET cursor = $2, pieces = pieces + $3 WHERE id = $1', row: nothing }, [
      run,
      last,
      ends.length,
    ]);
    await this.#queue.add(
      ends.map((_end, index) => ({ run, number: at.pieces + index + 1 })),
      queries,
    );
  }

  /** The last sample of each of the next pieces. */
  async #pieceEnds(queries: Queries, { cursor, upto }: z.output<typeof runRow>, most: number): Promise<number[]> {
    const ends = await queries.query(
      {
        text: `SELECT max(id) AS count FROM (
                 SELECT id, row_number() OVER (ORDER BY id) - 1 AS at FROM sample WHERE id > $1 AND id <= $2
                 ORDER BY id LIMIT $3
               ) next GROUP BY at / $4::integer ORDER BY 1`,
        row: count,
      },
      [cursor, upto, most * this.#pieceSamples, this.#pieceSamples],
    );
    return ends.map((row) => row.count);
  }
}

/** In one order, so that two hunts of one publication do not wait for each other. */
async function keepHits(queries: Queries, run: number, hits: PieceProgress['hits']): Promise<void> {
  if (hits.length === 0) return;
  await queries.query(
    {
      text: `INSERT INTO hit (sample_id, publication, rule)
             SELECT DISTINCT sample, r.publication, rule
             FROM unnest($2::text[]::bigint[], $3::text[]) AS found (sample, rule), scan_run r WHERE r.id = $1
             ORDER BY sample, rule ON CONFLICT DO NOTHING`,
      row: nothing,
    },
    [run, hits.map(({ sample }) => String(sample)), hits.map(({ rule }) => rule)],
  );
}

async function keepFailures(queries: Queries, run: number, failures: PieceProgress['failures']): Promise<void> {
  if (failures.length === 0) return;
  await queries.query(
    {
      text: `INSERT INTO scan_failure (run, sample_id, reason)
             SELECT $1, sample, reason FROM unnest($2::text[]::bigint[], $3::text[]) AS failed (sample, reason)
             ON CONFLICT DO NOTHING`,
      row: nothing,
    },
    [run, failures.map(({ sample }) => String(sample)), failures.map(({ reason }) => reason)],
  );
}
