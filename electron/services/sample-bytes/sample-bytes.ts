import {
  mostMapParts,
  type ByteMap,
  type BytePattern,
  type ByteSource,
  type ReadBytes,
} from '../../../shared/domain/byte-view.ts';
import { fail } from '../../../shared/failure.ts';
import { stripOf } from '../../vault/staged-facts/strip-of.ts';
import type { StagedAccess } from '../../vault/staging.ts';
import { ByteMaps } from './byte-maps.ts';
import { ByteSearches } from './byte-searches.ts';
import { ByteSources, type SampleBytesPorts } from './byte-sources.ts';
import { findBytes } from './find-bytes.ts';

export type { SampleBytesPorts, ScanFile } from './byte-sources.ts';

/**
 * Looking at the bytes of a file. Ranges are read where they are asked for, so a file of any size costs as much as what
 * is seen of it. All calls fail with `scan-file-missing`, `not-in-vault`, `vault-damaged` or `disk-failed` when the
 * bytes cannot be read.
 */
export class SampleBytes {
  readonly #sources: ByteSources;
  readonly #searches = new ByteSearches();
  readonly #maps = new ByteMaps();

  constructor(ports: SampleBytesPorts) {
    this.#sources = new ByteSources(ports);
  }

  /** Fewer bytes than asked for only at the end. */
  read(source: ByteSource, { offset, length }: { offset: number; length: number }): Promise<ReadBytes> {
    return this.#sources.reading(source, async (bytes) => {
      const read = offset < bytes.sizeBytes ? await bytes.read(offset, length) : new Uint8Array();
      return {
        offset,
        base64: Buffer.from(read.buffer, read.byteOffset, read.byteLength).toString('base64'),
        sizeBytes: bytes.sizeBytes,
      };
    });
  }

  /**
   * The first place that begins at `from` or after it, or the last one that begins before it; null when there is none.
   * @throws FailureError `cancelled` when it is stopped, also by another of the same name or by too many others
   */
  async find(
    source: ByteSource,
    pattern: BytePattern,
    from: number,
    backwards: boolean,
    search: string,
  ): Promise<{ offset: number | null }> {
    const offset = await this.#searches.run(search, (signal) =>
      this.#sources.reading(source, (bytes) => findBytes(bytes, { pattern, from, backwards }, signal)),
    );
    return { offset };
  }

  /** Does nothing for a search that is over. */
  stopFind(search: string): void {
    this.#searches.stop(search);
  }

  /** At most 512 parts; of a large part 64 KiB are looked at, spread over it. */
  async map(source: ByteSource): Promise<ByteMap> {
    return this.#maps.of(this.#sources.sha256Of(source), (isStopped) =>
      this.#sources.reading(source, (bytes) => mapOf(bytes, isStopped)),
    );
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    this.#searches.close();
    this.#maps.close();
    await this.#sources.close();
  }
}

async function mapOf(bytes: StagedAccess, isStopped: () => boolean): Promise<ByteMap> {
  const parts = await stripOf(bytes, isStopped, mostMapParts);
  if (isStopped()) fail({ kind: 'cancelled' });
  return { sizeBytes: bytes.sizeBytes, parts: parts ?? '' };
}
