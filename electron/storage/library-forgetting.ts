import { z } from 'zod';
import { forgetCommentsOf } from './comment-lines.ts';
import type { Database } from './database.ts';
import { forgetTagsOf } from './known-tags.ts';
import { LibraryLines } from './library-lines.ts';
import { LibraryLooks } from './library-looks.ts';
import { sampleColumns, sampleRow, type SampleRow } from './library-rows.ts';

const heldRow = z.object({ held: z.number() });

/**
 * Forgets what one workspace told: its records, the comments there and those written for it, and the samples that
 * nothing else holds on to: neither the vault, nor another workspace's record or hits, nor what the person says of them
 * on this desk. Runs inside the caller's transaction.
 */
export function forgetRecordsOf(db: Database, workspaceId: string): void {
  const samples = db
    .query(
      sampleRow,
      `SELECT ${sampleColumns} FROM record JOIN sample ON sample.md5 = record.md5 WHERE record.workspace_id = ?1`,
    )
    .all(workspaceId);
  forgetCommentsOf(db, workspaceId);
  forgetTagsOf(db, workspaceId);
  db.command('DELETE FROM record WHERE workspace_id = ?').run(workspaceId);
  const held = db.query(
    heldRow,
    `SELECT 1 AS held WHERE EXISTS (SELECT 1 FROM record WHERE md5 = ?1) OR
      EXISTS (SELECT 1 FROM sample_own WHERE sha256 = ?2)
    OR EXISTS (SELECT 1 FROM sample_tag WHERE sha256 = ?2)
    OR EXISTS (SELECT 1 FROM sample_name WHERE sha256 = ?2) OR
      EXISTS (SELECT 1 FROM hit_sample WHERE sha256 = ?2 AND workspace_id <> ?3)`,
  );
  const isKept = ({ inVault, md5, sha256 }: SampleRow): boolean =>
    inVault === 1 || held.get(md5, sha256, workspaceId) !== null;
  const lines = new LibraryLines(db);
  for (const row of samples.filter(isKept)) lines.refresh(row);
  dropSamples(
    db,
    samples.filter((row) => !isKept(row)),
  );
}

function dropSamples(db: Database, samples: readonly SampleRow[]): void {
  const drop = db.command('DELETE FROM sample WHERE id = ?');
  const looks = new LibraryLooks(db);
  for (const { id, sha256 } of samples) {
    if (sha256 !== null) looks.forget(sha256);
    drop.run(id);
  }
}
