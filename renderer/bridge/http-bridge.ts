import type { z } from 'zod';
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../../shared/contract.ts';
import { stagedFile, type StagedFile } from '../../shared/domain/upload.ts';
import { type EventName, type EventPayload, events } from '../../shared/events.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { failed, type Result } from '../../shared/failure.ts';
import { type Bridge, callLimitBytes, fileNameHeader, readReply, sessionHeader } from '../../shared/transport.ts';
import { type EventStreamOptions, followEvents } from './event-stream.ts';
import { PageSession, type PageSurroundings, requestJson } from './page-session.ts';

// The contract's own tables, written so that TypeScript can follow a name to its schema.
const answers: { [N in OperationName]: { output: z.ZodType<OperationOutput<N>> } } = operations;
const payloads: { [N in EventName]: z.ZodType<EventPayload<N>> } = events;

type Receive = (payload: unknown) => void;

export type ConnectionListener = Pick<EventStreamOptions, 'onConnected' | 'onLost'>;

/** The bridge over loopback HTTP. Every reply is checked against the contract before the page sees it. */
export class HttpBridge implements Bridge<File> {
  readonly #page: PageSurroundings;
  readonly #session: PageSession;
  readonly #receivers = new Map<string, Set<Receive>>();
  readonly #connection: ConnectionListener;
  #stream: AbortController | null = null;

  constructor(page: PageSurroundings, connection: ConnectionListener) {
    this.#page = page;
    this.#session = new PageSession(page);
    this.#connection = connection;
    page.onLink(() => this.#takeNewLink());
  }

  async call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>> {
    const body = JSON.stringify(input);
    // Most of a character is one byte: what is surely too long is not sent to be refused.
    if (body.length > callLimitBytes) return failed({ kind: 'body-too-large', limitBytes: callLimitBytes });
    const reply = await this.#post(`/call/${name}`, { 'content-type': 'application/json' }, body);
    return reply.ok ? readReply(answers[name].output, name, reply.value) : reply;
  }

  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void {
    const receive: Receive = (payload) => {
      const read = payloads[name].safeParse(payload);
      if (read.success) listener(read.data);
    };
    const receivers = this.#receivers.get(name) ?? new Set();
    this.#receivers.set(name, receivers.add(receive));
    if (!this.#stream) this.#openStream();
    return () => void receivers.delete(receive);
  }

  async stageFile(file: File): Promise<Result<StagedFile>> {
    const headers = { 'content-type': 'application/octet-stream', [fileNameHeader]: encodeURIComponent(file.name) };
    const reply = await this.#post('/stage', headers, file);
    if (reply.ok) return readReply(stagedFile, 'stage', reply.value);
    return reply.failure.kind === 'host-gone' ? failed((await unreadable(file)) ?? reply.failure) : reply;
  }

  /** Ends the event stream. */
  close(): void {
    this.#stream?.abort();
  }

  async #post(path: string, headers: Record<string, string>, body: string | File): Promise<Result<unknown>> {
    const key = await this.#session.key();
    if (!key.ok) return key;
    return requestJson(this.#page, path, { method: 'POST', headers: { ...headers, [sessionHeader]: key.value }, body });
  }

  #openStream(): void {
    this.#stream = new AbortController();
    void followEvents(
      {
        page: this.#page,
        session: this.#session,
        ...this.#connection,
        onEvent: ({ name, payload }) => this.#deliver(name, payload),
      },
      this.#stream.signal,
    );
  }

  /** Each listener on its own: one that throws is reported by the page and keeps nothing from the others. */
  #deliver(name: string, payload: unknown): void {
    const receivers = this.#receivers.get(name) ?? new Set();
    for (const receive of receivers)
      queueMicrotask(() => {
        // It may have unsubscribed since the event arrived.
        if (receivers.has(receive)) receive(payload);
      });
  }

  #takeNewLink(): void {
    if (!this.#session.takeNewLink()) return;
    this.#stream?.abort();
    this.#openStream();
  }
}

/** A file that cannot be read looks to a browser like a host that does not answer. null: it can be read. */
async function unreadable(file: File): Promise<Failure | null> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (error) {
    const code = error instanceof Error ? error.name : 'Error';
    return code === 'NotFoundError'
      ? { kind: 'file-gone', name: file.name }
      : { kind: 'file-unreadable', name: file.name, code };
  }
}
