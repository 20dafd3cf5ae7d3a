import { z } from 'zod';
import { sha256 } from './hash.ts';
import { itemFilter, jobId } from './job.ts';
import { librarySelection } from './library.ts';
import { zipEncryption } from './settings.ts';
import { isSeenLine } from './visible-text.ts';

/** The page fetches it once from `/export/<id>`; the id is the key and dies with its use. */
export const browserDownload = z.object({ kind: z.literal('browser'), id: z.string(), fileName: z.string() });
export type BrowserDownload = z.infer<typeof browserDownload>;
export const exportResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string(), fileName: z.string(), sizeBytes: z.number() }),
  browserDownload,
]);
export type ExportResult = z.infer<typeof exportResult>;

/** Samples to export: named one by one, or the items of a job whose samples the vault holds. */
export const exportSelection = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('samples'),
    sha256s: z.array(sha256).min(1, 'a sample').max(5000, 'at most 5,000 samples a call'),
  }),
  z.object({ kind: z.literal('job'), id: jobId, filter: itemFilter }),
  /** What a query finds in the library, but for some. */
  librarySelection.options[1],
]);
export type ExportSelection = z.infer<typeof exportSelection>;

/** What cannot be typed would keep the samples in. Without a password an export fails with `password-empty`. */
export const zipProtection = {
  encryption: zipEncryption,
  password: z
    .string()
    .max(128, 'a password of at most 128 characters')
    .refine((text) => text === '' || isSeenLine(text), 'a password on one line, of visible characters'),
};
/** Raw samples are live: they leave only when the person has confirmed just that. */
export const exportAs = z.discriminatedUnion('form', [
  z.object({ form: z.literal('one-zip'), ...zipProtection }),
  z.object({ form: z.literal('zip-each'), ...zipProtection }),
  z.object({ form: z.literal('raw'), confirmed: z.literal(true, 'confirmed') }),
]);
export type ExportAs = z.infer<typeof exportAs>;
