import type { JobItem } from '../../../shared/domain/job.ts';
import { readItems } from '../../storage/jobs/job-reader.ts';
import type { Stores } from '../../storage/stores.ts';

/**
 * The first thousand items of a job, read as its reader does, but in this thread: that of the reader takes longer to
 * start than most tests to run.
 */
export const jobItems = ({ databasePath }: Pick<Stores, 'databasePath'>, id: number): JobItem[] =>
  readItems(databasePath, {
    id,
    filter: { states: [], find: '' },
    sort: { column: 'position', descending: false },
    offset: 0,
    limit: 1000,
  }).items;
