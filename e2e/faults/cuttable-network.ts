import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback-server.ts';

/** The way to a service, which can be taken away and given back at the same address. */
export interface CuttableNetwork {
  /** What `target` is called on this side. */
  baseUrl: string;
  /** Nothing listens any more, and what was open is closed. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Passes every byte on to `target`, an address of this computer. */
export async function startCuttableNetwork(target: string): Promise<CuttableNetwork> {
  const { port: behind, pathname } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(behind), '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const origin = await listenOnLoopback(server);
  const port = Number(new URL(origin).port);
  return {
    baseUrl: `${origin}${pathname}`,
    cut: () => close(server, open),
    mend: async () => void (await listenOnLoopback(server, port)),
  };
}

async function close(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  for (const socket of open) socket.destroy();
  await closed;
}
