import { z } from 'zod';
import { forbidsThirdParties, tlpLevel } from '../../shared/domain/tag.ts';
import type { Database } from './database.ts';
import type { UploadNote } from './library-notes.ts';

const doubtRow = z.object({
  workspaceId: z.string(),
  jobId: z.number(),
  md5: z.string(),
  sha256: z.string().nullable(),
  sizeBytes: z.number(),
  virusTotal: z.number(),
  sandbox: z.number(),
  tlp: tlpLevel.nullable().catch(null),
});

/**
 * What left whole and was not answered, of a workspace or of a job that is removed: nobody will ask for it any more,
 * and the journal says so.
 */
export function uploadsInDoubt(
  db: Pick<Database, 'query'>,
  of: { workspaceId: string } | { jobId: number },
): UploadNote[] {
  const [column, id] = 'jobId' in of ? ['job_id', of.jobId] : ['workspace_id', of.workspaceId];
  const rows = db
    .query(
      doubtRow,
      `SELECT workspace_id AS workspaceId, job_id AS jobId, md5, sha256, size_bytes AS sizeBytes,
        virus_total AS virusTotal, sandbox, tlp
    FROM upload_file WHERE ${column} = ? AND may_sent = 1 AND job_id IS NOT NULL AND md5 IS NOT NULL ORDER BY id`,
    )
    .all(id);
  return rows.map(({ workspaceId, jobId, md5, sha256, sizeBytes, virusTotal, sandbox, tlp }) => {
    const mayGo = !forbidsThirdParties(tlp);
    const detail = {
      job: jobId,
      sizeBytes,
      virusTotal: mayGo && virusTotal === 1,
      sandbox: mayGo && sandbox === 1,
      tlp,
      ...(sha256 !== null && { sha256 }),
    };
    return { workspaceId, md5, hashes: null, sizeBytes, outcome: 'may-have-arrived', detail };
  });
}
