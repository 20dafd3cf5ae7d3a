import type { ByteSource } from './byte-source.ts';

/** How one entry of a ZIP is encrypted: what its records say, and what becomes of its bytes. */
export interface EntryEncryption {
  method: number;
  version: number;
  extra: Uint8Array;
  /** Bytes it adds to the entry. */
  overheadBytes: number;
  /** What the records give as the CRC. */
  crc32: number;
  encrypt(bytes: ByteSource): AsyncIterable<Uint8Array>;
}

/** Bytes encrypted at a time: about half a millisecond of work, so that nothing else on the thread waits. */
export const pieceBytes = 64 * 1024;
export const storedMethod = 0;
