import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Writes raw bytes to a port of this computer, ends its side, and returns everything that comes back. */
export function spokenRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(bytes, 'latin1');
  return text(socket);
}

/** The status of each reply in what came back. */
export function statusesIn(replies: string): number[] {
  return [...replies.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}
