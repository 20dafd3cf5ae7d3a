import { randomBytes } from 'node:crypto';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { Part, partBytes, type PartBuffers, type TakenPart } from './part-buffers.ts';
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
 * A container on its way into an object with a random name, one PUT or several parts. Its memory is two parts, one of
 * which is filled while the other is sent; where many uploads run, one part, and the next bytes wait while it is sent.
 * One call at a time; only `cut` may come in between. Fails as S3Client does, a part at the latest when the next is
 * full.
 */
export class S3Upload {
  readonly place = newPlace();
  readonly #options: UploadOptions;
  readonly #part: Part;
  readonly #cut = new AbortController();
  #parts: { id: string; etags: string[] } | null = null;
  /** The part before this one, on its way. Its failure is that of the next call that needs it. */
  #sending: Promise<void> = Promise.resolve();
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
      if (this.#part.sizeBytes === partBytes) await this.#beginPart();
      this.#requireUncut();
      at += this.#part.add(bytes.subarray(at));
    }
  }

  /** Durable from here on. */
  async finish(): Promise<void> {
    await this.#sending;
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
   * When no call runs any more. An upload whose completion was cut off may be an object or still parts: either is
   * removed, each on its own. Never fails.
   */
  async remove(): Promise<void> {
    await Promise.allSettled([this.#sending]);
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

  /** When the part before it has arrived, so that the store gets one after the other. */
  async #beginPart(): Promise<void> {
    await this.#sending;
    const taken = this.#part.take({ isLast: false });
    this.#sending = this.#send(taken);
    // Its failure is awaited later, or never by an upload that is removed.
    this.#sending.catch(() => {});
    if (taken.blocksNext) await this.#sending;
  }

  async #send({ body, md5, sent }: TakenPart): Promise<void> {
    const { client } = this.#options;
    const signal = this.#cut.signal;
    try {
      if (this.#parts === null) {
        // Amazon S3 counts the age of the object from here, not from its completion.
        this.#stored = new Age();
        this.#parts = { id: await client.createUpload(this.place, signal), etags: [] };
      }
      const { id, etags } = this.#parts;
      etags.push(await client.putPart(this.place, id, etags.length + 1, body, { md5, signal }));
    } finally {
      sent();
    }
  }

  async #put(): Promise<void> {
    const { body, md5, sent } = this.#part.take({ isLast: true });
    try {
      await this.#options.client.put(this.place, body, { md5, signal: this.#cut.signal });
    } finally {
      sent();
    }
  }

  async #complete({ id, etags }: { id: string; etags: string[] }): Promise<void> {
    await this.#send(this.#part.take({ isLast: true }));
    await this.#options.client.completeUpload(this.place, id, etags, this.#cut.signal);
    this.#parts = null;
  }

  #requireUncut(): void {
    this.#cut.signal.throwIfAborted();
  }
}

/** For an object that a sweep removes when no row names it. The day is for people who look into the bucket. */
export const newPlace = (): string => `blob/${currentInstant().slice(0, 10)}/${randomBytes(16).toString('hex')}`;
