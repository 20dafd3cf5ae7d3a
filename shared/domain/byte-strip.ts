import { z } from 'zod';

export { byteClasses, partsOfStrip, stripParts, type ByteClass, type StripPart } from './byte-classes.ts';

/**
 * What a sample looks like: for each part of the file the class that most of its bytes have, as one digit, and its
 * entropy, 0 to 8 bits a byte, as two hexadecimal digits from 00 to ff.
 */
export const byteStrip = z.string().regex(/^(?:[0-4][0-9a-f]{2}){1,64}$/, 'a byte strip');
export type ByteStrip = z.infer<typeof byteStrip>;
