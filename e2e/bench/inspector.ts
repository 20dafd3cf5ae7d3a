import { z } from 'zod';
import type { Program } from '../program.ts';

/**
 * The debugger's client for a Node program of ours (Chrome DevTools Protocol, v8 domains): the program needs nothing
 * for it, and does not know of it.
 */
export interface Inspector {
  send(method: string, parameters?: object): Promise<unknown>;
  /** @returns what takes the listener away again */
  on(event: string, listener: (parameters: unknown) => void): () => void;
  close(): void;
}

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** For a program started with this, whose inspector begins with `inspect`, on a free port of this computer. */
export const inspectable = '--inspect-port=127.0.0.1:0';

export async function inspect(program: Program): Promise<Inspector> {
  process.kill(program.pid, 'SIGUSR1');
  const [, address = ''] = await program.printed(/Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/\S+)\s/);
  const socket = new WebSocket(address);
  const lines = new Lines(socket);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), { once: true });
  });
  return lines;
}

class Lines implements Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Map<string, Set<(parameters: unknown) => void>>();
  #asked = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(message.parse(JSON.parse(String(data)))));
    socket.addEventListener('close', () => this.#lose());
  }

  send(method: string, parameters: object = {}): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    const id = (this.#asked += 1);
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params: parameters }));
    return answer.promise;
  }

  on(event: string, listener: (parameters: unknown) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  close(): void {
    this.#socket.close();
  }

  #hear({ id, method, params, result, error }: z.infer<typeof message>): void {
    if (method !== undefined) for (const listener of this.#listeners.get(method) ?? []) listener(params);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message));
  }

  #lose(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('the inspected program is gone'));
    this.#waiting.clear();
  }
}
