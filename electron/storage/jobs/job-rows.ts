import { z } from 'zod';
import { type ItemState, itemStates, job, type JobItem, jobItem } from '../../../shared/domain/job.ts';
import { readFailure } from '../../../shared/failure-kinds.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { StoredJob } from '../../jobs/job-store.ts';
import { failureOf, readJson } from '../database/stored-json.ts';

export const jobRow = z.object({
  id: z.number(),
  task: z.string(),
  workspaceId: z.string().nullable(),
  state: z.string(),
  created: z.string(),
  started: z.string().nullable(),
  ended: z.string().nullable(),
  resumesAt: z.string().nullable(),
  counts: z.string(),
  bytes: z.number(),
  expectedBytes: z.number().nullable(),
  throughput: z.string(),
  failure: z.string().nullable(),
  notices: z.string(),
  noticeCount: z.number(),
});
export type JobRow = z.infer<typeof jobRow>;

export const jobColumns = `job.id, job.task, job.workspace_id AS workspaceId, job.state, job.created, job.started,
  job.ended, job.resumes_at AS resumesAt,
  (SELECT json_group_object(state, items) FROM job_count WHERE job_id = job.id) AS counts, job.bytes,
  job.expected_bytes AS expectedBytes, job.throughput, job.failure, job.notices, job.notice_count AS noticeCount`;

/** A line of a job that has not run yet. */
export const emptyThroughput: StoredJob['throughput'] = { secondsEach: 1, values: [] };

const noItems = Object.fromEntries(itemStates.map((state) => [state, 0]));
const counts = z.record(z.string(), z.number());
const storedJob = job.omit({ bytesPerSecond: true, secondsLeft: true, active: true });

/**
 * null for a damaged row: one job that cannot be read must keep no other from its list, nor the program from starting.
 * What is only shown is read as if it had not been stored.
 */
export function storedJobOf({ task, failure, ...row }: JobRow): StoredJob | null {
  const counted = { ...noItems, ...counts.safeParse(readJson(row.counts)).data };
  const read = storedJob.safeParse({
    ...row,
    task: readJson(task),
    counts: counted,
    items: Object.values(counted).reduce((sum, items) => sum + items, 0),
    throughput: job.shape.throughput.safeParse(readJson(row.throughput)).data ?? emptyThroughput,
    failure: failureOf(failure),
    notices: failuresOf(row.notices),
  });
  return read.data ?? null;
}

export const itemRow = z.object({ ...jobItem.shape, failure: z.string().nullable() });
export type ItemRow = z.infer<typeof itemRow>;

export const itemColumns = 'position, hash, md5, sha256, state, size_bytes AS sizeBytes, name, failure';

export const jobItemOf = (row: ItemRow): JobItem => ({ ...row, failure: failureOf(row.failure) });

/** The place of a state in the order in which a list shows them. */
export const rankOf = (state: ItemState): number => itemStates.indexOf(state);

function failuresOf(text: string): Failure[] {
  const values = z.array(z.unknown()).safeParse(readJson(text)).data ?? [];
  return values.map(readFailure).filter((failure) => failure !== null);
}
