import { z } from 'zod';
import type { Database } from './database.ts';

const stagedRow = z.object({ stagedId: z.string().nullable() });

/**
 * Forgets a workspace's draft, what came into it by itself, and what its uploads had not settled. Runs inside the
 * caller's transaction.
 * @returns staged ids to discard
 */
export function forgetUploadsOf(db: Database, workspaceId: string): string[] {
  db.command('DELETE FROM upload_job WHERE job_id IN (SELECT id FROM job WHERE workspace_id = ?)').run(workspaceId);
  db.command('DELETE FROM upload_draft WHERE workspace_id = ?').run(workspaceId);
  db.command('DELETE FROM watched_content WHERE workspace_id = ?').run(workspaceId);
  const rows = db
    .query(stagedRow, 'DELETE FROM upload_file WHERE workspace_id = ? RETURNING staged_id AS stagedId')
    .all(workspaceId);
  return rows.flatMap(({ stagedId }) => stagedId ?? []);
}
