import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { encodeTrailer, encryptBody, newHeader } from '../../vault/container/container.ts';
import { type BlobReceiver, type SealedBlob, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { Part, partBytes, type PartBuffers } from './part-buffers.ts';
import type { S3Client } from './s3-client.ts';

/** Hashed and encrypted without a look at anything else: about a millisecond. */
const sliceBytes = 128 * 1024;
const slicesInATurn = 4;
/** How long a client waits for a removal that a sweep can do as well. */
export const removalMs = 5_000;

export interface ReceiverOptions {
  client: S3Client;
  buffers: PartBuffers;
  /** Takes what could not be removed. A sweep removes it later. */
  report: (error: unknown) => void;
  /** Called when nothing is left to abort. */
  ended: (place: string) => void;
}

type State = 'open' | 'sealed' | 'committed' | 'aborted';

/**
 * Bytes on their way into an object with a random name. Its memory is one part; the next bytes wait while it is sent.
 */
export class S3Receiver implements BlobReceiver {
  readonly place = newPlace();
  readonly #options: ReceiverOptions;
  readonly #header = newHeader();
  readonly #cipher = encryptBody(this.#header);
  readonly #hashes = { md5: createHash('md5'), sha1: createHash('sha1'), sha256: createHash('sha256') };
  readonly #part: Part;
  readonly #cut = new AbortController();
  #sizeBytes = 0;
  #state: State = 'open';
  /** What `abort` waits for before it removes. */
  #running: Promise<unknown> = Promise.resolve();
  #upload: { id: string; etags: string[] } | null = null;
  /** When the store began to count this object's age, by a monotonic clock; null before. */
  #storedAt: number | null = null;
  /** The object may be there, if only because the answer was lost. */
  #mayBeThere = false;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#part = new Part(options.buffers);
    this.#part.add(this.#header);
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#run(() => this.#write(chunk));
  }

  seal(): Promise<SealedBlob> {
    return this.#run(() => this.#seal());
  }

  /** From here on `abort` does nothing. */
  beginCommit(): void {
    if (this.#state !== 'sealed') throw new Error('these bytes are not sealed, or were committed or aborted');
    this.#state = 'committed';
  }

  /** For how long the store has had it, in milliseconds. */
  get storedForMs(): number {
    return this.#storedAt === null ? 0 : performance.now() - this.#storedAt;
  }

  async abort(): Promise<void> {
    if (this.#state === 'committed' || this.#state === 'aborted') return;
    this.#state = 'aborted';
    this.#cut.abort(new StoreUnavailable('The upload was aborted.'));
    await Promise.allSettled([this.#running]);
    this.#part.release();
    await this.#removeAll();
    this.#options.ended(this.place);
  }

  /** An upload whose completion was cut off may be an object or still parts: either is removed, each on its own. */
  async #removeAll(): Promise<void> {
    const { client, report } = this.#options;
    const signal = AbortSignal.timeout(removalMs);
    const upload = this.#upload;
    try {
      if (upload !== null) await client.abortUpload(this.place, upload.id, signal);
    } catch (error) {
      report(error);
    }
    try {
      if (this.#mayBeThere) await client.delete(this.place, signal);
    } catch (error) {
      report(error);
    }
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#state !== 'open') return Promise.reject(new Error('these bytes are sealed or aborted'));
    const running = work();
    this.#running = running;
    return running;
  }

  async #write(chunk: Uint8Array): Promise<void> {
    this.#sizeBytes += chunk.length;
    for (let at = 0, slices = 1; at < chunk.length; at += sliceBytes, slices += 1) {
      const slice = chunk.subarray(at, at + sliceBytes);
      for (const digest of Object.values(this.#hashes)) digest.update(slice);
      await this.#add(this.#cipher.update(slice));
      if (slices % slicesInATurn === 0) await nextTurn();
    }
  }

  async #seal(): Promise<SealedBlob> {
    const { md5, sha1, sha256 } = this.#hashes;
    const hashes = { md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') };
    const facts = { ...hashes, sizeBytes: this.#sizeBytes };
    await this.#add(encodeTrailer(this.#header, this.#cipher, facts));
    this.#storedAt ??= performance.now();
    this.#mayBeThere = true;
    if (this.#upload === null) await this.#put();
    else await this.#complete(this.#upload);
    this.#part.release();
    this.#requireOpen();
    this.#state = 'sealed';
    return { hashes, sizeBytes: this.#sizeBytes, place: this.place };
  }

  /** A full part is sent only once there is more: a container of just that size is one PUT. */
  async #add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.#part.sizeBytes === partBytes) await this.#sendPart();
      this.#requireOpen();
      at += this.#part.add(bytes.subarray(at));
    }
  }

  async #sendPart(): Promise<void> {
    const { client } = this.#options;
    const signal = this.#cut.signal;
    if (this.#upload === null) {
      // Amazon S3 counts the age of the object from here, not from its completion.
      this.#storedAt = performance.now();
      this.#upload = { id: await client.createUpload(this.place, signal), etags: [] };
    }
    const { id, etags } = this.#upload;
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
    this.#upload = null;
  }

  #requireOpen(): void {
    this.#cut.signal.throwIfAborted();
  }
}

/** The day is for people who look into the bucket. */
const newPlace = (): string => `blob/${currentInstant().slice(0, 10)}/${randomBytes(16).toString('hex')}`;
