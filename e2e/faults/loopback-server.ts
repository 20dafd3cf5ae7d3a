import { once } from 'node:events';
import type { Server } from 'node:net';

/** Listens on 127.0.0.1 and gives the origin, `http://127.0.0.1:PORT`. */
export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
