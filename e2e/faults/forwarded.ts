import { type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Asks the service behind a proxy the same thing, on a connection of its own, and breaks off when its client does. */
export async function askBehind(
  target: string,
  request: IncomingMessage,
  body: Readable = request,
): Promise<IncomingMessage> {
  const headers = { ...request.headers };
  delete headers.host;
  delete headers.connection;
  const asking = ask(`${target}${request.url ?? ''}`, { method: request.method, headers, agent: false });
  body.pipe(asking);
  request.once('close', () => request.complete || asking.destroy());
  return new Promise((resolve, reject) => {
    asking.once('response', resolve);
    // Stays: bytes after a reply are an error to Node, and the reply was whole.
    asking.on('error', reject);
  });
}

export async function passOn(reply: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(reply.statusCode ?? 500, ownHeaders(reply));
  await pipeline(reply, response);
}

/** The client has left, or the service behind broke off: this reply breaks off too. */
export function breakOff(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  response.writeHead(502, { 'Content-Type': 'text/plain' });
  response.end(String(error));
}

/** The reply's headers of its content; each connection sets its own framing. */
export function ownHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const framing = new Set(['connection', 'keep-alive', 'transfer-encoding']);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || framing.has(name) ? [] : [[name, value]],
    ),
  );
}
