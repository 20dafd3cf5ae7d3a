import { z } from 'zod';
import { failureSchema, serviceName } from '../failure-kinds.ts';

export const connectionTest = z.object({
  service: serviceName,
  reachable: z.boolean(),
  /** null: not reached, or plain http. */
  trusted: z.boolean().nullable(),
  tokenAccepted: z.boolean().nullable(),
  failure: failureSchema.nullable(),
});
export type ConnectionTest = z.infer<typeof connectionTest>;
