import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { listenOnLoopback } from '../loopback-server.ts';
import type { KeyPair } from '../matrix/throw-away-certificates.ts';

/** A proxy on loopback that leads every connection to one port of this computer. */
export interface Proxy {
  /** `host:port`. */
  place: string;
  /** What it was asked for, in the words of its protocol, without queries. Names are as they came. */
  seen: string[];
  /** Everything it got in plain text, for what must not be there. */
  received(): string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  kind: 'http' | 'https' | 'socks5';
  leadsTo: number;
  certificate: KeyPair;
  login: { username: string; password: string } | null;
  fault: 'resets' | 'refuses-target' | 'wants-ntlm' | 'answers-nonsense' | null;
}

export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const seen: string[] = [];
  const heads: string[] = [];
  const server = serverOf(options, seen, heads);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  const origin = await listenOnLoopback(server);
  return {
    place: new URL(origin).host,
    seen,
    received: () => heads.join('\n'),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function serverOf(options: ProxyOptions, seen: string[], heads: string[]): Server {
  if (options.fault === 'resets')
    return createTcpServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  if (options.fault === 'answers-nonsense')
    return createTcpServer((socket) => void socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')));
  if (options.kind === 'socks5')
    return createTcpServer((socket) => {
      serveSocks(socket, options, seen, heads).catch(() => socket.destroy());
    });
  const server = options.kind === 'https' ? createHttpsServer(options.certificate) : createHttpServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request, seen, heads);
    const refusal = refusalOf(request, options);
    if (refusal === null) lead(socket, 'HTTP/1.1 200 Connection established\r\n\r\n', options.leadsTo);
    else socket.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`);
  });
  server.on('request', (request, response) => {
    note(request, seen, heads);
    const refusal = refusalOf(request, options);
    if (refusal !== null) {
      const [status = '', ...headers] = refusal.split('\r\n');
      for (const header of headers) response.setHeader(...named(header));
      response.writeHead(Number.parseInt(status, 10)).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...own } = request.headers;
    const onward = { port: options.leadsTo, path: pathname + search, method: request.method, headers: own };
    const outgoing = httpRequest({ host: '127.0.0.1', ...onward }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    request.pipe(outgoing);
  });
  return server;
}

const named = (header: string): [string, string] => {
  const [name = '', value = ''] = header.split(': ');
  return [name, value];
};

function note({ method = '', url = '', headers }: IncomingMessage, seen: string[], heads: string[]): void {
  seen.push(`${method} ${url.split('?', 1)[0]}`);
  heads.push(`${method} ${url} ${JSON.stringify(headers)}`);
}

/** Status and headers in place of what was asked for. */
function refusalOf({ headers }: IncomingMessage, { login, fault }: ProxyOptions): string | null {
  if (fault === 'refuses-target') return '403 Forbidden';
  if (fault === 'wants-ntlm') return '407 Login\r\nProxy-Authenticate: NTLM';
  if (login === null) return null;
  const due = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  return headers['proxy-authorization'] === due ? null : '407 Login\r\nProxy-Authenticate: Basic realm="proxy"';
}

/** SOCKS5 with the host as a name or an IPv4 address (RFC 1928), and with a login (RFC 1929). */
async function serveSocks(socket: Socket, options: ProxyOptions, seen: string[], heads: string[]): Promise<void> {
  const { login, fault, leadsTo } = options;
  const counted = async (): Promise<Buffer> => taken(socket, (await taken(socket, 1))[0] ?? 0);
  await taken(socket, 1);
  const methods = await counted();
  const method = fault === 'wants-ntlm' ? 1 : login === null ? 0 : 2;
  if (!methods.includes(method)) return void socket.end(Buffer.of(5, 0xff));
  socket.write(Buffer.of(5, method));
  if (login !== null) {
    await taken(socket, 1);
    const given = [String(await counted()), String(await counted())];
    heads.push(given.join(' '));
    if (given[0] !== login.username || given[1] !== login.password) return void socket.end(Buffer.of(1, 1));
    socket.write(Buffer.of(1, 0));
  }
  const [, , , type] = await taken(socket, 4);
  const host = type === 3 ? String(await counted()) : [...(await taken(socket, 4))].join('.');
  seen.push(`connect ${host}:${(await taken(socket, 2)).readUInt16BE()}`);
  const reply = Buffer.of(5, fault === 'refuses-target' ? 2 : 0, 0, 1, 0, 0, 0, 0, 0, 0);
  if (fault === 'refuses-target') return void socket.end(reply);
  lead(socket, reply, leadsTo);
}

async function taken(stream: Readable, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  for (;;) {
    const chunk: unknown = stream.read(bytes);
    if (Buffer.isBuffer(chunk)) return chunk;
    await once(stream, 'readable');
  }
}

function lead(socket: Socket, reply: string | Buffer, port: number): void {
  const target = connect(port, '127.0.0.1', () => {
    socket.write(reply);
    socket.pipe(target).pipe(socket);
  });
  target.on('error', () => socket.destroy());
  // Read to its end: only then is it closed.
  target.on('close', () => socket.end().resume());
  socket.on('close', () => target.destroy());
}
