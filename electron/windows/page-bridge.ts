import type { z } from 'zod';
import { type OperationName, type OperationOutput, operations } from '../../shared/contract.ts';
import { stagedFile } from '../../shared/domain/upload.ts';
import { type EventName, type EventPayload, events, isEventName } from '../../shared/events.ts';
import { failed } from '../../shared/failure.ts';
import { type Bridge, type IpcRequest, readReply } from '../../shared/transport.ts';

/** What the bridge needs of Electron's preload modules: two fixed channels and the path behind a `File`. */
export interface PreloadPort<PageFile> {
  invoke(request: IpcRequest): Promise<unknown>;
  onEvent(listener: (event: unknown) => void): void;
  /** "" for a file that a script made and that lies nowhere. */
  pathOf(file: PageFile): string;
}

/** The contract, as seen by a name that is only known when it is called. */
const replies: { readonly [N in OperationName]: { readonly output: z.ZodType<OperationOutput<N>> } } = operations;
const payloads: { readonly [N in EventName]: z.ZodType<EventPayload<N>> } = events;

type Listener = (payload: unknown) => void;

/**
 * A request to the page, not news about the host's state: it waits for the page to be ready instead of being lost.
 */
const waiting: readonly EventName[] = ['lookup.prefill', 'shell.command'];

/** The three verbs the page gets. Neither a channel nor a path can be named through them. */
export function createPageBridge<PageFile>(port: PreloadPort<PageFile>): Bridge<PageFile> {
  const inbox = new EventInbox();
  port.onEvent((message) => inbox.put(message));
  const invoke = (request: IpcRequest): Promise<unknown> =>
    port.invoke(request).catch(() => failed({ kind: 'host-gone' }));
  return {
    call: async (name, input) => readReply(replies[name].output, name, await invoke({ kind: 'call', name, input })),
    subscribe: (name, listener) => inbox.subscribe(name, reading(name, listener)),
    stageFile: async (file) => {
      const path = port.pathOf(file);
      if (path === '') return failed({ kind: 'staged-file-missing', id: '' });
      return readReply(stagedFile, 'stage', await invoke({ kind: 'stage', path }));
    },
  };
}

/** A payload of another shape is none of ours. */
function reading<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): Listener {
  return (payload) => {
    const read = payloads[name].safeParse(payload);
    if (read.success) listener(read.data);
  };
}

class EventInbox {
  readonly #listeners = new Map<EventName, Set<Listener>>();
  readonly #kept = new Map<EventName, unknown>();

  put(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('name' in message) || !('payload' in message)) return;
    const { name, payload } = message;
    if (typeof name !== 'string' || !isEventName(name)) return;
    const listeners = this.#listeners.get(name);
    for (const listener of listeners ?? []) listener(payload);
    if (!listeners?.size && waiting.includes(name)) this.#kept.set(name, payload);
  }

  subscribe(name: EventName, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    if (this.#kept.has(name)) listener(this.#kept.get(name));
    this.#kept.delete(name);
    return () => listeners.delete(listener);
  }
}
