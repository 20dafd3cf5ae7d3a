import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A SOCKS proxy on loopback that leads every connection to one port of this computer. */
export interface SocksProxy {
  port: number;
  /** What it was asked to connect to, as it was written: names stay names. */
  asked: string[];
  /** The user names and passwords it was given. */
  logins: string[];
  /** Resolves once every connection made so far is closed. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

interface SocksOptions {
  /** The port that every target is at. */
  leadsTo: number;
  login?: { username: string; password: string };
  /** Answers every request with this status (RFC 1928, 6) and connects to nothing. */
  refusesWith?: number;
  /** Takes none of the logins that a client can offer. */
  acceptsNoMethod?: boolean;
  /** Bytes in place of its first answer. */
  answers?: string;
}

export async function startSocks(options: SocksOptions): Promise<SocksProxy> {
  const sockets = new Set<Socket>();
  const [asked, logins]: [string[], string[]] = [[], []];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    const reader = new ByteReader(socket);
    serveSocks(socket, reader, { options, asked, logins }).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    logins,
    allClosed: async () => void (await Promise.all([...sockets].map((socket) => once(socket, 'close')))),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Seen {
  options: SocksOptions;
  asked: string[];
  logins: string[];
}

async function serveSocks(socket: Socket, reader: ByteReader, seen: Seen): Promise<void> {
  const [version = 0] = await reader.take(1);
  if (seen.options.answers !== undefined) return void socket.end(seen.options.answers);
  return version === 4 ? serveSocks4(socket, reader, seen) : serveSocks5(socket, reader, seen);
}

async function serveSocks5(socket: Socket, reader: ByteReader, { options, asked, logins }: Seen): Promise<void> {
  const [count = 0] = await reader.take(1);
  const methods = await reader.take(count);
  const method = options.login ? 2 : 0;
  if (options.acceptsNoMethod || !methods.includes(method)) return void socket.end(Buffer.of(5, 0xff));
  socket.write(Buffer.of(5, method));
  if (options.login) {
    await reader.take(1);
    const username = (await reader.takeCounted()).toString();
    const password = (await reader.takeCounted()).toString();
    logins.push(`${username}:${password}`);
    const isRight = username === options.login.username && password === options.login.password;
    if (!isRight) return void socket.end(Buffer.of(1, 1));
    socket.write(Buffer.of(1, 0));
  }
  const [, , , type] = await reader.take(4);
  const bytes = type === 3 ? await reader.takeCounted() : await reader.take(type === 1 ? 4 : 16);
  const host = type === 3 ? bytes.toString() : type === 1 ? [...bytes].join('.') : `v6 ${bytes.toString('hex')}`;
  asked.push(`${host}:${(await reader.take(2)).readUInt16BE()}`);
  const status = options.refusesWith ?? 0;
  const reply = Buffer.of(5, status, 0, 1, 0, 0, 0, 0, 0, 0);
  if (status !== 0) return void socket.end(reply);
  lead(socket, reader, reply, options.leadsTo);
}

async function serveSocks4(socket: Socket, reader: ByteReader, { options, asked, logins }: Seen): Promise<void> {
  await reader.take(1);
  const port = (await reader.take(2)).readUInt16BE();
  const address = await reader.take(4);
  const user = await reader.takeText();
  if (user !== '') logins.push(user);
  const isName = address[0] === 0 && address[1] === 0 && address[2] === 0 && address[3] !== 0;
  asked.push(`${isName ? await reader.takeText() : [...address].join('.')}:${port}`);
  const isRefused = options.refusesWith !== undefined;
  const reply = Buffer.of(0, isRefused ? 91 : 90, 0, 0, 0, 0, 0, 0);
  if (isRefused) return void socket.end(reply);
  lead(socket, reader, reply, options.leadsTo);
}

function lead(socket: Socket, reader: ByteReader, reply: Buffer, port: number): void {
  const target = connect(port, '127.0.0.1', () => {
    socket.write(reply);
    target.write(reader.release());
    socket.pipe(target).pipe(socket);
  });
  target.on('error', () => socket.destroy());
  // Read to its end: only then is it closed.
  target.on('close', () => socket.end().resume());
  socket.on('close', () => target.destroy());
}

/** Takes bytes of a socket as they are needed. */
class ByteReader {
  readonly #socket: Socket;
  readonly #onData: (data: Buffer) => void;
  #kept = Buffer.alloc(0);
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#onData = (data) => {
      this.#kept = Buffer.concat([this.#kept, data]);
      this.#wake();
    };
    socket.on('data', this.#onData);
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#kept.length < bytes) await new Promise<void>((resolve) => (this.#wake = resolve));
    const taken = this.#kept.subarray(0, bytes);
    this.#kept = this.#kept.subarray(bytes);
    return taken;
  }

  async takeCounted(): Promise<Buffer> {
    const [bytes = 0] = await this.take(1);
    return this.take(bytes);
  }

  /** Up to a zero byte, which is taken and left out. */
  async takeText(): Promise<string> {
    let text = '';
    for (;;) {
      const [byte = 0] = await this.take(1);
      if (byte === 0) return text;
      text += String.fromCharCode(byte);
    }
  }

  /** Reads no more. @returns what came and was not taken */
  release(): Buffer {
    this.#socket.off('data', this.#onData);
    return this.#kept;
  }
}
