import { randomBytes } from 'node:crypto';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { Part, partBytes, type PartBuffers } from './part-buffers.ts';
import type { S3Client } from './s3-client.ts';

/** How long a client waits for a removal that a sweep can do as well. */
export const removalMs = 5_000;

export interface UploadOptions {
  client: S3Client;
  buffers: PartBuffers;
  /** Takes what could not be removed. A sweep removes it later. */
  report: (error: unknown) => void;
}

/** One clock does not count while the computer is suspended, and the other can be set back: the later one counts. */
class Age {
  readonly #since = { monotonic: performance.now(), wall: Date.now() };

  get ms(): number {
    return Math.max(performance.now() - this.#since.monotonic, Date.now() - this.#since.wall);
  }
}

/**
 * A container on its way into an object with a random name, one PUT or several parts. Its memory is one part; the next
 * bytes wait while it is sent. One call at a time; only `cut` may come in between. Fails as S3Client does.
 */
export class S3Upload {
  readonly place = newPlace();
  readonly #options: UploadOptions;
  readonly #part: Part;
  readonly #cut = new AbortController();
  #parts: { id: string; etags: string[] } | null = null;
  /** When the store began to count this object's age; null before. */
  #stored: Age | null = null;
  /** The object may be there, if only because the answer was lost. */
  #mayBeThere = false;

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#part = new Part(options.buffers);
  }

  /** The first bytes, far fewer than a part. */
  begin(bytes: Uint8Array): void {
    this.#part.add(bytes);
  }

  /** The bytes must not change afterwards. A full part is sent only once there is more: just that much is one PUT. */
  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.#part.sizeBytes === partBytes) await this.#sendPart();
      this.#requireUncut();
      at += this.#part.add(bytes.subarray(at));
    }
  }

  /** Durable from here on. */
  async finish(): Promise<void> {
    this.#stored ??= new Age();
    this.#mayBeThere = true;
    if (this.#parts === null) await this.#put();
    else await this.#complete(this.#parts);
    this.#part.release();
    this.#requireUncut();
  }

  /** For how long the store has had it, in milliseconds. */
  get storedForMs(): number {
    return this.#stored?.ms ?? 0;
  }

  /** What runs fails soon. */
  cut(): void {
    this.#cut.abort(new StoreUnavailable('The upload was aborted.'));
  }

  /**
   * When nothing runs any more. An upload whose completion was cut off may be an object or still parts: either is
   * removed, each on its own. Never fails.
   */
  async remove(): Promise<void> {
    this.#part.release();
    const { client, report } = this.#options;
    const signal = AbortSignal.timeout(removalMs);
    const parts = this.#parts;
    try {
      if (parts !== null) await client.abortUpload(this.place, parts.id, signal);
    } catch (error) {
      report(error);
    }
    try {
      if (this.#mayBeThere) await client.delete(this.place, signal);
    } catch (error) {
      report(error);
    }
  }

  async #sendPart(): Promise<void> {
    const { client } = this.#options;
    const signal = this.#cut.signal;
    if (this.#parts === null) {
      // Amazon S3 counts the age of the object from here, not from its completion.
      this.#stored = new Age();
      this.#parts = { id: await client.createUpload(this.place, signal), etags: [] };
    }
    const { id, etags } = this.#parts;
    const { body, md5 } = this.#part.take();
    etags.push(await client.putPart(this.place, id, etags.length + 1, body, { md5, signal }));
  }

  async #put(): Promise<void> {
    const { body, md5 } = this.#part.take();
    await this.#options.client.put(this.place, body, { md5, signal: this.#cut.signal });
  }

  async #complete({ id, etags }: { id: string; etags: string[] }): Promise<void> {
    await this.#sendPart();
    await this.#options.client.completeUpload(this.place, id, etags, this.#cut.signal);
    this.#parts = null;
  }

  #requireUncut(): void {
    this.#cut.signal.throwIfAborted();
  }
}

/** For an object that a sweep removes when no row names it. The day is for people who look into the bucket. */
export const newPlace = (): string => `blob/${currentInstant().slice(0, 10)}/${randomBytes(16).toString('hex')}`;
