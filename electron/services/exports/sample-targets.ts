import type { ExportAs } from '../../../shared/domain/export.ts';
import { openTarget, type ExportTarget } from '../../archive/export/export-target.ts';
import { ExportThreads } from '../../archive/export/export-threads.ts';
import type { SampleSource } from '../../vault/sample-source.ts';

export type SampleTarget = ExportTarget<SampleSource>;

/** Where samples of the vault go. */
export class SampleTargets {
  readonly #threads = new ExportThreads<SampleSource>({ entry: './sample-export-worker', beside: import.meta.url });

  /** @throws FailureError `not-writable`, `disk-full`, `disk-failed` */
  open(folder: string, unfinishedName: string, as: ExportAs): Promise<SampleTarget> {
    return openTarget({ folder, unfinishedName, threads: this.#threads }, as);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
