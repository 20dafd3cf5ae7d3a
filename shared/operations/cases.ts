import { caseFolder, caseRequest, caseTaker, preparedCase } from '../domain/case.ts';
import { job } from '../domain/job.ts';
import { operation } from './operation.ts';

export const casesOperations = {
  /**
   * One file in the export folder, as a job. Fails with `case-empty`, `case-too-large`, `tlp-too-open`, `password-empty`, `job-missing`,
   * `no-export-folder`.
   */
  'cases.start': operation(caseRequest.extend(caseFolder), job),
  /** The same file, once by whoever asks: the browser, where `to` is left out. Fails likewise. */
  'cases.prepare': operation(caseRequest.extend({ to: caseTaker.optional() }), preparedCase),
} as const;
