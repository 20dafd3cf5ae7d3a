import type { ActionCall } from './action.ts';

/** Aborted when the client has gone: nobody works for one that cannot hear the answer. */
export function whileConnected({ response }: Pick<ActionCall, 'response'>): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  return gone.signal;
}
