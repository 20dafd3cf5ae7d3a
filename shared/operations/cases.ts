import { caseFolder, caseRequest } from '../domain/case.ts';
import { exportResult } from '../domain/export.ts';
import { job } from '../domain/job.ts';
import { operation } from './operation.ts';

export const casesOperations = {
  /**
   * One file in the export folder, as a job. Fails with `nothing-selected`, `case-too-large`, `tlp-too-open`, `password-empty`,
   * `no-export-folder`.
   */
  'cases.start': operation(caseRequest.extend(caseFolder), job),
  /** The same file, once by whoever asks. Fails likewise. */
  'cases.prepare': operation(caseRequest, exportResult),
} as const;
