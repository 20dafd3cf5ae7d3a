import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type CommentForm, fieldRecord, labRecord } from './field-record.ts';
import { addressTooLong, empty, fail, notEnoughRights, refusedWhole } from './field-refusals.ts';
import { listenOnLoopback } from './loopback-server.ts';

/**
 * A proxy before the lab that speaks as servers in the field were seen to (docs/services.md, "The field dialect"): the record
 * in texts, one answer for every refusal, stray bytes after files, content types that say nothing.
 */
export interface FieldDialectOptions {
  /** Base address of the lab's service, without `/api.php`. */
  target: string;
  /** 0, the default, for any free port. */
  port?: number;
  /** Where the two bytes `{}` after each file are: counted by Content-Length, or following it on the open connection. */
  stray?: StrayBytes;
  comments?: CommentForm;
  /** `none` for a release that does not know `bulkdownload`. */
  bulk?: BulkForm;
  /** A longer address is refused with 414; Apache's own limit by default. */
  addressBytesAtMost?: number;
}
export type BulkForm = 'all-or-nothing' | 'none';
export type StrayBytes = 'inside-length' | 'after-length' | 'none';

export interface FieldDialect {
  baseUrl: string;
  /** Method and action of each call so far, never its token. */
  calls: readonly string[];
  close(): Promise<void>;
}

type Answering = Required<Omit<FieldDialectOptions, 'port'>>;

/** Bytes; well over what any server takes, so that the refusal is the dialect's and not Node's. */
const headersAtMost = 1024 * 1024;

const archiveBytesAtMost = 256 * 1024 * 1024;

const usual = { stray: 'inside-length', comments: 'single', bulk: 'all-or-nothing', addressBytesAtMost: 8190 } as const;

export async function startFieldDialect({ port = 0, ...options }: FieldDialectOptions): Promise<FieldDialect> {
  const dialect: Answering = { ...usual, ...options };
  const calls: string[] = [];
  const server = createServer({ maxHeaderSize: headersAtMost }, (request, response) => {
    const parameters = new URLSearchParams(request.url?.split('?')[1] ?? '');
    calls.push(`${request.method ?? ''} ${parameters.get('action') ?? ''}`);
    answer(dialect, request, response, parameters).catch((error: unknown) => fail(response, error));
  });
  const baseUrl = await listenOnLoopback(server, port);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { baseUrl, calls, close };
}

async function answer(dialect: Answering, request: IncomingMessage, response: ServerResponse, parameters: URLSearchParams): Promise<void> {
  const session = request.headers.cookie;
  response.setHeader('Set-Cookie', `PHPSESSID=${randomBytes(13).toString('hex')}; path=/`);
  response.setHeader('Server', 'Apache');
  if (Buffer.byteLength(request.url ?? '') > dialect.addressBytesAtMost) return addressTooLong(response);
  if (request.url?.split('?')[0] !== '/api.php') return empty(response, 404);
  if (request.method !== 'GET') return empty(response, 406);
  // A session wins over the token, and this one belongs to nobody.
  if (session !== undefined || !parameters.get('token')) return empty(response, 401);
  switch (parameters.get('action')) {
    case 'getfile':
      return answerRecord(dialect, response, parameters);
    case 'downloadfile':
      return answerBytes(dialect, response, parameters);
    case 'bulkdownload':
      return dialect.bulk === 'none' ? empty(response, 404) : answerArchive(dialect, response, parameters);
    default:
      return empty(response, 404);
  }
}

/** Unknown is no error here: `{"file": null}` with status 200. JSON travels as a web page. */
async function answerRecord({ target, comments }: Answering, response: ServerResponse, parameters: URLSearchParams): Promise<void> {
  const reply = await askLab(target, parameters, 'hash');
  if (refusedWhole(reply, response)) return;
  const file = reply.statusCode === 200 ? z.object({ file: labRecord }).parse(JSON.parse(await text(reply))).file : null;
  reply.resume();
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' });
  response.end(JSON.stringify({ file: file === null ? null : fieldRecord(file, comments) }));
}

/** Ranges are ignored, and every refusal is the same. */
async function answerBytes({ target, stray }: Answering, response: ServerResponse, parameters: URLSearchParams): Promise<void> {
  const reply = await askLab(target, parameters, 'file');
  if (refusedWhole(reply, response)) return;
  if (reply.statusCode !== 200) return notEnoughRights(reply, response);
  await sendAsJson(reply, Number(reply.headers['content-length']), stray, response);
}

/** One hash that cannot be had fails them all, and there is one answer for it, whatever it was. */
async function answerArchive({ target, stray }: Answering, response: ServerResponse, parameters: URLSearchParams): Promise<void> {
  const reply = await askLab(target, parameters, 'files[]');
  if (refusedWhole(reply, response)) return;
  if (reply.statusCode !== 200) return notEnoughRights(reply, response);
  const archive = await wholeArchive(reply);
  await sendAsJson([archive], archive.length, stray, response);
}

/** These servers build the archive before its first byte leaves, and run out of memory on a large one; so does this one. */
async function wholeArchive(reply: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of reply) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes > archiveBytesAtMost) throw new Error(`Allowed memory size of ${archiveBytesAtMost} bytes exhausted`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function sendAsJson(bytes: Iterable<Buffer> | IncomingMessage, sizeBytes: number, stray: StrayBytes, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': sizeBytes + (stray === 'inside-length' ? 2 : 0) });
  await pipeline(bytes, response, { end: false });
  // Node lets a reply be longer than it said, which is the fault that is due here.
  response.end(stray === 'none' ? undefined : '{}');
}

/** A hash in upper case is another hash to these servers: it is asked as one that nobody has. Of a single one the last counts. */
async function askLab(target: string, parameters: URLSearchParams, hashName: string): Promise<IncomingMessage> {
  const given = parameters.getAll(hashName);
  const asked = hashName.endsWith('[]') ? given : [given.at(-1) ?? ''];
  const query = new URLSearchParams([
    ['action', parameters.getAll('action').at(-1) ?? ''],
    ['token', parameters.getAll('token').at(-1) ?? ''],
    ...asked.map((hash) => [hashName, /^[0-9a-f]{32}$/.test(hash) ? hash : '0'.repeat(32)]),
  ]);
  return new Promise((resolve, reject) => get(`${target}/api.php?${query.toString()}`, resolve).once('error', reject));
}

/** `node e2e/faults/field-dialect.ts --target URL [--port N] [--stray inside-length|after-length|none] [--comments single|list] [--bulk all-or-nothing|none]` */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: 'string' }, port: { type: 'string', default: '0' }, stray: { type: 'string' }, comments: { type: 'string' }, bulk: { type: 'string' } } });
  const options = z.object({
    target: z.url(),
    port: z.coerce.number(),
    stray: z.enum(['inside-length', 'after-length', 'none']).default('inside-length'),
    comments: z.enum(['single', 'list']).default('single'),
    bulk: z.enum(['all-or-nothing', 'none']).default('all-or-nothing'),
  }).parse(values);
  const dialect = await startFieldDialect(options);
  process.stdout.write(`${dialect.baseUrl}\n`);
}

if (import.meta.main) await main();
