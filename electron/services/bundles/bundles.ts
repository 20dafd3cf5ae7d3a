import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import type { TokenStore } from '../../storage/tokens/token-store.ts';
import { BundleExports, type BundleExportsOptions, type BundleRequest } from './bundle-exports.ts';
import { BundleKey, BundleOpenings, type BundleOpeningsOptions } from './bundle-openings.ts';

export interface BundlesOptions
  extends
    Omit<BundleExportsOptions, 'key' | 'store' | 'vault' | 'jobs'>,
    Omit<BundleOpeningsOptions, 'key' | 'vault' | 'jobs'> {
  tokens: Pick<TokenStore, 'get' | 'set' | 'state'>;
  vault: BundleExportsOptions['vault'] & BundleOpeningsOptions['vault'];
  keepOutOfLogs(secret: string): void;
  jobs(): ReturnType<BundleExportsOptions['jobs']> & ReturnType<BundleOpeningsOptions['jobs']>;
}

/** One sealed and signed file, between computers that no network joins. */
export class Bundles {
  readonly #key: BundleKey;
  readonly #making: BundleExports;
  readonly #openings: BundleOpenings;

  constructor(options: BundlesOptions) {
    this.#key = new BundleKey(options.tokens, (secret) => options.keepOutOfLogs(secret));
    this.#making = new BundleExports({ ...options, key: this.#key });
    this.#openings = new BundleOpenings({ ...options, key: this.#key });
  }

  /** Fails as the token store does. */
  signer(): Promise<{ fingerprint: string; isDurable: boolean }> {
    return this.#key.signer();
  }

  /**
   * @throws FailureError `passphrase-short`, `no-export-folder`, `no-package`, `nothing-selected`, and of the token
   * store
   */
  start(request: BundleRequest, folder: string | null): Promise<Job> {
    return this.#making.start(request, folder);
  }

  prepare(request: BundleRequest): Promise<ExportResult> {
    return this.#making.prepare(request);
  }

  /** Bundles that browsers are fetching. */
  get running(): number {
    return this.#making.running;
  }

  get opening(): BundleOpening | null {
    return this.#openings.opening;
  }

  /** @throws FailureError `staged-file-missing`; `cancelled` where another one is opened meanwhile */
  open(stagedId: string, passphrase: string): Promise<BundleOpening> {
    return this.#openings.open(stagedId, passphrase);
  }

  closeOpening(id: string): Promise<void> {
    return this.#openings.closeOpening(id);
  }

  /** @throws FailureError `bundle-not-ready`, `workspace-missing`, `staged-file-missing` */
  import(id: string, workspaceId: string): Job {
    return this.#openings.import(id, workspaceId);
  }

  runMaking(work: JobWork): Promise<void> {
    return this.#making.run(work);
  }

  runImport(work: JobWork): Promise<void> {
    return this.#openings.run(work);
  }

  /** After a crash. @throws the system's error */
  cleanUp(job: Job): Promise<void> {
    return this.#making.cleanUp(job);
  }

  async jobForgotten(id: number): Promise<void> {
    this.#making.jobForgotten(id);
    await this.#openings.jobForgotten(id);
  }

  async close(): Promise<void> {
    this.#making.close();
    await this.#openings.close();
  }
}
