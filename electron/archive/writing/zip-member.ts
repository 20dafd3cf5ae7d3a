import { crc32 } from 'node:zlib';
import type { ByteSource } from '../byte-source.ts';

/** What becomes an entry of a ZIP that is written. */
export interface ZipMember {
  name: string;
  /** How many bytes `open` gives. */
  sizeBytes: number;
  open(): ByteSource;
}

/**
 * All its bytes. Its size is known before them: any other number of bytes would make an archive that misleads its
 * reader, and is a defect.
 */
export async function* wholeOf(member: ZipMember): AsyncGenerator<Uint8Array, void, void> {
  let left = member.sizeBytes;
  for await (const piece of member.open()) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0) throw new Error(`${member.name} is not ${member.sizeBytes} bytes long`);
}

export async function checksumOf(bytes: ByteSource): Promise<number> {
  let checksum = 0;
  for await (const chunk of bytes) checksum = crc32(chunk, checksum);
  return checksum;
}
