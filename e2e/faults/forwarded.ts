import { type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Asks the service behind a proxy the same thing, on a connection of its own. */
export async function askBehind(target: string, request: IncomingMessage): Promise<IncomingMessage> {
  const headers = { ...request.headers };
  delete headers.host;
  delete headers.connection;
  const asking = ask(`${target}${request.url ?? ''}`, { method: request.method, headers, agent: false });
  request.pipe(asking);
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

/** What the reply says of its content; how it is framed is for each connection to say. */
export function ownHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const framing = new Set(['connection', 'keep-alive', 'transfer-encoding']);
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined || framing.has(name) ? [] : [[name, value]])));
}
