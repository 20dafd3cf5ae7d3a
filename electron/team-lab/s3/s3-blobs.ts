import { FailureError } from '../../../shared/failure.ts';
import {
  bodyFrom,
  containerOverheadBytes,
  DamagedContainerError,
  headerBytes,
  readBodyFirst,
  readFacts,
  requireHeader,
  type StreamedBody,
  trailerBytes,
} from '../../vault/container/container.ts';
import {
  type BlobReceiver,
  type BlobStore,
  type ByteRange,
  StoreUnavailable,
  type SweepOptions,
} from '../../lab/stores/blob-store.ts';
import type { StoredBlob } from '../../lab/stores/metadata-store.ts';
import { PartBuffers } from './part-buffers.ts';
import { type S3Client, type S3Listed, S3Refused, type S3Unfinished } from './s3-client.ts';
import { S3Receiver } from './s3-receiver.ts';
import { removalMs } from './s3-upload.ts';

/** Half of the age from which a sweep removes what no row names. */
export const mostSealedMs = 12 * 60 * 60 * 1000;
const start = 'blob/';
const placeForm = /^blob\/\d{4}-\d\d-\d\d\/[\da-f]{32}$/;
/** How many objects are removed at a time. */
const removedAtOnce = 8;

export interface S3BlobsOptions {
  client: S3Client;
  /** Takes what could not be removed, or listed: it is removed by a later sweep, or by a rule of the bucket. */
  report: (error: unknown) => void;
  /** Asked before each sweep that removes. False: this one is to remove nothing. Throws where none ever is to. */
  maySweep?: () => Promise<boolean>;
}

/**
 * Sample bytes as containers of the vault's format in a bucket. Closing it closes the client.
 *
 * Each upload is an object of its own with a random name, which is never written again: two of the same bytes cannot
 * hit each other, here or in other processes. Rows decide which of them is in use.
 */
export function openS3Blobs(options: S3BlobsOptions): BlobStore {
  return new S3Blobs(options);
}

class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  readonly #report: S3BlobsOptions['report'];
  readonly #maySweep: S3BlobsOptions['maySweep'];
  readonly #buffers = new PartBuffers();
  /** Places of this process whose rows may be on the way. Those of other processes are known by their age alone. */
  readonly #underWay = new Set<string>();

  constructor({ client, report, maySweep }: S3BlobsOptions) {
    this.#client = client;
    this.#report = report;
    this.#maySweep = maySweep;
  }

  receive(): BlobReceiver {
    const receiver = new S3Receiver({
      client: this.#client,
      buffers: this.#buffers,
      report: this.#report,
      ended: (place) => void this.#underWay.delete(place),
    });
    this.#underWay.add(receiver.place);
    return receiver;
  }

  async commit<Outcome extends string>(
    receivers: readonly BlobReceiver[],
    write: () => Promise<readonly Outcome[]>,
  ): Promise<readonly Outcome[]> {
    const own = receivers.map(ownReceiver);
    if (!own.every(({ isSealed }) => isSealed))
      throw new Error('these bytes are not sealed, or were committed or aborted');
    if (own.some(({ storedForMs }) => storedForMs > mostSealedMs)) {
      await Promise.all(own.map((receiver) => receiver.abort()));
      throw new StoreUnavailable('These bytes were stored too long ago to be added: a sweep may have removed them.');
    }
    for (const receiver of own) receiver.beginCommit();
    try {
      const outcomes = await write();
      const unused = own.filter((_receiver, index) => outcomes[index] !== 'added');
      await this.#discard(unused.map(({ place }) => place));
      return outcomes;
    } finally {
      for (const { place } of own) this.#underWay.delete(place);
    }
  }

  read(blob: StoredBlob, range?: ByteRange): AsyncIterable<Uint8Array> {
    return asFailures(blob, range === undefined ? this.#whole(blob) : this.#piece(blob, range));
  }

  async sweep(options: SweepOptions): Promise<number> {
    const { isDryRun = false, signal } = options;
    if (!isDryRun && (await this.#maySweep?.()) === false) return 0;
    let removed = 0;
    for await (const { entries, nowMs } of pagesOf((next) => this.#client.list(start, next))) {
      const isOld = ({ key, modifiedMs }: S3Listed): boolean =>
        nowMs - modifiedMs >= options.olderThanMs && this.#isToSweep(key);
      const old = entries.filter(isOld).map(({ key }) => key);
      if (signal?.aborted === true) return removed;
      if (old.length === 0) continue;
      const unknown = await options.unknownAmong(old);
      if (!isDryRun) await inGroups(unknown, (place) => this.#client.delete(place));
      removed += unknown.length;
    }
    return isDryRun ? removed : removed + (await this.#sweepUnfinished(options));
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  /** A prefix may be shared with other objects, which are not ours to remove. */
  #isToSweep(key: string): boolean {
    return placeForm.test(key) && !this.#underWay.has(key);
  }

  /** Stores that cannot list or abort them have a rule for it, or forget them. */
  async #sweepUnfinished({ olderThanMs, signal }: SweepOptions): Promise<number> {
    let aborted = 0;
    try {
      for await (const { entries, nowMs } of pagesOf((next) => this.#client.listUnfinished(start, next))) {
        if (signal?.aborted === true) return aborted;
        const isOld = ({ key, startedMs }: S3Unfinished): boolean =>
          nowMs - startedMs >= olderThanMs && this.#isToSweep(key);
        const old = entries.filter(isOld);
        await inGroups(old, ({ key, uploadId }) => this.#client.abortUpload(key, uploadId));
        aborted += old.length;
      }
    } catch (error) {
      if (!(error instanceof S3Refused)) throw error;
      this.#report(error);
    }
    return aborted;
  }

  /** Their rows name other bytes: a sweep may remove them as well. */
  async #discard(places: readonly string[]): Promise<void> {
    const signal = AbortSignal.timeout(removalMs);
    await inGroups(places, async (place) => {
      try {
        await this.#client.delete(place, signal);
      } catch (error) {
        this.#report(error);
      }
    });
  }

  /** One request: what proves the bytes comes last, and the last of them wait for it. */
  async *#whole({ place, sha256, sizeBytes }: StoredBlob): AsyncGenerator<Uint8Array, void, void> {
    const { totalBytes, bytes, discard } = await this.#client.get(knownPlace(place));
    if (totalBytes !== sizeBytes + containerOverheadBytes) {
      discard();
      throw new DamagedContainerError('wrong length');
    }
    const ends = { header: Buffer.alloc(headerBytes), trailer: Buffer.alloc(trailerBytes) };
    const bodyEnd = headerBytes + sizeBytes;
    let body: StreamedBody | null = null;
    let held: Uint8Array | null = null;
    let position = 0;
    for await (const chunk of bytes) {
      copyOverlap(chunk, position, ends.header, 0);
      const piece = overlapOf(chunk, position, { from: headerBytes, to: bodyEnd });
      copyOverlap(chunk, position, ends.trailer, bodyEnd);
      position += chunk.length;
      if (piece.length === 0) continue;
      body ??= beginBody(ends.header);
      const plain = body.update(piece);
      if (held !== null) yield held;
      held = plain;
    }
    const facts = readFacts(ends.header, ends.trailer, position);
    if (facts.sha256 !== sha256) throw new DamagedContainerError('another sample');
    (body ?? beginBody(ends.header)).requireWhole(ends.trailer);
    if (held !== null) yield held;
  }

  /** Only whole reads are verified: a piece reveals nothing of the rest. */
  async *#piece({ place, sizeBytes }: StoredBlob, { first, last }: ByteRange): AsyncGenerator<Uint8Array, void, void> {
    const beginning = await this.#client.get(knownPlace(place), { first: 0, last: headerBytes - 1 });
    const header = await gathered(beginning.bytes);
    requireHeader(header);
    if (beginning.totalBytes !== sizeBytes + containerOverheadBytes) throw new DamagedContainerError('wrong length');
    const range = { first: headerBytes + first, last: headerBytes + last };
    const decrypt = bodyFrom(header, first);
    const { bytes } = await this.#client.get(place, range, beginning.etag);
    for await (const chunk of bytes) yield decrypt(chunk);
  }
}

function ownReceiver(receiver: BlobReceiver): S3Receiver {
  if (receiver instanceof S3Receiver) return receiver;
  throw new TypeError('a receiver of another store');
}

/** A place is part of an address: no other form of it may get there. */
function knownPlace(place: string): string {
  if (placeForm.test(place)) return place;
  throw new S3Refused('NoSuchKey', 'not a place of this store');
}

async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function beginBody(header: Buffer): StreamedBody {
  requireHeader(header);
  return readBodyFirst(header);
}

/** What of a chunk at `position` lies in the range. */
function overlapOf(chunk: Uint8Array, position: number, { from, to }: { from: number; to: number }): Uint8Array {
  return chunk.subarray(Math.max(0, from - position), Math.max(0, to - position));
}

function copyOverlap(chunk: Uint8Array, position: number, target: Buffer, from: number): void {
  const overlap = overlapOf(chunk, position, { from, to: from + target.length });
  if (overlap.length > 0) target.set(overlap, Math.max(0, position - from));
}

/** What a reader learns of a blob that is missing or not as it was written. */
async function* asFailures(
  { sha256 }: StoredBlob,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* bytes;
  } catch (error) {
    if (error instanceof DamagedContainerError)
      throw new FailureError({ kind: 'vault-damaged', sha256 }, { cause: error });
    if (!(error instanceof S3Refused)) throw error;
    if (error.code === 'NoSuchKey') throw new FailureError({ kind: 'not-in-vault', sha256 }, { cause: error });
    // A name is written once: what was there a moment ago has been replaced, or cut off.
    if (error.code === 'PreconditionFailed' || error.code === 'InvalidRange')
      throw new FailureError({ kind: 'vault-damaged', sha256 }, { cause: error });
    throw error;
  }
}

async function* pagesOf<Page extends { next: string | null }>(
  page: (next: string | null) => Promise<Page>,
): AsyncGenerator<Page, void, void> {
  let next: string | null = null;
  do {
    const found: Page = await page(next);
    yield found;
    next = found.next;
  } while (next !== null);
}

async function inGroups<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += removedAtOnce)
    await Promise.all(items.slice(at, at + removedAtOnce).map(work));
}
