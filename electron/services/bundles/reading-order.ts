import { z } from 'zod';
import type { ReadingOrder } from './bundle-reading-messages.ts';

const source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('container'), path: z.string() }),
  z.object({ kind: z.literal('in-place'), path: z.string(), sizeBytes: z.number(), changedMs: z.number() }),
]);
const order = z.object({
  stagedId: z.string(),
  source,
  name: z.string(),
  passphrase: z.string(),
  database: z.string(),
  workspaceIds: z.array(z.string()),
  taking: z.object({ borders: z.instanceof(Uint8Array), skip: z.number() }).nullable(),
});

/** What a worker is started with has no type of its own. */
export const readReadingOrder = (value: unknown): ReadingOrder => order.parse(value);
