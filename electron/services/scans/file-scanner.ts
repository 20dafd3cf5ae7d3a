import type { JobItem } from '../../../shared/domain/job.ts';
import type { ScanPackage } from '../../../shared/domain/scan.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import type { ScanOrder } from '../../rules/scanning/scan-session.ts';
import type { StoredResult } from '../../storage/scan-store.ts';
import type { LocalScanner } from './local-scanner.ts';
import type { ScanSource } from './read-scan-source.ts';
import { failedResult, localResult } from './scan-results.ts';
import { type ScanFile, scanSourceOf, type SourcePorts, unreadableFailure } from './scan-source-of.ts';

export interface FileScannerOptions extends SourcePorts {
  scanner: LocalScanner;
  package: ScanPackage;
  limitBytes: number;
  work: JobWork;
}

/** A file through the engine of this desk. */
export class FileScanner {
  readonly #options: FileScannerOptions;

  constructor(options: FileScannerOptions) {
    this.#options = options;
  }

  /** Where samples of the vault are, for `scan`: many are found for the price of a few. */
  sourcesOf(items: readonly JobItem[]): ScanSource[] {
    return this.#options.vault.sourcesOf(items.map(({ hash }) => hash)).map((source) => ({ kind: 'vault', source }));
  }

  /** Rejects when the run is to stop, and when there can be no engine any more. */
  async scan(item: JobItem, file: ScanFile, sizeBytes: number, source?: ScanSource): Promise<StoredResult> {
    const { scanner, limitBytes, work } = this.#options;
    if (sizeBytes > limitBytes) return this.#failed({ kind: 'scan-too-large', name: file.name, sizeBytes, limitBytes });
    work.active(item.position, { position: item.position, hash: item.hash, phase: 'scanning', receivedBytes: 0, totalBytes: sizeBytes });
    const verdict = await this.#verdict(() => scanner.session.scan(this.#orderFor(file, sizeBytes, source)));
    work.moved(sizeBytes);
    if (verdict.kind === 'scanned') return localResult({ engine: scanner.engine, package: this.#options.package, withoutGlobal: [...scanner.globalsLeftOut] }, verdict);
    return this.#failed(verdict.kind === 'failed' ? verdict.failure : unreadableFailure(this.#options, file, verdict.reason));
  }

  #orderFor(file: ScanFile, sizeBytes: number, source = scanSourceOf(this.#options, file)): ScanOrder<ScanSource> {
    return { name: file.name, sizeBytes, source };
  }

  #failed(failure: Failure): StoredResult {
    // Every other file would meet it too.
    if (failure.kind === 'folder-gone') fail(failure);
    const { scanner: { engine }, package: used } = this.#options;
    return failedResult('local', { engine, package: used }, failure);
  }

  /** To be stopped is no outcome. */
  async #verdict<T>(scan: () => Promise<T>): Promise<T> {
    try {
      return await scan();
    } catch (error) {
      this.#options.work.signal.throwIfAborted();
      if (error instanceof FailureError && error.failure.kind === 'cancelled') throw new FailureError({ kind: 'interrupted' }, { cause: error });
      throw error;
    }
  }
}
