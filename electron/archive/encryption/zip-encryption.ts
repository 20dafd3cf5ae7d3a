import type { ZipEncryption } from '../../../shared/domain/settings.ts';
import { sliceBytes } from './aes-counter-mode.ts';
import { inPiecesOf, type ByteSource } from '../byte-source.ts';

export interface ZipProtection {
  encryption: ZipEncryption;
  /** Encoded as UTF-8. Tools of one code page open it with ASCII passwords only. */
  password: string;
}

/** How the entries of one archive are encrypted. Each needs keys of its own. */
export interface ArchiveEncryption {
  /** `crc32` of the plain entry: ZipCrypto alone needs it. */
  entry(crc32: number): EntryEncryption;
}

/** How one entry of a ZIP is encrypted: what its records say, and what becomes of its bytes. */
export interface EntryEncryption {
  method: number;
  version: number;
  extra: Uint8Array;
  /** Bytes it adds to the entry. */
  overheadBytes: number;
  /** What the records give as the CRC. */
  crc32: number;
  /** For one pass over the bytes. */
  open(): Promise<EntryCipher>;
}

export interface EntryCipher {
  /** Goes before the bytes. */
  readonly head: Uint8Array;
  /** Encrypts in place. A piece lies at a multiple of four in its buffer; all but the last are multiples of 64 KiB. */
  update(piece: Uint8Array<ArrayBuffer>): void;
  /** Goes behind the bytes. */
  tail(): Uint8Array;
}

/** What of the entry lies in the archive, for bytes that arrive over time. */
export async function* encryptedWith(cipher: EntryCipher, bytes: ByteSource): AsyncGenerator<Uint8Array, void, void> {
  yield cipher.head;
  for await (const piece of inPiecesOf(sliceBytes, bytes)) {
    cipher.update(piece);
    yield piece;
  }
  yield cipher.tail();
}
