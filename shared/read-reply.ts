import { z } from 'zod';
import { failureSchema } from './failure-kinds.ts';
import { failed, type Result, success } from './failure.ts';

const envelope = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: failureSchema }),
]);

/**
 * Reads what came back over a transport: the `Result` with its value checked by `schema`. What is neither
 * a success of that shape nor a failure of the catalogue is the failure `host-reply-unreadable`.
 */
export function readReply<S extends z.ZodType>(schema: S, operation: string, reply: unknown): Result<z.output<S>> {
  const read = envelope.safeParse(reply);
  if (!read.success) return failed({ kind: 'host-reply-unreadable', operation });
  if (!read.data.ok) return failed(read.data.failure);
  const value = z.safeParse(schema, read.data.value);
  return value.success ? success(value.data) : failed({ kind: 'host-reply-unreadable', operation });
}
