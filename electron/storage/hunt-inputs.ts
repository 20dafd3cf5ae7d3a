import { z } from 'zod';
import type { Database } from './database.ts';
import { readJson } from './stored-json.ts';

/**
 * Samples that are looked at with the same rules: the items of the job behind the pass before, to the one at `upTo`.
 */
const huntPass = z.object({
  upTo: z.number(),
  /**
   * Rules to look with; null: all of the package; none: nothing is scanned, hits of rules that are gone are taken from
   * the sample.
   */
  names: z.array(z.string()).nullable(),
});
export type HuntPass = z.infer<typeof huntPass>;

/** Rules that the package has no more. */
const removed = z.array(z.string());
const huntInput = z.union([
  z.object({ passes: z.array(huntPass), removed }),
  // As it was written before there were passes.
  z
    .object({ names: huntPass.shape.names, removed })
    .transform(({ names, ...same }) => ({ ...same, passes: [{ upTo: Number.MAX_SAFE_INTEGER, names }] })),
]);
export type HuntInput = z.infer<typeof huntInput>;

const inputRow = z.object({ body: z.string() });

/**
 * What hunts were asked to do, so that they can go on after a restart: too long to be told with every step of a job.
 */
export class HuntInputs {
  readonly #set;
  readonly #get;

  constructor(db: Database) {
    this.#set = db.command('INSERT OR REPLACE INTO hunt_input (job_id, body) VALUES (?, ?)');
    this.#get = db.query(inputRow, 'SELECT body FROM hunt_input WHERE job_id = ?');
  }

  set(jobId: number, input: HuntInput): void {
    this.#set.run(jobId, JSON.stringify(input));
  }

  /** null: there is none, or it cannot be read. */
  get(jobId: number): HuntInput | null {
    const row = this.#get.get(jobId);
    return row === null ? null : (huntInput.safeParse(readJson(row.body)).data ?? null);
  }
}
