import type { Hashes } from '../../shared/domain/hash.ts';

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
   * The bytes, or a piece of them. A whole read of a damaged blob throws before its last chunk is given,
   * so that nobody takes it for complete.
   */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes what `isKnown` does not know: bytes whose row was never written. Returns how many. */
  sweep(isKnown: (sha256: string) => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}
