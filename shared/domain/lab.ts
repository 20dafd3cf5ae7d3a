import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { md5 } from './hash.ts';

/**
 * What a token of the lab may do. `read` is `getfile`; the others are named after what they allow. `restricted` opens
 * no action: it lets `download` reach restricted samples too.
 */
export const labRights = ['read', 'download', 'restricted', 'upload', 'comment', 'scan', 'publish'] as const;
export const labRight = z.enum(labRights);
export type LabRight = z.infer<typeof labRight>;

export const sampleFile = z.object({ md5, name: z.string(), sizeBytes: z.number().int().nonnegative() });
export type SampleFile = z.infer<typeof sampleFile>;

/** What the lab's rule editor has published. */
export const labPublication = z.object({
  id: z.string(),
  version: z
    .string()
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/,
      'a version of letters, digits, ".", "-", "_" and "+", at most 64 characters',
    ),
  group: z.enum(['Release', 'Test']),
  /** UTC, ISO 8601. */
  published: z.string(),
  files: z.number().int().nonnegative(),
  rules: z.number().int().nonnegative(),
});
export type LabPublication = z.infer<typeof labPublication>;

/**
 * The first message to a lab that Vitrine starts. The token travels here because arguments are visible to other users.
 */
export const labStart = z.object({
  kind: z.literal('start'),
  dataDirectory: z.string(),
  /** 0 for any free port. */
  port: z.number().int().min(0).max(65535),
  token: z.string().min(32),
  rights: z.array(labRight),
});
export type LabStart = z.infer<typeof labStart>;

/** At any time after the start: the password that encrypted packages are made with from now on; null: none are made. */
export const labPassword = z.object({ kind: z.literal('package-password'), password: z.string().max(128).nullable() });
export type LabPassword = z.infer<typeof labPassword>;

/** The lab's answer: once listening, with its sample files; or why it cannot. */
export const labMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), port: z.number().int(), sampleFiles: z.array(sampleFile) }),
  z.object({ kind: z.literal('failed'), failure: failureSchema }),
]);
export type LabMessage = z.infer<typeof labMessage>;
