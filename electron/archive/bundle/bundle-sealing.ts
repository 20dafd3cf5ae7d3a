import { createHash, type Hash } from 'node:crypto';
import type { BundledRecord, BundledRules, BundledSample } from '../../../shared/domain/bundle.ts';
import {
  type BundleManifest,
  frameOf,
  mostBytesOf,
  mostRecordBytes,
  mostRecords,
  newHeader,
  newTrailer,
  type PassphraseCost,
  publicKeyOf,
  recordType,
  type RecordType,
  signatureOf,
  trailerBytes,
} from './bundle-format.ts';
import { ChunkSealer, RecordBounds, type SealedSink } from './sealed-chunks.ts';

export interface BundleSealingOptions {
  passphrase: string;
  /** As `newSigningKey` made it. */
  signingKey: string;
  /** Takes the bundle as it comes. */
  sink: SealedSink;
  /** Less only in tests. */
  cost?: PassphraseCost;
  chunkBytes?: number;
}

/**
 * Writes a bundle from its beginning to its end, and holds one chunk of it. Deriving the key blocks: for a worker.
 * Calls come in the order of the format, each awaited before the next: `begin`, then `sample`, its `record`s, and its
 * `piece`s with `endBytes` behind them, then `rules` with theirs, then `end`.
 */
export class BundleSealing {
  readonly #signed: Hash;
  readonly #sealer: ChunkSealer;
  readonly #sink: SealedSink;
  readonly #signingKey: string;
  #writtenBytes = 0;
  #recordBytes = 0;
  #records = 0;
  #bounds = new RecordBounds();
  #pieceBytes = 0;
  readonly #counts = { samples: 0, withBytes: 0, bytes: 0 };
  #isOfSample = false;
  readonly #header: Buffer;

  constructor({ passphrase, signingKey, sink, cost, chunkBytes }: BundleSealingOptions) {
    const header = newHeader(passphrase, { ...(cost && { cost }), ...(chunkBytes !== undefined && { chunkBytes }) });
    this.#header = header.bytes;
    this.#signingKey = signingKey;
    this.#signed = createHash('sha256').update(header.bytes);
    this.#sink = {
      write: (bytes) => {
        this.#writtenBytes += bytes.length;
        return sink.write(bytes);
      },
    };
    this.#sealer = new ChunkSealer(header.key, header.chunkBytes, this.#sink);
  }

  async begin(manifest: Omit<BundleManifest, 'publicKey'>): Promise<void> {
    await this.#sink.write(this.#header);
    await this.#json(recordType.manifest, { ...manifest, publicKey: publicKeyOf(this.#signingKey) });
  }

  async sample(sample: BundledSample): Promise<void> {
    this.#counts.samples += 1;
    [this.#records, this.#recordBytes, this.#isOfSample, this.#bounds] = [0, 0, true, new RecordBounds()];
    await this.#json(recordType.sample, sample);
  }

  /**
   * One for which a reader has no space goes with its latest comments, without any, or not at all.
   *
   * @returns whether it went as it is
   */
  async record({ readAt, record }: BundledRecord): Promise<boolean> {
    for (const comments of [record.comments, this.#bounds.latest(record.comments), []]) {
      const one = { readAt, record: { ...record, comments } };
      const body = this.#records < mostRecords && this.#bounds.take(one) ? Buffer.from(JSON.stringify(one)) : null;
      if (body === null || this.#recordBytes + body.length > mostRecordBytes) continue;
      this.#records += 1;
      this.#recordBytes += body.length;
      await this.#signedRecord(recordType.record, body);
      return comments.length === record.comments.length;
    }
    return false;
  }

  async piece(bytes: Uint8Array): Promise<void> {
    const most = mostBytesOf(recordType.piece);
    for (let at = 0; at < bytes.length; at += most) {
      const part = bytes.subarray(at, at + most);
      await this.#sealer.write(frameOf(recordType.piece, part.length));
      await this.#sealer.write(part);
    }
    this.#pieceBytes += bytes.length;
  }

  /** `isWhole`: the pieces since the last end are all of it, and match its hashes. */
  async endBytes(isWhole: boolean): Promise<void> {
    if (isWhole && this.#isOfSample) {
      this.#counts.withBytes += 1;
      this.#counts.bytes += this.#pieceBytes;
    }
    this.#pieceBytes = 0;
    await this.#json(recordType.bytesEnd, { isWhole });
  }

  async rules(rules: BundledRules): Promise<void> {
    this.#isOfSample = false;
    await this.#json(recordType.rules, rules);
  }

  async end(): Promise<void> {
    await this.#json(recordType.end, this.#counts);
    const signature = signatureOf(this.#signed.digest(), this.#signingKey);
    await this.#sealer.write(frameOf(recordType.signature, signature.length));
    await this.#sealer.write(signature);
    await this.#sealer.finish();
    await this.#sink.write(newTrailer(this.#writtenBytes + trailerBytes));
  }

  #json(type: RecordType, value: unknown): Promise<void> {
    return this.#signedRecord(type, Buffer.from(JSON.stringify(value)));
  }

  async #signedRecord(type: RecordType, body: Uint8Array): Promise<void> {
    const frame = frameOf(type, body.length);
    this.#signed.update(frame).update(body);
    await this.#sealer.write(frame);
    await this.#sealer.write(body);
  }
}
