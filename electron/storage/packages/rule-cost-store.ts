import { z } from 'zod';
import { type RuleCost, ruleCost } from '../../../shared/domain/publication.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { Database } from '../database/database.ts';

const costRow = ruleCost.extend({ print: z.string() });
const excessRow = z.object({ measured: z.string() });

/** Rules of several packages and their earlier forms. Beyond it the ones measured first go. */
const mostCosts = 50_000;

/** What rules cost with each engine, by their fingerprints (32 hexadecimal digits). */
export class RuleCostStore {
  readonly #db: Database;
  readonly #of;
  readonly #put;
  readonly #excess;
  readonly #drop;
  readonly #most: number;
  #version = 0;

  constructor(db: Database, most = mostCosts) {
    this.#db = db;
    this.#most = most;
    this.#of = db.query(
      costRow,
      `SELECT lower(hex(c.print)) AS print, c.ms_per_megabyte AS msPerMegabyte, c.together, c.samples, c.bytes,
        c.engine, c.measured
      FROM json_each(?) AS wanted JOIN rule_cost AS c ON c.print = unhex(wanted.value) AND c.engine = ?`,
    );
    this.#put = db.command(`INSERT INTO rule_cost (print, engine, ms_per_megabyte, together, samples, bytes, measured)
        VALUES (unhex(?), ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET ms_per_megabyte = excluded.ms_per_megabyte, together = excluded.together,
        samples = excluded.samples, bytes = excluded.bytes, measured = excluded.measured
      WHERE excluded.together = 1 OR rule_cost.together > 1`);
    this.#excess = db.query(excessRow, 'SELECT measured FROM rule_cost ORDER BY measured DESC LIMIT 1 OFFSET ?');
    this.#drop = db.command('DELETE FROM rule_cost WHERE measured <= ?');
  }

  /** Costs of the rules that were measured with this engine. At most 1,000 at a time, so that no caller waits long. */
  of(prints: readonly string[], engine: LocalEngine): Map<string, RuleCost> {
    return new Map(this.#of.all(JSON.stringify(prints), engine).map(({ print, ...cost }) => [print, cost]));
  }

  /** Grows with each record. */
  get version(): number {
    return this.#version;
  }

  /**
   * A newer measurement takes the place of an older one; only one of several rules does not replace that of a rule
   * alone.
   */
  record(prints: readonly string[], { msPerMegabyte, together, samples, bytes, engine, measured }: RuleCost): void {
    this.#db.transaction(() => {
      for (const print of prints) this.#put.run(print, engine, msPerMegabyte, together, samples, bytes, measured);
      const excess = this.#excess.get(this.#most);
      if (excess !== null) this.#drop.run(excess.measured);
    }, 'soon');
    this.#version += 1;
  }
}
