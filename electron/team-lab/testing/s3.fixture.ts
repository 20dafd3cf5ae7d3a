import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createPlainServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readS3Address } from '../s3/s3-address.ts';
import { S3Client, type S3Options } from '../s3/s3-client.ts';

/** What the proxy does in place of passing a request and its reply on. */
export type Fault =
  /** Answers with an error of S3. The request does not reach the store. */
  | { kind: 'refuse'; status: number; code: string }
  /** Answers with text that is no S3 store's. */
  | { kind: 'answer'; status: number; text: string }
  /** Closes the connection when the store has done what was asked. */
  | { kind: 'lose-answer' }
  /** Closes both connections after so many bytes of the request's body. */
  | { kind: 'cut-request'; afterBytes: number }
  /** Closes the connection after so many bytes of the reply's body. */
  | { kind: 'cut-reply'; afterBytes: number }
  /** Sends nothing from here on, and keeps the connection. */
  | { kind: 'hang'; afterBytes: number }
  /** A reply that is shorter, and does not show it. */
  | { kind: 'truncate'; toBytes: number }
  /** Changes one bit of the reply's body. */
  | { kind: 'flip'; atByte: number }
  | { kind: 'headers'; headers: Readonly<Record<string, string>> }
  /** Holds the reply back until the test lets it pass. */
  | { kind: 'wait'; until: Promise<unknown> };

interface Rule {
  /** Of `METHOD /path?query`. */
  on: RegExp;
  left: number;
  fault: Fault;
}

/** In front of an S3 store: passes everything on, until a test wants it otherwise. */
export class S3Proxy {
  /** `METHOD /path?query` of all that came. */
  readonly seen: string[] = [];
  readonly #rules: Rule[] = [];
  readonly #server: Server;
  readonly #storePort: number;

  constructor(storePort: number) {
    this.#storePort = storePort;
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return portOf(this.#server);
  }

  /** The next `times` requests that match. */
  fault(on: RegExp, fault: Fault, times = 1): void {
    this.#rules.push({ on, fault, left: times });
  }

  /** How many requests matched. */
  count(on: RegExp): number {
    return this.seen.filter((line) => on.test(line)).length;
  }

  /** That clients hold to it now, at work or not. */
  async connections(): Promise<number> {
    return promisify<number>((done) => this.#server.getConnections(done))();
  }

  reset(): void {
    this.#rules.length = 0;
    this.seen.length = 0;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const line = `${request.method} ${request.url}`;
    this.seen.push(line);
    const rule = this.#rules.find(({ on, left }) => left > 0 && on.test(line));
    if (rule !== undefined) rule.left -= 1;
    const fault = rule?.fault ?? null;
    response.on('error', () => {});
    if (fault?.kind === 'refuse' || fault?.kind === 'answer') answerInPlace(request, response, fault);
    else void this.#passOn(request, response, fault);
  }

  async #passOn(request: IncomingMessage, response: ServerResponse, fault: Fault | null): Promise<void> {
    const { method, url, rawHeaders } = request;
    const onward = sendRequest({
      host: '127.0.0.1',
      port: this.#storePort,
      method,
      path: url,
      headers: rawHeaders,
      agent: false,
    });
    // The store may close what is cut here: that is what the client is tested with.
    const end = (): void => void response.destroy();
    onward.on('error', end);
    request.on('error', () => onward.destroy());
    request.on('close', () => request.complete || onward.destroy());
    const answered = once(onward, 'response').catch(() => []);
    let received = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (fault?.kind === 'cut-request' && received >= fault.afterBytes) {
          onward.destroy();
          request.destroy();
          return;
        }
        await written(onward, chunk);
      }
    } catch {
      // The client hung up.
      onward.destroy();
      return;
    }
    onward.end();
    const [reply] = (await answered) as IncomingMessage[];
    if (reply === undefined) end();
    else await this.#sendReply(reply, response, fault);
  }

  async #sendReply(reply: IncomingMessage, response: ServerResponse, fault: Fault | null): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const headers = { ...reply.headers };
    delete headers['transfer-encoding'];
    if (reply.statusCode !== 204 && response.req.method !== 'HEAD') headers['content-length'] = String(body.length);
    let sent: Buffer = body;
    if (fault?.kind === 'wait') await fault.until;
    if (fault?.kind === 'headers') Object.assign(headers, fault.headers);
    if (fault?.kind === 'flip') body[fault.atByte] = (body[fault.atByte] ?? 0) ^ 1;
    if (fault?.kind === 'truncate') {
      sent = body.subarray(0, fault.toBytes);
      headers['content-length'] = String(sent.length);
    }
    if (fault?.kind === 'lose-answer') return void response.destroy();
    response.writeHead(reply.statusCode ?? 500, headers);
    if (fault?.kind === 'hang' || fault?.kind === 'cut-reply') {
      response.flushHeaders();
      response.write(body.subarray(0, fault.afterBytes), () => fault.kind === 'cut-reply' && response.destroy());
      return undefined;
    }
    response.end(sent);
    return undefined;
  }
}

/** Also where the connection is gone. */
function written(request: ClientRequest, chunk: Uint8Array): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  request.write(chunk, () => resolve());
  return promise;
}

function answerInPlace(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Extract<Fault, { kind: 'refuse' | 'answer' }>,
): void {
  request.resume().once('end', () => {
    const text =
      fault.kind === 'answer'
        ? fault.text
        : `<?xml version="1.0"?>\n<Error><Code>${fault.code}</Code><Message>In words</Message></Error>`;
    response.writeHead(fault.status, { 'content-length': Buffer.byteLength(text) });
    response.end(request.method === 'HEAD' ? undefined : text);
  });
}

/** A real S3 store over a directory, behind the proxy. */
export interface S3Fixture {
  proxy: S3Proxy;
  /** Of a bucket whose requests go through the proxy. */
  address: string;
  /** Where the store keeps its objects as files. */
  directory: string;
  /** A client of a prefix that no other test has. `through` false: not through the proxy. */
  client(options?: S3Options & { through?: boolean; prefix?: string }): S3Client;
  stop(): Promise<void>;
}

const bucket = 'samples';
export const testKeys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export async function startS3(): Promise<S3Fixture> {
  const store = await startS3Store();
  const proxy = new S3Proxy(store.port);
  const proxyPort = await proxy.listen();
  const at = (through: boolean): string => addressAt(through ? proxyPort : store.port);
  let prefixes = 0;
  return {
    proxy,
    address: at(true),
    directory: join(store.directory, bucket),
    client: ({ through = true, prefix = `t${(prefixes += 1)}`, ...options } = {}) =>
      new S3Client(readS3Address(`${at(through)}/${prefix}`), testKeys, options),
    stop: async () => {
      await proxy.close();
      await store.stop();
    },
  };
}

const addressAt = (port: number): string => `s3+http://127.0.0.1:${port}/${bucket}`;

/** A real S3 store over a directory that is removed with it. */
export interface S3Store {
  port: number;
  /** Of its bucket. */
  address: string;
  directory: string;
  stop(): Promise<void>;
}

export async function startS3Store(): Promise<S3Store> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-s3-'));
  const port = await freePort();
  const program = join(dirname(createRequire(import.meta.url).resolve('s3rver/package.json')), 'bin/s3rver.js');
  // It enciphers where the next page of a list begins with DES, and compares no signature of version 4.
  const child = spawn(
    process.execPath,
    [
      '--openssl-legacy-provider',
      program,
      '-d',
      directory,
      '-a',
      '127.0.0.1',
      '-p',
      String(port),
      '-s',
      '--no-vhost-buckets',
      '--configure-bucket',
      bucket,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const guard = child.pid === undefined ? null : guardProcess(child.pid, directory);
  await heard(child.stdout, 'listening');
  child.stdout.resume();
  return {
    port,
    address: addressAt(port),
    directory,
    stop: async () => {
      guard?.kill();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Ends a process, and removes its directory, when this one is gone: a process of tests can be killed, too. To be ended
 * itself when the other has.
 */
export function guardProcess(pid: number, directory?: string): ChildProcess | null {
  if (process.platform === 'win32') return null;
  const script = 'cat > /dev/null; kill -KILL "$0" 2> /dev/null; [ "$#" -eq 0 ] || rm -rf "$1"';
  return spawn('/bin/sh', ['-c', script, `${pid}`, ...(directory === undefined ? [] : [directory])], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function heard(output: AsyncIterable<unknown>, words: string): Promise<void> {
  let text = '';
  const chunks = output[Symbol.asyncIterator]();
  while (!text.includes(words)) {
    const { done, value } = await chunks.next();
    if (done === true) throw new Error(`the store ended: ${text}`);
    text += String(value);
  }
}

/** The store prints the port it was given, not the one it got. */
async function freePort(): Promise<number> {
  const server = createPlainServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return address.port;
}
