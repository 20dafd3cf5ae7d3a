import { createHash, type Hash } from 'node:crypto';
import type { z } from 'zod';
import {
  bundledRecord,
  type BundledRecord,
  bundledRules,
  type BundledRules,
  bundledSample,
  type BundledSample,
} from '../../../shared/domain/bundle.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import {
  bundleEnd,
  type BundleEnd,
  bundleManifest,
  type BundleManifest,
  bytesEnd,
  type Frame,
  frameBytes,
  frameOf,
  headerBytes,
  isRecordType,
  isSignedBy,
  mostBytesOf,
  mostRecordBytes,
  mostRecords,
  openHeader,
  readFrame,
  recordType,
  type RecordType,
  requireTrailer,
  SampleNames,
  trailerBytes,
  usualChunkBytes,
} from './bundle-format.ts';
import { ChunkOpener, RecordBounds, type SealedBytes } from './sealed-chunks.ts';

interface ExpectedBytes {
  sha256: string;
  /** null where none is set. */
  md5: string | null;
  sha1: string | null;
  sizeBytes: number;
}

/** Whether bytes that come in pieces are those that were named. */
class ByteHashes {
  readonly #hashes: [Hash, string][];
  #left: number;

  constructor({ sizeBytes, sha256, md5, sha1 }: ExpectedBytes) {
    this.#left = sizeBytes;
    this.#hashes = [[createHash('sha256'), sha256]];
    if (md5 !== null) this.#hashes.push([createHash('md5'), md5]);
    if (sha1 !== null) this.#hashes.push([createHash('sha1'), sha1]);
  }

  /** @returns false when there are more than there should be */
  take(bytes: Uint8Array): boolean {
    this.#left -= bytes.length;
    for (const [hash] of this.#hashes) hash.update(bytes);
    return this.#left >= 0;
  }

  areRight(): boolean {
    return this.#left === 0 && this.#hashes.every(([hash, hex]) => hash.digest('hex') === hex);
  }
}

/**
 * What a bundle holds, in the order of the file. `recordBytes`: of the sample and its records, as they lie there. After
 * a sample come its bytes, where there are any: pieces, and their end once they proved to be what its hashes say.
 * `border`: all that came before is what its maker wrote if `digest` is what it was when the signature was checked.
 */
export type BundlePart =
  | { kind: 'manifest'; manifest: BundleManifest }
  | { kind: 'sample'; sample: BundledSample; records: BundledRecord[]; hasBytes: boolean; recordBytes: number }
  | { kind: 'rules'; rules: BundledRules }
  /** The next call may overwrite the bytes. */
  | { kind: 'piece'; bytes: Buffer }
  | { kind: 'bytes-end'; isWhole: boolean }
  | { kind: 'border'; digest: Buffer }
  | { kind: 'end'; counts: BundleEnd };

/**
 * The caller holds what lies between two borders, and it becomes known in one go: it is little enough to cause no wait.
 */
const betweenBorders = { samples: 32, recordBytes: 64 * 2 ** 10, sampleBytes: 32 * 2 ** 20 } as const;
/** What a tag costs the caller that takes it in, in bytes of a record. */
const countedATag = 64;

/**
 * Reads a bundle from its beginning to its end. Nothing it gives is proven before it gives `end`: what was altered is
 * found where it lies, who made it at the end. Holds one chunk, the records of one sample, and the names of all.
 * Deriving the key blocks: for a worker.
 */
export class BundleReading {
  readonly #bytes: SealedBytes;
  #chunks: ChunkOpener | null = null;
  #chunk: Buffer = Buffer.alloc(0);
  #taken = 0;
  #signed: Hash = createHash('sha256');
  #ahead: Frame | null = null;
  readonly #names = new SampleNames();
  readonly #since = { samples: 0, recordBytes: 0, sampleBytes: 0 };
  readonly #counts = { samples: 0, withBytes: 0, bytes: 0 };

  constructor(bytes: SealedBytes) {
    this.#bytes = bytes;
  }

  /** How far into the file it was read. */
  get readBytes(): number {
    return this.#chunks?.readUpTo ?? 0;
  }

  /**
   * May be called once. `name` is the file's, for a failure.
   * @throws FailureError `bundle-unknown`, `bundle-newer`, `bundle-truncated`, `bundle-damaged`,
   * `bundle-passphrase-wrong`, `bundle-not-signed`; and what the source throws
   */
  async *parts(options: { passphrase: string; name: string }): AsyncGenerator<BundlePart, void, void> {
    await this.#open(options);
    const manifest = await this.#json(recordType.manifest, bundleManifest);
    yield { kind: 'manifest', manifest };
    for (;;) {
      const { type } = await this.#peek();
      if (type !== recordType.sample) break;
      yield* this.#sample();
      if (this.#isBorder()) yield this.#border();
    }
    if ((await this.#peek()).type === recordType.rules) yield* this.#rules();
    yield* this.#end(manifest);
  }

  async #open(options: { passphrase: string; name: string }): Promise<void> {
    const { sizeBytes } = this.#bytes;
    const header = openHeader(await this.#bytes.read(0, Math.min(sizeBytes, headerBytes)), options);
    const tailBytes = Math.min(sizeBytes - headerBytes, usualChunkBytes);
    requireTrailer(await this.#bytes.read(sizeBytes - tailBytes, tailBytes), sizeBytes);
    this.#signed.update(header.bytes);
    this.#chunks = new ChunkOpener(this.#bytes, {
      key: header.key,
      chunkBytes: header.chunkBytes,
      start: headerBytes,
      end: sizeBytes - trailerBytes,
    });
  }

  async *#sample(): AsyncGenerator<BundlePart, void, void> {
    const { length } = await this.#peek();
    const sample = await this.#json(recordType.sample, bundledSample);
    if (!this.#names.add(sample)) this.#damaged();
    const before = this.#since.recordBytes;
    const records = await this.#records();
    const { type } = await this.#peek();
    const hasBytes = type === recordType.piece || type === recordType.bytesEnd;
    this.#counts.samples += 1;
    this.#since.samples += 1;
    this.#since.recordBytes += length;
    yield { kind: 'sample', sample, records, hasBytes, recordBytes: this.#since.recordBytes - before };
    this.#since.recordBytes += countedATag * sample.tags.length;
    if (!hasBytes) return;
    const { sha256, sizeBytes } = sample;
    if (sha256 === null || sizeBytes === null) throw this.#damage();
    if (!(yield* this.#pieces({ ...sample, sha256, sizeBytes }))) return;
    this.#counts.withBytes += 1;
    this.#counts.bytes += sizeBytes;
    this.#since.sampleBytes += sizeBytes;
  }

  async #records(): Promise<BundledRecord[]> {
    const records: BundledRecord[] = [];
    const bounds = new RecordBounds();
    let left = mostRecordBytes;
    for (let ahead = await this.#peek(); ahead.type === recordType.record; ahead = await this.#peek()) {
      left -= ahead.length;
      this.#since.recordBytes += ahead.length;
      if (left < 0 || records.length === mostRecords) this.#damaged();
      const record = await this.#json(recordType.record, bundledRecord);
      if (!bounds.take(record)) this.#damaged();
      records.push(record);
    }
    return records;
  }

  async *#rules(): AsyncGenerator<BundlePart, void, void> {
    const rules = await this.#json(recordType.rules, bundledRules);
    yield { kind: 'rules', rules };
    if (!(yield* this.#pieces({ ...rules, md5: null, sha1: null }))) this.#damaged();
  }

  /** @returns whether they are all, which is then proven */
  async *#pieces(expected: {
    sha256: string;
    md5: string | null;
    sha1: string | null;
    sizeBytes: number;
  }): AsyncGenerator<BundlePart, boolean, void> {
    const hashes = new ByteHashes(expected);
    for (let ahead = await this.#peek(); ahead.type === recordType.piece; ahead = await this.#peek()) {
      const bytes = await this.#body(recordType.piece);
      if (bytes.length === 0 || !hashes.take(bytes)) this.#damaged();
      yield { kind: 'piece', bytes };
    }
    const { isWhole } = await this.#json(recordType.bytesEnd, bytesEnd);
    if (isWhole && !hashes.areRight()) this.#damaged();
    yield { kind: 'bytes-end', isWhole };
    return isWhole;
  }

  async *#end({ samples, publicKey }: BundleManifest): AsyncGenerator<BundlePart, void, void> {
    const counts = await this.#json(recordType.end, bundleEnd);
    const digest = this.#signed.copy().digest();
    // One that was meant may have been forgotten while the bundle was written.
    const isRight =
      counts.samples <= samples &&
      counts.samples === this.#counts.samples &&
      counts.withBytes === this.#counts.withBytes &&
      counts.bytes === this.#counts.bytes;
    if (!isRight) this.#damaged();
    const signature = await this.#body(recordType.signature);
    if (this.#taken < this.#chunk.length || (await this.#chunks?.next()) !== null) this.#damaged();
    if (!isSignedBy(publicKey, digest, signature)) fail({ kind: 'bundle-not-signed' });
    yield { kind: 'border', digest };
    yield { kind: 'end', counts };
  }

  #isBorder(): boolean {
    const { samples, recordBytes, sampleBytes } = this.#since;
    return (
      samples >= betweenBorders.samples ||
      recordBytes >= betweenBorders.recordBytes ||
      sampleBytes >= betweenBorders.sampleBytes
    );
  }

  #border(): BundlePart {
    Object.assign(this.#since, { samples: 0, recordBytes: 0, sampleBytes: 0 });
    return { kind: 'border', digest: this.#signed.copy().digest() };
  }

  async #json<T>(type: RecordType, schema: z.ZodType<T>): Promise<T> {
    const body = await this.#body(type);
    try {
      return schema.parse(JSON.parse(body.toString('utf8')));
    } catch (error) {
      return this.#damaged(error);
    }
  }

  /** The next record, which must be of this type. */
  async #body(type: RecordType): Promise<Buffer> {
    const ahead = await this.#peek();
    if (ahead.type !== type) this.#damaged();
    this.#ahead = null;
    const body = await this.#take(ahead.length);
    if (type !== recordType.piece && type !== recordType.signature)
      this.#signed.update(frameOf(type, body.length)).update(body);
    return body;
  }

  async #peek(): Promise<Frame> {
    this.#ahead ??= await this.#readFrame();
    return this.#ahead;
  }

  async #readFrame(): Promise<Frame> {
    const frame = readFrame(await this.#take(frameBytes));
    if (frame === null || !isRecordType(frame.type) || frame.length > mostBytesOf(frame.type)) return this.#damaged();
    return frame;
  }

  /** Grows with what is there, not with the declared length. */
  async #take(length: number): Promise<Buffer> {
    const whole = this.#takeHere(length);
    if (whole.length === length) return whole;
    const parts = [whole];
    for (let left = length - whole.length; left > 0;) {
      this.#chunk = (await this.#chunks?.next()) ?? this.#damaged();
      this.#taken = 0;
      const part = this.#takeHere(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts, length);
  }

  #takeHere(length: number): Buffer {
    const part = this.#chunk.subarray(this.#taken, this.#taken + length);
    this.#taken += part.length;
    return part;
  }

  #damaged(cause?: unknown): never {
    throw this.#damage(cause);
  }

  #damage(cause?: unknown): FailureError {
    return new FailureError({ kind: 'bundle-damaged', atByte: this.#chunks?.position ?? 0 }, { cause });
  }
}
