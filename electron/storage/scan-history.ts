import { z } from 'zod';
import type { LocalEngine } from '../../shared/domain/scan.ts';
import type { Database } from './database.ts';
import type { LastHunt, ScanPace } from './scan-rows.ts';

const huntRow = z.object({
  jobId: z.number(),
  ended: z.string(),
  sha256: z.string().nullable(),
  version: z.string().nullable(),
});
const paceRow = z.object({ scanMs: z.number() });

/** What earlier scans and hunts tell the next. */
export class ScanHistory {
  readonly #hunt;
  readonly #putHunt;
  readonly #pace;
  readonly #putPace;

  constructor(db: Database) {
    this.#hunt = db.query(
      huntRow,
      'SELECT job_id AS jobId, ended, sha256, version FROM last_hunt WHERE workspace_id = ?',
    );
    this.#putHunt = db.command(
      'INSERT OR REPLACE INTO last_hunt (workspace_id, job_id, ended, sha256, version) VALUES (?, ?, ?, ?, ?)',
    );
    this.#pace = db.query(paceRow, 'SELECT scan_ms AS scanMs FROM scan_pace WHERE engine = ?');
    this.#putPace = db.command('INSERT OR REPLACE INTO scan_pace (engine, scan_ms) VALUES (?, ?)');
  }

  lastHunt(workspaceId: string): LastHunt | null {
    return this.#hunt.get(workspaceId);
  }

  setLastHunt(workspaceId: string, { jobId, ended, sha256, version }: LastHunt): void {
    this.#putHunt.run(workspaceId, jobId, ended, sha256, version);
  }

  pace(engine: LocalEngine): ScanPace | null {
    return this.#pace.get(engine);
  }

  setPace(engine: LocalEngine, { scanMs }: ScanPace): void {
    this.#putPace.run(engine, scanMs);
  }
}
