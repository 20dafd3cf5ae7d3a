import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';

/**
 * What comes out of a named pipe, until the signal. Without a thread: one that waits for a pipe cannot be called off, and no process ends
 * before it. Throws the system's errors.
 */
export function pipeBytes(path: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}
