import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { StagedAccess, Staging } from '../../vault/staging.ts';
import type { Vault } from '../../vault/vault.ts';

/** A file of a scan. `stagedId` is null where it was not handed in, or is not kept: then the vault may have it. */
export interface ScanFile {
  stagedId: string | null;
  sha256: string;
}

export interface SampleBytesPorts {
  vault: Pick<Vault, 'openAt' | 'has'>;
  staging: Pick<Staging, 'openAt'>;
  /** null: there is no such job, or no such file in it. */
  scanFile(jobId: number, position: number): ScanFile | null;
}

/** Where the page's bytes are. */
export class ByteSources {
  readonly #ports: SampleBytesPorts;
  readonly #readings = new Set<Promise<unknown>>();

  constructor(ports: SampleBytesPorts) {
    this.#ports = ports;
  }

  /** @throws FailureError `scan-file-missing` */
  sha256Of(source: ByteSource): string {
    return source.kind === 'vault' ? source.sha256 : this.#fileOf(source).sha256;
  }

  /**
   * Opens it, and closes it afterwards. @throws FailureError `scan-file-missing`, `not-in-vault`, `vault-damaged`,
   * `disk-failed`
   */
  async reading<T>(source: ByteSource, read: (bytes: StagedAccess) => Promise<T>): Promise<T> {
    const reading = this.#read(source, read);
    this.#readings.add(reading);
    try {
      return await reading;
    } catch (error) {
      if (source.kind === 'scan' && isGone(error))
        fail({ kind: 'scan-file-missing', job: source.jobId, position: source.position }, error);
      throw error;
    } finally {
      this.#readings.delete(reading);
    }
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#readings);
  }

  async #read<T>(source: ByteSource, read: (bytes: StagedAccess) => Promise<T>): Promise<T> {
    const bytes = await this.#open(source);
    try {
      return await read(bytes);
    } finally {
      await bytes.close();
    }
  }

  async #open(source: ByteSource): Promise<StagedAccess> {
    const { vault, staging } = this.#ports;
    if (source.kind === 'vault') return vault.openAt(source.sha256);
    const { stagedId, sha256 } = this.#fileOf(source);
    if (stagedId === null) return vault.openAt(sha256);
    try {
      return await staging.openAt(stagedId);
    } catch (error) {
      // Discarded, or changed where it lay: the vault may have got the sample meanwhile.
      if (isGone(error) && (await vault.has(sha256))) return vault.openAt(sha256);
      throw error;
    }
  }

  #fileOf({ jobId, position }: Extract<ByteSource, { kind: 'scan' }>): ScanFile {
    return this.#ports.scanFile(jobId, position) ?? fail({ kind: 'scan-file-missing', job: jobId, position });
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof FailureError &&
  (error.failure.kind === 'staged-file-missing' || error.failure.kind === 'not-in-vault');
