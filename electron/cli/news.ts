import type { EventName, EventPayload } from '../../shared/contract.ts';
import type { Door } from './door.ts';

export interface News<Payload> {
  /**
   * The latest payload since it was last asked; waits for one where there is none. Rejects with the signal's reason.
   */
  next(signal: AbortSignal): Promise<Payload>;
  stop(): void;
}

/** Hears of an event from now on, and forgets none that comes between two questions. */
export async function newsOf<N extends EventName>(
  door: Door,
  name: N,
  isMeant: (payload: EventPayload<N>) => boolean,
): Promise<News<EventPayload<N>>> {
  let latest: { payload: EventPayload<N> } | null = null;
  let wake = (): void => {};
  const stop = await door.subscribe(name, (payload) => {
    if (!isMeant(payload)) return;
    latest = { payload };
    wake();
  });
  const take = (): { payload: EventPayload<N> } | null => {
    const taken = latest;
    latest = null;
    return taken;
  };
  return {
    next: async (signal) => {
      for (;;) {
        signal.throwIfAborted();
        const taken = take();
        if (taken) return taken.payload;
        await woken((resolve) => (wake = resolve), signal);
      }
    },
    stop,
  };
}

function woken(listen: (resolve: () => void) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    listen(done);
  });
}
