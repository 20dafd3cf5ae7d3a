import type { Duplex } from 'node:stream';
import { LabError, rawError } from './errors.ts';
import { STATUS_CODES } from './node-http.ts';

/** An address of 64 KiB, about 1,600 hashes of a bulk download, and the headers beside it. */
export const headerBytesAtMost = 80 * 1024;

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
  if (code === 'HPE_HEADER_OVERFLOW')
    return new LabError(
      'request-too-large',
      `The address and headers together are over ${headerBytesAtMost / 1024} KiB.`,
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new LabError('request-timeout', 'The request did not arrive in time.');
  return new LabError('bad-request', 'The lab cannot read this request.');
}
