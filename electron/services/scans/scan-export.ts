import { Buffer } from 'node:buffer';
import type { OperationRequest } from '../../../shared/contract.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import {
  scanCsvFileHead,
  scanCsvRows,
  scanJsonHead,
  scanJsonRows,
  scanJsonTail,
} from '../../../shared/domain/scan-table.ts';
import { fail } from '../../../shared/failure.ts';
import type { NotedFiles } from '../../archive/export/noted-files.ts';
import { toldAfter } from '../../archive/export/told-after.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { ScanReader } from '../../storage/scans/scan-reader.ts';

export type ScanExportRequest = OperationRequest<'scans.export'> & {
  reader: Pick<ScanReader, 'rows'>;
  /** Writes the journal. */
  library: Pick<LibraryStore, 'recordExport'>;
  /** Writes what goes into a folder. */
  files: Pick<NotedFiles, 'write'>;
  /** Offers a file to the browser, once. */
  offer(prepared: { fileName: string; sizeBytes: number | null; open(): AsyncIterable<Uint8Array> }): ExportResult;
  folder: string | null;
};

/**
 * The results of a scan as a file, in pages: memory does not grow with their number. @throws FailureError
 * `no-export-folder`, and what the disk throws
 */
export async function exportScan(request: ScanExportRequest): Promise<ExportResult> {
  const { jobId, format, to, files, offer, folder, library } = request;
  const fileName = `scan-${jobId}.${format}`;
  const bytes = toldAfter(scanBytes(request), (outcome) =>
    library.recordExport({ sha256: null, outcome, detail: { of: 'scan results', job: jobId, to, form: format } }),
  );
  if (to === 'browser') return offer({ fileName, sizeBytes: null, open: () => bytes });
  return { kind: 'folder', ...(await files.write(folder ?? fail({ kind: 'no-export-folder' }), fileName, bytes)) };
}

async function* scanBytes({
  jobId,
  filter,
  format,
  reader,
}: ScanExportRequest): AsyncGenerator<Uint8Array, void, void> {
  let isFirst = true;
  yield Buffer.from(format === 'csv' ? scanCsvFileHead : scanJsonHead);
  for await (const files of reader.rows(jobId, filter)) {
    yield Buffer.from(format === 'csv' ? scanCsvRows(files) : scanJsonRows(files, isFirst));
    isFirst = false;
  }
  if (format === 'json') yield Buffer.from(scanJsonTail);
}
