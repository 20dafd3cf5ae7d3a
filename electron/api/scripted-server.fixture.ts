import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Connection } from './connections.ts';
import { defaultLimits, type Limits, type Timing } from './limits.ts';

/** A server on loopback that answers each request, by its number, with whatever bytes a test writes. */
export interface ScriptedServer {
  origin: string;
  port: number;
  /** The head of each request, as it came. */
  heads: string[];
  /** How many connections were made, whether or not they carried a request. */
  connections(): number;
  /** Resolves once every connection made so far is closed. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}
export type Script = (socket: Socket, head: string, number: number) => void;

export async function startScripted(script: Script, tls?: { key: string; cert: string }): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  let connections = 0;
  const onReadable = (socket: Socket): void => {
    socket.on('error', () => {});
    readHead(socket, (head) => script(socket, head, heads.push(head)));
  };
  const server: Server = tls ? createTlsServer(tls, onReadable) : createServer(onReadable);
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    heads,
    connections: () => connections,
    allClosed: async () =>
      void (await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function readHead(socket: Socket, onHead: (head: string) => void): void {
  let text = '';
  const onData = (data: Buffer): void => {
    text += data.toString('latin1');
    if (!text.includes('\r\n\r\n')) return;
    socket.off('data', onData);
    onHead(text);
  };
  socket.on('data', onData);
}

/** A token no test could print by chance, with characters that every encoding writes differently. */
export const tokenOfTests = 'Tk9+q/zE=4&w R%7"ü';

export function connectionTo(origin: string, changes: Partial<Connection> = {}): Connection {
  return {
    service: 'repository',
    baseUrl: origin,
    token: tokenOfTests,
    trust: { kind: 'system' },
    timeouts: { connectSeconds: 5, firstByteSeconds: 5, idleSeconds: 5 },
    proxyFor: async () => null,
    basic: null,
    clientCertificate: null,
    ...changes,
  };
}

/** A clock for tests: sleeping takes no time and is written down; jitter is always the longest. */
export function instantTiming(): Timing & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => performance.now(),
    date: () => Date.UTC(2026, 0, 1),
    random: () => 1,
    sleep: async (milliseconds) => void slept.push(milliseconds),
  };
}

export const onceOnly: { limits: Partial<Limits> } = { limits: { ...defaultLimits, attempts: 1 } };

export function httpReply(status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`), bytes]);
}

/** Everything of an error that could reach a log or a page. */
export function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const own = Object.fromEntries(
    Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name) as unknown]),
  );
  return [JSON.stringify(own), error.stack ?? '', error.cause === undefined ? '' : everythingOf(error.cause)].join(
    '\n',
  );
}
