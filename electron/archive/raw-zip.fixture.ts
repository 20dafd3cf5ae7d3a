import { crc32, deflateRawSync } from 'node:zlib';
import type { RandomAccess } from './reading/zip-source.ts';

export interface RawEntry {
  name: string | Uint8Array;
  plain?: Uint8Array;
  method?: number;
  flags?: number;
  /** What lies in the archive, and what its headers say, when it is not what `plain` makes of it. */
  packed?: Uint8Array;
  crc32?: number;
  storedBytes?: number;
  plainBytes?: number;
  /** Upper half of the external attributes. */
  mode?: number;
  /** Behind the bytes. */
  descriptor?: Uint8Array;
  extra?: Uint8Array;
  /** The different values of the local header. */
  local?: { crc32?: number; storedBytes?: number; plainBytes?: number };
}

/** An archive byte for byte, as no tool would write it. */
export function rawZip(entries: readonly RawEntry[], comment = ''): Buffer {
  const locals: Uint8Array[] = [];
  const centrals: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const facts = factsOf(entry);
    const local = Buffer.concat([
      u32(0x04034b50),
      headerOf({ ...facts, ...entry.local }),
      facts.name,
      facts.extra,
      facts.packed,
      facts.descriptor,
    ]);
    centrals.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(0x31e),
        headerOf(facts),
        u16(0),
        u16(0),
        u16(0),
        u32(((entry.mode ?? 0) << 16) >>> 0),
        u32(offset),
        facts.name,
        facts.extra,
      ]),
    );
    locals.push(local);
    offset += local.length;
  }
  return Buffer.concat([
    ...locals,
    ...centrals,
    endOf(entries.length, Buffer.concat(centrals).length, offset, comment),
  ]);
}

/** With zip64 records where there are more entries than fit. */
export function endOf(entries: number, directoryBytes: number, offset: number, comment = ''): Buffer {
  const large = entries >= 0xffff;
  const count = u16(large ? 0xffff : entries);
  return Buffer.concat([
    large ? zip64EndOf(entries, directoryBytes, offset) : Buffer.alloc(0),
    u32(0x06054b50),
    u32(0),
    count,
    count,
    u32(directoryBytes),
    u32(offset),
    u16(comment.length),
    Buffer.from(comment),
  ]);
}

function zip64EndOf(entries: number, directoryBytes: number, offset: number): Buffer {
  const u64 = (value: number) => Buffer.concat([u32(value), u32(0)]);
  const locator = [u32(0x07064b50), u32(0), u64(offset + directoryBytes), u32(1)];
  return Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45),
    u16(45),
    u64(0),
    u64(entries),
    u64(entries),
    u64(directoryBytes),
    u64(offset),
    ...locator,
  ]);
}

function factsOf({
  name,
  plain = Buffer.alloc(0),
  method = 8,
  flags = 0,
  extra = Buffer.alloc(0),
  descriptor = Buffer.alloc(0),
  ...said
}: RawEntry) {
  const packed = said.packed ?? (method === 8 ? deflateRawSync(plain) : plain);
  return {
    name: typeof name === 'string' ? Buffer.from(name) : name,
    method,
    flags,
    extra,
    descriptor,
    packed,
    crc32: said.crc32 ?? crc32(plain),
    storedBytes: said.storedBytes ?? packed.length,
    plainBytes: said.plainBytes ?? plain.length,
  };
}

function headerOf({ name, method, flags, extra, ...sizes }: ReturnType<typeof factsOf>): Buffer {
  return Buffer.concat([
    u16(20),
    u16(flags),
    u16(method),
    u32(0),
    u32(sizes.crc32),
    u32(sizes.storedBytes),
    u32(sizes.plainBytes),
    u16(name.length),
    u16(extra.length),
  ]);
}

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The bytes in chunks of one size, or of each size in turn. */
export async function* inChunks(bytes: Uint8Array, ...sizes: number[]): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Remembers the lowest position that was read, and how many bytes were. */
export function accessTo(bytes: Uint8Array): RandomAccess & { lowest(): number; readBytes(): number } {
  let [lowest, readBytes] = [Infinity, 0];
  return {
    sizeBytes: bytes.length,
    lowest: () => lowest,
    readBytes: () => readBytes,
    read: async (position, length) => {
      lowest = Math.min(lowest, position);
      readBytes += length;
      return bytes.subarray(position, position + length);
    },
  };
}

export async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
