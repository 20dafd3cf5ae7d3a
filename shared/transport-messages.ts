import { z } from 'zod';

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

/** One line of `GET /events` (newline-delimited JSON). A heartbeat only says that both ends are alive. */
export const eventLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), name: z.string(), payload: z.unknown() }),
  z.object({ kind: z.literal('heartbeat') }),
]);
export type EventLine = z.infer<typeof eventLine>;

/** The host writes a line at least this often; a page that saw none for three times as long connects anew. */
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

/** The only two IPC channels there are. Pure, because the preload is bundled with it. */

/** Page to host, answered: an `IpcRequest` (shared/transport-messages.ts), answered by a `Result`. */
export const callChannel = 'vitrine:call';
/** Host to page: a `HostEvent`, `{ name, payload }`. */
export const eventChannel = 'vitrine:event';
