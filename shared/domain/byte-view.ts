import { z } from 'zod';
import { sha256 } from './hash.ts';
import { jobId } from './job.ts';

const count = z.number().int().nonnegative();

/** Bytes that may be shown: a sample of the vault, or a file of a scan while it is on this computer. */
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
