import { z } from 'zod';
import type { Database } from './database.ts';
import { readJson } from './stored-json.ts';

const huntInput = z.object({
  /** Rules to look with; null: all of the package. */
  names: z.array(z.string()).nullable(),
  /** Rules that the package has no more. */
  removed: z.array(z.string()),
});
export type HuntInput = z.infer<typeof huntInput>;

const inputRow = z.object({ body: z.string() });

/** What hunts were asked to do, so that they can go on after a restart: too long to be told with every step of a job. */
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
