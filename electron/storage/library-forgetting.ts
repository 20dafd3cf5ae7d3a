import { z } from 'zod';
import { forgetCommentsOf } from './comment-lines.ts';
import type { Database } from './database.ts';
import { forgetTagsOf } from './known-tags.ts';
import { LibraryTags } from './library-tags.ts';

/**
 * Forgets what one workspace told: its records, the comments there and those written for it, and the samples that
 * neither the vault nor another workspace's record holds on to, with their tags. Runs inside the caller's transaction.
 */
export function forgetRecordsOf(db: Database, workspaceId: string): void {
  const samples = db.query(
    z.object({ id: z.number(), sha256: z.string().nullable() }),
    `SELECT sample.id, sample.sha256 FROM record JOIN sample ON sample.md5 = record.md5
     WHERE record.workspace_id = ?1 AND sample.in_vault = 0
       AND NOT EXISTS (SELECT 1 FROM record AS other WHERE other.md5 = record.md5 AND other.workspace_id <> ?1)`,
  );
  const drop = db.command('DELETE FROM sample WHERE id = ?');
  const tags = new LibraryTags(db);
  for (const { id, sha256 } of samples.all(workspaceId)) {
    tags.forget(sha256);
    drop.run(id);
  }
  forgetCommentsOf(db, workspaceId);
  forgetTagsOf(db, workspaceId);
  db.command('DELETE FROM record WHERE workspace_id = ?').run(workspaceId);
}
