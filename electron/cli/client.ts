import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { StagedFile } from '../../shared/domain/upload.ts';
import type { EventName, EventPayload } from '../../shared/events.ts';
import { failed, type Result } from '../../shared/failure.ts';

/**
 * The command line's way to a host: a Vitrine that is open on the data directory, over its local socket, or a host that
 * this process opened itself. Commands cannot distinguish them.
 */
export interface HostClient {
  /** `running`: another process. What is begun there continues when this one ends. */
  readonly kind: 'running' | 'own';
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>>;
  /** Resolves once no event of that name is missed any more. @returns the way to stop listening */
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): Promise<() => void>;
  /** A file, by its absolute path; it is not copied. */
  stageFile(path: string): Promise<Result<StagedFile>>;
  /** A folder, by its absolute path. @returns what operations name it by */
  nameFolder(path: string): Promise<string>;
  /** The bytes of a prepared export, once. @throws FailureError `export-gone` */
  take(id: string): AsyncIterable<Uint8Array>;
  /** Ends an own host in order; of a running one only the connection. */
  close(): Promise<void>;
}

export interface News<Payload> {
  /**
   * The latest payload since it was last asked; waits for one where there is none. Rejects with the signal's reason.
   */
  next(signal: AbortSignal): Promise<Payload>;
  stop(): void;
}

/** Hears of an event from now on, and forgets none that comes between two questions. */
export async function newsOf<N extends EventName>(
  client: HostClient,
  name: N,
  isMeant: (payload: EventPayload<N>) => boolean,
): Promise<News<EventPayload<N>>> {
  let latest: { payload: EventPayload<N> } | null = null;
  let wake = (): void => {};
  const stop = await client.subscribe(name, (payload) => {
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

/** Hands a file over. Fails as the client does; of what cannot be found, by the name that was typed. */
export async function stagedFile(
  client: Pick<HostClient, 'stageFile'>,
  { path, shown }: { path: string; shown: string },
): Promise<Result<StagedFile>> {
  const result = await client.stageFile(path);
  if (result.ok || result.failure.kind !== 'staged-file-missing') return result;
  return failed({ kind: 'file-gone', name: shown });
}
