import { caseFolder, caseRequest, caseTaker, preparedCase } from '../domain/case.ts';
import { job } from '../domain/job.ts';
import { operation } from './operation.ts';

export const casesOperations = {
  /**
   * One file in the export folder, as a job. Fails with `case-empty`, `case-too-large`, `tlp-too-open`, `tlp-unknown`,
   * `password-empty`, `job-missing`, `no-export-folder`.
   */
  'cases.start': operation({ input: caseRequest.extend(caseFolder), output: job }),
  /**
   * The same file, once by whoever asks: the browser, where `to` is left out. `folder`: where they write it. Fails
   * likewise, and with `export-into-watched`.
   */
  'cases.prepare': operation({
    input: caseRequest.extend({ ...caseFolder, to: caseTaker.optional() }),
    output: preparedCase,
  }),
} as const;
