import type { JobItem } from '../../../shared/domain/job.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import type { FileScanner } from './file-scanner.ts';
import type { ScannedItem, ScanLedger } from './scan-ledger.ts';
import type { LocalScanner } from './local-scanner.ts';
import type { ScanSource } from './read-scan-source.ts';

export interface HuntRunOptions {
  work: JobWork;
  /** The next items that are to be looked at; none at the end. */
  take(count: number): JobItem[];
  scanner: LocalScanner;
  files: FileScanner;
  ledger: ScanLedger;
}

const itemsATurn = 256;
/** Settled together: each commit costs more than many rows. */
const settledATurn = 256;
const settleEveryMs = 500;
const mostUnsettled = 2 * settledATurn;

/**
 * Looks through samples of the vault with some rules: many small files on their way at once, and what came of them
 * settled many at a time.
 */
export class HuntRun {
  readonly #options: HuntRunOptions;
  readonly #halt = new AbortController();
  readonly #scanned: ScannedItem[] = [];
  #settling: Promise<void> = Promise.resolve();
  #unsettled = 0;
  #settledAt = performance.now();
  #files = 0;
  #bytes = 0;

  constructor(options: HuntRunOptions) {
    this.#options = options;
  }

  /** What was looked at in this run. */
  get scanned(): { files: number; bytes: number } {
    return { files: this.#files, bytes: this.#bytes };
  }

  /**
   * All but the sample that came last are settled: with that one goes what makes the hunt one that is over.
   * @returns it
   */
  async run(): Promise<ScannedItem[]> {
    const { work, files, take } = this.#options;
    const under = new Set<Promise<void>>();
    for (let items = take(itemsATurn); items.length > 0 && !this.#halt.signal.aborted; items = take(itemsATurn)) {
      const sources = files.sourcesOf(items);
      for (const [index, item] of items.entries()) {
        await this.#room();
        if (this.#halt.signal.aborted) break;
        const going: Promise<void> = this.#scan(item, sources[index])
          .catch((error: unknown) => this.#halt.abort(error))
          .finally(() => under.delete(going));
        under.add(going);
      }
    }
    await Promise.all(under);
    // Also when it is stopped: what was found is not looked for again.
    this.#settleSoon();
    await this.#settling.catch((error: unknown) => this.#halt.abort(error));
    work.signal.throwIfAborted();
    this.#halt.signal.throwIfAborted();
    return this.#scanned;
  }

  /** Scanning waits for what is written: results take memory. */
  async #room(): Promise<void> {
    try {
      if (this.#unsettled > mostUnsettled) await this.#settling;
      await this.#options.scanner.session.room();
    } catch (error) {
      this.#halt.abort(error);
    }
  }

  async #scan(item: JobItem, source: ScanSource | undefined): Promise<void> {
    const { files } = this.#options;
    const { hash: sha256, sizeBytes } = item;
    const { result, rules, looked, names } = await files.scan(
      item,
      { sha256, name: item.name ?? sha256, stagedId: null, also: [] },
      sizeBytes ?? 0,
      source,
    );
    const { failure } = result;
    this.#files += 1;
    this.#bytes += sizeBytes ?? 0;
    this.#scanned.push({
      item,
      sizeBytes,
      results: [result],
      state: failure === null ? 'done' : 'failed',
      failure,
      rules,
      looked,
      names,
      hashes: null,
    });
    const isDue = this.#scanned.length >= settledATurn || performance.now() - this.#settledAt > settleEveryMs;
    if (isDue) this.#settleSoon();
  }

  #settleSoon(): void {
    const scanned = this.#scanned.splice(0, this.#scanned.length - 1);
    this.#settledAt = performance.now();
    this.#unsettled += scanned.length;
    this.#settling = this.#settleAfter(this.#settling, scanned);
    this.#settling.catch((error: unknown) => this.#halt.abort(error));
  }

  async #settleAfter(others: Promise<void>, scanned: readonly ScannedItem[]): Promise<void> {
    await others;
    await this.#options.ledger.settle(scanned, { journalled: false });
    this.#unsettled -= scanned.length;
  }
}
