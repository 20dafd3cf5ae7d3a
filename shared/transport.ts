import { z } from 'zod';
import type { OperationInput, OperationName, OperationOutput } from './contract.ts';
import type { StagedFile } from './domain/upload.ts';
import type { EventName, EventPayload } from './events.ts';
import { failureSchema } from './failure-kinds.ts';
import { failed, type Result, success } from './failure.ts';

/**
 * What page and host say to each other besides the contract, so that both ends read it from one place.
 * The HTTP half is spoken on 127.0.0.1 only; the other half over Electron's IPC.
 */

/**
 * Carries the session key on every request but the swap and the page's own files. A header, because cookies ignore
 * ports.
 */
export const sessionHeader = 'x-vitrine-session';
/** The name of a staged file, percent-encoded UTF-8. */
export const fileNameHeader = 'x-vitrine-file-name';

/** A link secret and a session key: 256 random bits as base64url. */
export const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** `POST /session`: a link's secret for a session key, once. */
export const sessionRequest = z.object({ secret: z.string() });
export const sessionGrant = z.object({ session: z.string().regex(secretPattern, 'a session key') });

/** One line of `GET /events` (newline-delimited JSON). A heartbeat only shows that both ends are alive. */
export const eventLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), name: z.string(), payload: z.unknown() }),
  z.object({ kind: z.literal('heartbeat') }),
]);
export type EventLine = z.infer<typeof eventLine>;

/** The host writes a line at least this often; a page that saw none for three times as long connects again. */
export const heartbeatSeconds = 15;

/**
 * What the preload may send over IPC. The page cannot name a path: the preload takes it from a `File` the person
 * picked.
 */
export const ipcRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), name: z.string(), input: z.unknown() }),
  z.object({ kind: z.literal('stage'), path: z.string().min(1, 'the path of a file') }),
]);
export type IpcRequest = z.infer<typeof ipcRequest>;

/** The input of one call as JSON, in bytes. Files are staged and never travel in a call. */
export const callLimitBytes = 1024 * 1024;

/** The two IPC channels. Page to host: an `IpcRequest`, answered by a `Result`. */
export const callChannel = 'vitrine:call';
/** Host to page: a `HostEvent`, `{ name, payload }`. */
export const eventChannel = 'vitrine:event';

/**
 * The page's only client of the host, the same over Electron's IPC and over HTTP. `PageFile` is the DOM's `File` in the
 * page; this layer knows no DOM.
 */
export interface Bridge<PageFile> {
  /** Never rejects: a lost host is the failure `host-gone`. */
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>>;
  /** Calls the listener for each event of that name until the returned function is called. */
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void;
  /** Turns a file the person dropped or picked into an opaque id that operations take instead of a path. */
  stageFile(file: PageFile): Promise<Result<StagedFile>>;
}

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
