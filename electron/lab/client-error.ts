import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { LabError, rawError } from './errors.ts';

/** Answers bytes that are no request Node could read, or one that took too long, and hangs up. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalFor(error.code);
  socket.end(rawError(refusal, STATUS_CODES[refusal.status] ?? 'Error'), () => socket.destroy());
}

function refusalFor(code: string | undefined): LabError {
  if (code === 'HPE_HEADER_OVERFLOW') return new LabError('request-too-large', 'The address and headers together are over 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new LabError('request-timeout', 'The request did not arrive in time.');
  return new LabError('bad-request', 'This is not a request the lab can read.');
}
