import { z } from 'zod';
import { exportAs, exportResult, exportSelection, zipProtection } from '../domain/export.ts';
import { folderGrant } from '../domain/host.ts';
import { itemFilter, itemSort, job, jobId, jobItem, triableState } from '../domain/job.ts';
import { destination, nothing, operation, window } from './operation.ts';

export const jobsOperations = {
  /** Newest first: the newest 500 and whatever is not over; drafts are left out. */
  'jobs.list': operation({ input: nothing, output: z.object({ jobs: z.array(job) }), reads: true }),
  /** One window of a job's items, and how many match in all. */
  'jobs.items': operation({
    input: z.object({ id: jobId, filter: itemFilter, sort: itemSort, ...window }),
    output: z.object({ items: z.array(jobItem), total: z.number().int() }),
    reads: true,
    refreshedBy: { 'job.changed': ['id'], 'library.changed': [] },
    refreshEveryMs: 500,
  }),
  /** Lets what is under way end; what waits stays waiting. */
  'jobs.pause': operation({ input: z.object({ id: jobId }), output: nothing }),
  'jobs.resume': operation({ input: z.object({ id: jobId }), output: nothing }),
  'jobs.cancel': operation({ input: z.object({ id: jobId }), output: nothing }),
  /** Items in these states wait again, and the job runs again. */
  'jobs.retry': operation({
    input: z.object({ id: jobId, states: z.array(triableState).min(1, 'a state') }),
    output: nothing,
  }),
  /** Takes a job that is over out of the list. Samples, library and journal stay. */
  'jobs.forget': operation({ input: z.object({ id: jobId }), output: nothing }),
  /** The list of items as a file. */
  'jobs.exportItems': operation({
    input: z.object({ id: jobId, filter: itemFilter, format: z.enum(['csv', 'json']), to: destination }),
    output: exportResult,
  }),

  /** Into the export folder, as a job. */
  'exports.start': operation({
    input: z.object({ selection: exportSelection, as: exportAs, folder: folderGrant.optional() }),
    output: job,
  }),
  /** One password ZIP through the browser. */
  'exports.prepare': operation({
    input: z.object({ selection: exportSelection, ...zipProtection }),
    output: exportResult,
  }),
} as const;
