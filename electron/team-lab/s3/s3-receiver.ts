import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeTrailer, encryptBody, newHeader } from '../../vault/container/container.ts';
import { type BlobReceiver, type SealedBlob, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { S3Upload, type UploadOptions } from './s3-upload.ts';

/** Hashed and encrypted without a look at anything else: about a millisecond. */
const sliceBytes = 128 * 1024;
const slicesInATurn = 4;

export interface ReceiverOptions extends UploadOptions {
  /** Called when nothing is left to abort. */
  ended: (place: string) => void;
}

type State = 'open' | 'sealed' | 'committed' | 'aborted';

/** Bytes on their way into a container in the bucket. */
export class S3Receiver implements BlobReceiver {
  readonly #ended: (place: string) => void;
  readonly #upload: S3Upload;
  readonly #header = newHeader();
  readonly #cipher = encryptBody(this.#header);
  readonly #hashes = { md5: createHash('md5'), sha1: createHash('sha1'), sha256: createHash('sha256') };
  #sizeBytes = 0;
  #state: State = 'open';
  /** What `abort` waits for before it removes. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: ReceiverOptions) {
    this.#ended = options.ended;
    this.#upload = new S3Upload(options);
    this.#upload.begin(this.#header);
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#run(() => this.#write(chunk));
  }

  seal(): Promise<SealedBlob> {
    return this.#run(() => this.#seal());
  }

  get isSealed(): boolean {
    return this.#state === 'sealed';
  }

  /** Of what is sealed. From here on `abort` does nothing. */
  beginCommit(): void {
    this.#state = 'committed';
  }

  get place(): string {
    return this.#upload.place;
  }

  /** For how long the store has had it, in milliseconds. */
  get storedForMs(): number {
    return this.#upload.storedForMs;
  }

  async abort(): Promise<void> {
    if (this.#state === 'committed' || this.#state === 'aborted') return;
    this.#state = 'aborted';
    this.#upload.cut();
    await Promise.allSettled([this.#running]);
    await this.#upload.remove();
    this.#ended(this.place);
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
      await this.#upload.add(this.#cipher.update(slice));
      if (slices % slicesInATurn === 0) await nextTurn();
    }
  }

  async #seal(): Promise<SealedBlob> {
    const { md5, sha1, sha256 } = this.#hashes;
    const hashes = { md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') };
    const facts = { ...hashes, sizeBytes: this.#sizeBytes };
    await this.#upload.add(encodeTrailer(this.#header, this.#cipher, facts));
    await this.#upload.finish();
    this.#markSealed();
    return { hashes, sizeBytes: this.#sizeBytes, place: this.place };
  }

  /** An abort may have come while the last answer of the store was on its way to here. */
  #markSealed(): void {
    if (this.#state !== 'open') throw new StoreUnavailable('The upload was aborted.');
    this.#state = 'sealed';
  }
}
