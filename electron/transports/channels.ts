/** The only two IPC channels there are. Pure, because the preload is bundled with it. */

/** Page to host, answered: an `IpcRequest` (shared/transport.ts), answered by a `Result`. */
export const callChannel = 'vitrine:call';
/** Host to page: a `HostEvent`, `{ name, payload }`. */
export const eventChannel = 'vitrine:event';
