import { z } from 'zod';
import { sha256 } from './hash.ts';
import { jobId } from './job.ts';

const count = z.number().int().nonnegative();

/** Bytes that may be looked at: a sample of the vault, or a file of a scan while this desk has it. */
export const byteSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('vault'), sha256 }),
  z.object({ kind: z.literal('scan'), jobId, position: z.number().int().positive() }),
]);
export type ByteSource = z.infer<typeof byteSource>;

export const mostBytesARead = 65_536;
/** Offsets and lengths are in bytes. */
export const byteWindow = z.object({
  offset: count.max(Number.MAX_SAFE_INTEGER),
  length: z.number().int().min(1).max(mostBytesARead, 'at most 65,536 bytes a call'),
});

/** What was read: fewer bytes than asked for only at the end. */
export const readBytes = z.object({ offset: count, base64: z.string(), sizeBytes: count });
export type ReadBytes = z.infer<typeof readBytes>;

/** What to look for, as hexadecimal digits; `anyCase`: letters of ASCII in either case. */
export const bytePattern = z.object({
  hex: z.string().regex(/^(?:[0-9a-f]{2}){1,256}$/, 'between one and 256 bytes'),
  anyCase: z.boolean(),
});
export type BytePattern = z.infer<typeof bytePattern>;

export const mostMapParts = 512;
/**
 * What parts of a file look like, as a byte strip has it (`byte-strip.ts`), but of up to 512 parts. Empty for an empty
 * file.
 */
export const byteMap = z.object({
  sizeBytes: count,
  parts: z.string().regex(/^(?:[0-4][0-9a-f]{2}){0,512}$/, 'a map of bytes'),
});
export type ByteMap = z.infer<typeof byteMap>;

/** Classes of bytes, in the order in which a strip numbers them. */
export const byteClasses = ['zero', 'text', 'code', 'high', 'ff'] as const;
export type ByteClass = (typeof byteClasses)[number];

/** How many parts a file is cut into; a shorter file has a part for each of its bytes. */
export const stripParts = 64;

export interface StripPart {
  byteClass: ByteClass;
  /** Bits a byte, 0 to 8. */
  entropy: number;
}

/**
 * Text is what ASCII prints, with tab, line feed and carriage return; code is the rest of ASCII, as instructions and
 * headers have it.
 */
export function classOfByte(byte: number): ByteClass {
  if (byte === 0) return 'zero';
  if (byte === 0xff) return 'ff';
  if (byte >= 0x80) return 'high';
  const isText = byte === 0x09 || byte === 0x0a || byte === 0x0d || (byte >= 0x20 && byte < 0x7f);
  return isText ? 'text' : 'code';
}

const mostEntropy = 8;
const mostStored = 0xff;

/** @returns a `ByteStrip`; empty where there is no part */
export function encodeStrip(parts: readonly StripPart[]): string {
  return parts
    .map(({ byteClass, entropy }) => `${byteClasses.indexOf(byteClass)}${hexOf((entropy / mostEntropy) * mostStored)}`)
    .join('');
}

const hexOf = (stored: number): string => Math.round(stored).toString(16).padStart(2, '0');

export function partsOfStrip(strip: string): StripPart[] {
  return (strip.match(/.{3}/g) ?? []).map((part) => ({
    byteClass: byteClasses[Number(part[0])] ?? 'zero',
    entropy: (Number.parseInt(part.slice(1), 16) / mostStored) * mostEntropy,
  }));
}

/**
 * What a sample looks like: for each part of the file the class that most of its bytes have, as one digit, and its
 * entropy, 0 to 8 bits a byte, as two hexadecimal digits from 00 to ff.
 */
export const byteStrip = z.string().regex(/^(?:[0-4][0-9a-f]{2}){1,64}$/, 'a byte strip');
export type ByteStrip = z.infer<typeof byteStrip>;
