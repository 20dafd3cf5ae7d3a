import { z } from 'zod';
import { json } from '../../shared/domain/sample.ts';

/** What a process that attacks a reader is started with. More memory than `mostMiB` for all of it is a find. */
export const attackOrder = z.object({ name: z.string(), seconds: z.number(), seed: z.number(), mostMiB: z.number() });
export type AttackOrder = z.infer<typeof attackOrder>;

/** Its output, a line each. It writes before it continues: the last line shows what it was doing when it ended. */
export const attackWord = z.discriminatedUnion('kind', [
  /** The cases from here on: those of a seed, or for null what is kept. */
  z.object({ kind: z.literal('batch'), seed: z.number().nullable() }),
  /** It tries the next case of the batch. */
  z.object({ kind: z.literal('try') }),
  z.object({ kind: z.literal('found'), input: json, why: z.string() }),
  /** `slowestMs`: of processor time. `peakMiB`: of the whole process. */
  z.object({ kind: z.literal('end'), slowestMs: z.number(), peakMiB: z.number() }),
]);
export type AttackWord = z.infer<typeof attackWord>;

/** Where the words go: the first file descriptor behind the three that every process has. */
export const wordsDescriptor = 3;
export const casesInABatch = 50;
