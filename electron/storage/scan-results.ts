import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';
import type { ScanSide } from '../../shared/domain/scan.ts';
import type { Database } from './database.ts';
import type { ScanPlace, StoredResult } from './scan-rows.ts';

const longestReply = 100_000;

/** What each side said of a file. The caller gives the transaction. */
export class ScanResults {
  readonly #put;
  readonly #putBody;
  readonly #putRaw;
  readonly #drop;

  constructor(db: Database) {
    this.#put = db.command(
      `INSERT OR REPLACE INTO scan_result (job_id, position, side, state, engine, package, elapsed_ms, is_cut, failure,
        without_global, names_left_out)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#putBody = db.command('INSERT OR REPLACE INTO scan_body (job_id, position, side, hits) VALUES (?, ?, ?, ?)');
    this.#putRaw = db.command('INSERT OR REPLACE INTO scan_raw (job_id, position, side, reply) VALUES (?, ?, ?, ?)');
    this.#drop = ['scan_result', 'scan_body', 'scan_raw'].map((table) =>
      db.command(`DELETE FROM ${table} WHERE job_id = ? AND position = ? AND side = ?`),
    );
  }

  /** In place of what the side said before. */
  put(place: ScanPlace, result: StoredResult): void {
    const { side, state, engine, elapsedMs, isCut, hits, raw, withoutGlobal, namesLeftOut = 0 } = result;
    const [found, failure] = [
      result.package && JSON.stringify(result.package),
      result.failure && JSON.stringify(result.failure),
    ];
    this.drop(place, side);
    this.#put.run(
      place.jobId,
      place.position,
      side,
      state,
      engine,
      found,
      elapsedMs,
      Number(isCut),
      failure,
      withoutGlobal.length === 0 ? null : JSON.stringify(withoutGlobal),
      namesLeftOut,
    );
    if (hits.length > 0) this.#putBody.run(place.jobId, place.position, side, JSON.stringify(hits));
    if (raw !== null)
      this.#putRaw.run(place.jobId, place.position, side, deflateRawSync(Buffer.from(raw.slice(0, longestReply))));
  }

  drop({ jobId, position }: ScanPlace, side: ScanSide): void {
    for (const drop of this.#drop) drop.run(jobId, position, side);
  }
}
