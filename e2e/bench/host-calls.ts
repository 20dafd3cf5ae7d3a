import type { z } from 'zod';
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../../shared/contract.ts';
import { readReply } from '../../shared/read-reply.ts';
import { sessionGrant, sessionHeader } from '../../shared/transport-messages.ts';

/** Asks the web host as another page of its would. Rejects when an operation fails. */
export type HostCalls = <N extends OperationName>(name: N, input: OperationInput<N>) => Promise<OperationOutput<N>>;

const outputs: { [N in OperationName]: { output: z.ZodType<OperationOutput<N>> } } = operations;

/** Uses up the link. */
export async function openHostCalls(link: string): Promise<HostCalls> {
  const { origin, hash } = new URL(link);
  const post = async (path: string, headers: Record<string, string>, body: unknown): Promise<unknown> => {
    const sent = { origin, 'content-type': 'application/json', ...headers };
    return (await fetch(`${origin}${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) })).json();
  };
  const granted = readReply(sessionGrant, 'session', await post('/session', {}, { secret: hash.slice(1) }));
  if (!granted.ok) throw new Error(`no session: ${JSON.stringify(granted.failure)}`);
  const session = { [sessionHeader]: granted.value.session };
  return async (name, input) => {
    const reply = readReply(outputs[name].output, name, await post(`/call/${name}`, session, input));
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.failure)}`);
    return reply.value;
  };
}
