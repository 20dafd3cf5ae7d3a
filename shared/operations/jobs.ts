import { z } from 'zod';
import { exportAs, exportResult, exportSelection, zipProtection } from '../domain/export.ts';
import { folderGrant } from '../domain/folder-grant.ts';
import { itemFilter, itemSort, job, jobId, jobItem, triableState } from '../domain/job.ts';
import { destination, nothing, operation, window } from './operation.ts';

export const jobsOperations = {
  /** Newest first: the newest 500 and whatever is not over; drafts are left out. */
  'jobs.list': operation(nothing, z.object({ jobs: z.array(job) })),
  /** One window of a job's items, and how many match in all. */
  'jobs.items': operation(
    z.object({ id: jobId, filter: itemFilter, sort: itemSort, ...window }),
    z.object({ items: z.array(jobItem), total: z.number().int() }),
  ),
  /** Lets what is under way end; what waits stays waiting. */
  'jobs.pause': operation(z.object({ id: jobId }), nothing),
  'jobs.resume': operation(z.object({ id: jobId }), nothing),
  'jobs.cancel': operation(z.object({ id: jobId }), nothing),
  /** Items in these states wait again, and the job runs again. */
  'jobs.retry': operation(z.object({ id: jobId, states: z.array(triableState).min(1, 'a state') }), nothing),
  /** Takes a job that is over out of the list. Samples, library and journal stay. */
  'jobs.forget': operation(z.object({ id: jobId }), nothing),
  /** The list of items as a file. */
  'jobs.exportItems': operation(
    z.object({ id: jobId, filter: itemFilter, format: z.enum(['csv', 'json']), to: destination }),
    exportResult,
  ),

  /** Into the export folder, as a job. */
  'exports.start': operation(
    z.object({ selection: exportSelection, as: exportAs, folder: folderGrant.optional() }),
    job,
  ),
  /** One password ZIP through the browser. */
  'exports.prepare': operation(z.object({ selection: exportSelection, ...zipProtection }), exportResult),
} as const;
