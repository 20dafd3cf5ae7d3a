import { z } from 'zod';

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
