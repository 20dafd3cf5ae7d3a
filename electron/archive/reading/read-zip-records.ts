import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { decodedName } from '../../base/name-bytes.ts';

/** What reading and writing a ZIP agree on: numbers of APPNOTE.TXT 6.3.10. */
export const localSignature = 0x04034b50;
export const centralSignature = 0x02014b50;
export const descriptorSignature = 0x08074b50;
export const zip64EndSignature = 0x06064b50;
export const zip64LocatorSignature = 0x07064b50;
export const endSignature = 0x06054b50;

export const storedMethod = 0;
/** DEFLATE (RFC 1951). */
export const deflatedMethod = 8;
/** Of WinZip's AES; the method under it is in the extra field. */
export const aesMethod = 99;

export const encryptedFlag = 0x0001;
/** The CRC and the sizes are behind the bytes. */
export const descriptorFlag = 0x0008;
/** The name is UTF-8 (appendix D). */
export const utf8Flag = 0x0800;

export const zip64FieldId = 0x0001;
/** Where a size, an offset or a number of entries is in a zip64 record instead. */
export const max32 = 0xffffffff;
export const max16 = 0xffff;

/** Reading the records of a ZIP as APPNOTE.TXT 6.3.10 defines them, pure; little-endian. */
export const localHeaderBytes = 30;
/** The most bytes that deflate makes of one. */
export const mostExpansion = 1032;

/** As people call the methods of APPNOTE 4.4.5. */
const methodNames: Partial<Record<number, string>> = {
  1: 'Shrink',
  2: 'Reduce',
  3: 'Reduce',
  4: 'Reduce',
  5: 'Reduce',
  6: 'Implode',
  9: 'Deflate64',
  10: 'PKWARE DCL Implode',
  12: 'BZip2',
  14: 'LZMA',
  16: 'CMPSC',
  18: 'TERSE',
  19: 'LZ77',
  20: 'Zstandard (old)',
  93: 'Zstandard',
  94: 'MP3',
  95: 'XZ',
  96: 'JPEG',
  97: 'WavPack',
  98: 'PPMd',
};
/** For a failure: the name of a compression, or its number where it has none. */
export const methodName = (method: number): string => `${methodNames[method] ?? `unknown (${method})`} compression`;
export const isKnownMethod = (method: number): boolean =>
  isReadableMethod(method) || method === aesMethod || methodNames[method] !== undefined;

/** Without compression, or DEFLATE. */
export const isReadableMethod = (method: number): boolean => method === storedMethod || method === deflatedMethod;

/** Encrypted, by any scheme; the third bit means that the header itself is masked. */
const encryptedFlags = encryptedFlag | 0x0040 | 0x2000;

export interface LocalHeader {
  name: string;
  method: number;
  encrypted: boolean;
  /** The sizes and the CRC are behind the bytes, not here. */
  sizesFollow: boolean;
  crc32: number;
  /** As declared. `Infinity` when it is beyond what a number counts exactly. */
  storedBytes: number;
  plainBytes: number;
}

/** How many bytes of name and extra fields follow the fixed part. */
export const localTailBytes = (fixed: Uint8Array): number => u16(fixed, 26) + u16(fixed, 28);

/** `header` holds the whole local header: the fixed part, the name and the extra fields. */
export function readLocalHeader(header: Uint8Array): LocalHeader {
  const flags = u16(header, 6);
  const nameEnd = localHeaderBytes + u16(header, 26);
  const extra = header.subarray(nameEnd);
  const method = u16(header, 8);
  return {
    name: nameOf(header.subarray(localHeaderBytes, nameEnd), flags, extra),
    method,
    encrypted: (flags & encryptedFlags) !== 0 || method === aesMethod,
    sizesFollow: (flags & descriptorFlag) !== 0,
    crc32: u32(header, 14),
    ...sizes(u32(header, 18), u32(header, 22), extra),
  };
}

/** Read forward there is no other name to guess an encoding by: the format's own code page it is. */
const nameOf = (raw: Uint8Array, flags: number, extra: Uint8Array): string =>
  utf8Name(raw, flags, extra) ?? decodedName(raw, 'cp437');

/** A local header that uses zip64 gives both sizes there, the plain one first. */
function sizes(
  storedBytes: number,
  plainBytes: number,
  extra: Uint8Array,
): Pick<LocalHeader, 'storedBytes' | 'plainBytes'> {
  const field = extraField(extra, zip64FieldId);
  if ((storedBytes !== max32 && plainBytes !== max32) || field === null || field.length < 16)
    return { storedBytes, plainBytes };
  return {
    plainBytes: plainBytes === max32 ? u64(field, 0) : plainBytes,
    storedBytes: storedBytes === max32 ? u64(field, 8) : storedBytes,
  };
}

/** The data of an extra field, or null. What does not fit its frame ends the search. */
export function extraField(extra: Uint8Array, id: number): Uint8Array | null {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + u16(extra, at + 2);
    if (end > extra.length) return null;
    if (u16(extra, at) === id) return extra.subarray(at + 4, end);
    at = end;
  }
  return null;
}

/** Whether a name is marked as UTF-8, or is it by its bytes: then no encoding has to be guessed. */
export function utf8Name(raw: Uint8Array, flags: number, extra: Uint8Array): string | null {
  const unicode = extraField(extra, 0x7075);
  if (unicode !== null && unicode.length > 5 && unicode[0] === 1 && u32(unicode, 1) === crc32(raw))
    return decodedName(unicode.subarray(5), 'utf-8');
  return (flags & utf8Flag) !== 0 || isUtf8(raw) ? decodedName(raw, 'utf-8') : null;
}

export const u16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
export const u32 = (bytes: Uint8Array, at: number): number => (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;

export function u64(bytes: Uint8Array, at: number): number {
  const value = u32(bytes, at + 4) * 2 ** 32 + u32(bytes, at);
  return Number.isSafeInteger(value) ? value : Infinity;
}
