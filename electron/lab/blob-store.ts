import { join } from 'node:path';
import type { Hashes } from '../../shared/domain/hash.ts';
import { openVault, type Vault } from '../vault/vault.ts';
import type { MetadataStore, NewComment, SampleFacts } from './metadata-store.ts';

export interface SealedBlob {
  hashes: Hashes;
  sizeBytes: number;
}

/**
 * Bytes on their way in. Until `keep` they are this receiver's alone: no other of the same bytes can be hit by `abort`.
 */
export interface BlobReceiver {
  /** Resolves when the store can take more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Durable from here on, but under no name yet: a start of the lab removes what was not kept. */
  seal(): Promise<SealedBlob>;
  /** Puts what was sealed where it can be read. The same bytes twice are kept once. */
  keep(): Promise<void>;
  /** Removes what was not kept; may be called at any time. */
  abort(): Promise<void>;
}

/** Inclusive on both ends, as in HTTP (RFC 9110, section 14.1.2). */
export interface ByteRange {
  first: number;
  last: number;
}

/** Where the lab keeps sample bytes, by SHA-256. */
export interface BlobStore {
  receive(): BlobReceiver;
  /**
   * The bytes, or a piece of them. A whole read of a damaged blob throws before its last chunk is given, so that no
   * caller takes it for complete.
   */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes what `isKnown` does not know: bytes whose row was never written. Returns how many. */
  sweep(isKnown: (sha256: string) => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}

/**
 * Sample bytes as encrypted files in the vault of the data directory. Only the holder of the directory's lock opens it.
 */
export async function openFileBlobs(directory: string): Promise<BlobStore> {
  return new FileBlobStore(await openVault(join(directory, 'vault'), null));
}

class FileBlobStore implements BlobStore {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  receive(): BlobReceiver {
    const receiver = this.#vault.receive();
    return {
      write: (chunk) => receiver.write(chunk),
      seal: async () => {
        const { md5, sha1, sha256, sizeBytes } = await receiver.seal({ md5: null, sha256: null });
        return { hashes: { md5, sha1, sha256 }, sizeBytes };
      },
      keep: async () => void (await receiver.keep()),
      abort: () => receiver.abort(),
    };
  }

  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    return range === undefined ? this.#vault.read(sha256) : pieceOf(this.#vault.read(sha256), range);
  }

  async sweep(isKnown: (sha256: string) => Promise<boolean>): Promise<number> {
    let removed = 0;
    for await (const sha256 of this.#vault.list()) {
      if (await isKnown(sha256)) continue;
      await this.#vault.remove(sha256);
      removed += 1;
    }
    return removed;
  }

  close(): Promise<void> {
    return this.#vault.close();
  }
}

/**
 * The vault reads from the start only: what lies before the range is read and dropped, what lies after it is not read.
 */
async function* pieceOf(
  chunks: AsyncIterable<Uint8Array>,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array, void, void> {
  let position = 0;
  for await (const chunk of chunks) {
    const end = position + chunk.length;
    if (end > first) yield chunk.subarray(Math.max(0, first - position), Math.min(chunk.length, last + 1 - position));
    if (end > last) return;
    position = end;
  }
}

export interface TakenIn {
  hashes: Hashes;
  sizeBytes: number;
  outcome: 'added' | 'already-here';
}

/**
 * Takes a sample in: first the bytes, made durable, then the row that makes them visible. A process killed in between
 * leaves bytes that no one can request, which the next start sweeps; a row without its bytes cannot come to be.
 */
export async function takeIn(
  stores: { metadata: MetadataStore; blobs: BlobStore },
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  facts: SampleFacts,
  comments: NewComment[],
): Promise<TakenIn> {
  const { hashes, sizeBytes } = await keepAll(stores.blobs, chunks);
  const outcome = await stores.metadata.addSample({ ...facts, hashes, sizeBytes }, comments);
  return { hashes, sizeBytes, outcome };
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

/** Makes bytes durable; no row names them yet. */
export async function keepAll(
  blobs: BlobStore,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<SealedBlob> {
  const receiver = blobs.receive();
  const sealed = await sealAll(receiver, chunks);
  await receiver.keep();
  return sealed;
}
