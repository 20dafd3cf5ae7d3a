import { z } from 'zod';

/** Classes of bytes, in the order in which a strip numbers them. */
export const byteClasses = ['zero', 'text', 'code', 'high', 'ff'] as const;
export type ByteClass = (typeof byteClasses)[number];

/** How many parts a file is cut into; a shorter file has a part for each of its bytes. */
export const stripParts = 64;

/**
 * What a sample looks like: for each part of the file the class that most of its bytes have, as one digit, and its
 * entropy, 0 to 8 bits a byte, as two hexadecimal digits from 00 to ff.
 */
export const byteStrip = z.string().regex(/^(?:[0-4][0-9a-f]{2}){1,64}$/, 'a byte strip');
export type ByteStrip = z.infer<typeof byteStrip>;

export interface StripPart {
  byteClass: ByteClass;
  /** Bits a byte, 0 to 8. */
  entropy: number;
}

export function partsOfStrip(strip: ByteStrip): StripPart[] {
  return (strip.match(/.{3}/g) ?? []).map((part) => ({
    byteClass: byteClasses[Number(part[0])] ?? 'zero',
    entropy: (Number.parseInt(part.slice(1), 16) / 255) * 8,
  }));
}
