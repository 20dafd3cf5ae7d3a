import type { ItemFilter } from '../../../shared/domain/job.ts';
import { csvRows, itemsCsvFileHead, jsonHead, jsonRows, jsonTail } from '../../../shared/domain/job-table.ts';
import type { JobItemsReader } from './selected-samples.ts';

export interface JobItemsFile {
  id: number;
  filter: ItemFilter;
  format: 'csv' | 'json';
}

export const jobItemsFileName = ({ id, format }: JobItemsFile): string => `job-${id}-outcomes.${format}`;

/** The items of a job as a file, in pages: memory does not grow with their number. */
export async function* jobItemsBytes(
  { id, filter, format }: JobItemsFile,
  reader: JobItemsReader,
): AsyncGenerator<Uint8Array, void, void> {
  let isFirst = true;
  yield Buffer.from(format === 'csv' ? itemsCsvFileHead : jsonHead);
  for await (const items of reader.itemsForExport(id, filter)) {
    yield Buffer.from(format === 'csv' ? csvRows(items) : jsonRows(items, isFirst));
    isFirst = false;
  }
  if (format === 'json') yield Buffer.from(jsonTail);
}
