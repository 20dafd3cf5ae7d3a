import { z } from 'zod';
import type { Database } from './database.ts';
import { hitsOfSample } from './library-row.ts';

const stagedRow = z.object({ stagedId: z.string() });

/**
 * Forgets what rules found in samples for a workspace, which samples they looked at, its hunts, and what was staged for
 * its scans; results stay with their jobs. Runs inside the caller's transaction.
 * @returns staged ids to discard
 */
export function forgetScansOf(db: Database, workspaceId: string): string[] {
  for (const table of ['sample_hit', 'older_hit'])
    db.command(`DELETE FROM ${table} WHERE sample_id IN (SELECT id FROM hit_sample WHERE workspace_id = ?)`).run(
      workspaceId,
    );
  db.command(
    `UPDATE sample SET hits = ${hitsOfSample} WHERE sha256 IN (SELECT sha256 FROM hit_sample WHERE workspace_id = ?)`,
  ).run(workspaceId);
  for (const table of ['hit_sample', 'hit_rule', 'last_hunt', 'coverage_space'])
    db.command(`DELETE FROM ${table} WHERE workspace_id = ?`).run(workspaceId);
  const ofWorkspace = 'staged_id IS NOT NULL AND job_id IN (SELECT id FROM job WHERE workspace_id = ?)';
  const staged = db
    .query(stagedRow, `SELECT staged_id AS stagedId FROM scan_file WHERE ${ofWorkspace}`)
    .all(workspaceId);
  db.command(`UPDATE scan_file SET staged_id = NULL, place = NULL WHERE ${ofWorkspace}`).run(workspaceId);
  return staged.map(({ stagedId }) => stagedId);
}
