import type { Hashes } from '../../../shared/domain/hash.ts';
import { fail } from '../../../shared/failure.ts';
import type { MetadataStore, NewComment, SampleFacts, StoredBlob } from './metadata-store.ts';

/**
 * A database or a store of bytes that cannot be reached, or is too slow or too busy, now: the same request may succeed
 * later. The message is for operators and holds no secret.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export interface SealedBlob {
  hashes: Hashes;
  sizeBytes: number;
  /** Where its bytes are once it is committed: the store's own word for it, which rows keep. */
  place: string;
}

/**
 * Bytes on their way in. Until they are committed they are this receiver's alone: no other of the same bytes can be hit
 * by `abort`.
 */
export interface BlobReceiver {
  /** Resolves when the store can take more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Durable from here on, but no row names them yet. */
  seal(): Promise<SealedBlob>;
  /** Removes what was not committed; may be called at any time, also afterwards. */
  abort(): Promise<void>;
}

/** Inclusive on both ends, as in HTTP (RFC 9110, section 14.1.2). */
export interface ByteRange {
  first: number;
  last: number;
}

export interface SweepOptions {
  /** What is younger stays, whatever is known of it: its row may be on the way. By the store's own clock. */
  olderThanMs: number;
  /** Those of the places that no row names. */
  unknownAmong: (places: readonly string[]) => Promise<readonly string[]>;
  /** Nothing is removed: `unknownAmong` hears of what would be considered. */
  isDryRun?: boolean;
  /** Ends it early, behind the page that it is at: a large store takes longer than an operator waits. */
  signal?: AbortSignal | undefined;
}

/** Bytes without a row are removed at this age: longer than any upload takes from its first byte to its rows. */
export const sweptAfterMs = 24 * 3_600_000;

/** Where the lab keeps sample bytes. Several processes may share one; the rows they share say what is in it. */
export interface BlobStore {
  receive(): BlobReceiver;
  /**
   * Makes what was sealed readable, and then has its rows written: a row without its bytes cannot come to be. `write`
   * resolves to an outcome for each receiver, in their order; bytes whose outcome is not `added` are this store's to
   * remove. Where `write` fails the rows may be there all the same (the answer to a COMMIT can be lost): the bytes stay
   * until a sweep.
   */
  commit<Outcome extends string>(
    receivers: readonly BlobReceiver[],
    write: () => Promise<readonly Outcome[]>,
  ): Promise<readonly Outcome[]>;
  /**
   * The bytes, or a piece of them. A whole read of a damaged blob throws before its last chunk is given, so that no
   * caller takes it for complete. Fails with `not-in-vault` or `vault-damaged`.
   */
  read(blob: StoredBlob, range?: ByteRange): AsyncIterable<Uint8Array>;
  /**
   * Removes bytes whose row was never written. Safe beside uploads, in this process and in others; one at a time in a
   * process. @returns how many
   */
  sweep(options: SweepOptions): Promise<number>;
  close(): Promise<void>;
}

export interface Stores {
  metadata: MetadataStore;
  blobs: BlobStore;
}

/** Stores that are open. The caller that opened them closes them. */
export interface LabStores extends Stores {
  close(): Promise<void>;
}

export interface TakenIn extends SealedBlob {
  outcome: 'added' | 'already-here';
}

/**
 * Takes a sample in: first the bytes, made durable, then the row that makes them visible. A process killed in between
 * leaves bytes that no one can request, which a sweep removes. An MD5 that is taken by other bytes fails with
 * `two-samples-one-md5`.
 */
export async function takeIn(
  { metadata, blobs }: Stores,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  facts: SampleFacts,
  comments: NewComment[],
): Promise<TakenIn> {
  const receiver = blobs.receive();
  const sealed = await sealAll(receiver, chunks);
  const add = () => metadata.addSamples([{ sample: { ...facts, ...sealed }, comments }]);
  const [outcome] = await blobs.commit([receiver], add);
  if (outcome === 'added' || outcome === 'already-here') return { ...sealed, outcome };
  const { md5, sha256 } = sealed.hashes;
  const [other] = await metadata.filesByMd5([md5]);
  return fail({ kind: 'two-samples-one-md5', md5, sha256s: [other?.sha256 ?? '', sha256] });
}

/** Nothing is left of what could not be read or written to its end. */
export async function sealAll(
  receiver: BlobReceiver,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<SealedBlob> {
  try {
    for await (const chunk of chunks) await receiver.write(chunk);
    return await receiver.seal();
  } catch (error) {
    await receiver.abort();
    throw error;
  }
}
