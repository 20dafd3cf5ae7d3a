import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type CommentForm, fieldRecord, labRecord } from './field-record.ts';
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
}
export type StrayBytes = 'inside-length' | 'after-length' | 'none';

export interface FieldDialect {
  baseUrl: string;
  /** Method and action of each call so far, never its token. */
  calls: readonly string[];
  close(): Promise<void>;
}

interface Answering {
  target: string;
  stray: StrayBytes;
  comments: CommentForm;
}

export async function startFieldDialect({ target, port = 0, stray = 'inside-length', comments = 'single' }: FieldDialectOptions): Promise<FieldDialect> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const parameters = new URLSearchParams(request.url?.split('?')[1] ?? '');
    calls.push(`${request.method ?? ''} ${parameters.get('action') ?? ''}`);
    answer({ target, stray, comments }, request, response, parameters).catch((error: unknown) => fail(response, error));
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
  if (request.url?.split('?')[0] !== '/api.php') return empty(response, 404);
  if (request.method !== 'GET') return empty(response, 406);
  // A session wins over the token, and this one belongs to nobody.
  if (session !== undefined || !parameters.get('token')) return empty(response, 401);
  switch (parameters.get('action')) {
    case 'getfile':
      return answerRecord(dialect, response, parameters);
    case 'downloadfile':
      return answerBytes(dialect, response, parameters);
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
  const sizeBytes = Number(reply.headers['content-length']);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': sizeBytes + (stray === 'inside-length' ? 2 : 0) });
  await pipeline(reply, response, { end: false });
  // Node lets a reply be longer than it said, which is the fault that is due here.
  response.end(stray === 'none' ? undefined : '{}');
}

/** 401 has no body; 403 has a sentence, whatever was missing. True when the reply was passed on as a refusal. */
function refusedWhole(reply: IncomingMessage, response: ServerResponse): boolean {
  if (reply.statusCode === 401) {
    reply.resume();
    empty(response, 401);
    return true;
  }
  if (reply.statusCode !== 403) return false;
  notEnoughRights(reply, response);
  return true;
}

function notEnoughRights(reply: IncomingMessage, response: ServerResponse): void {
  reply.resume();
  response.writeHead(403, { 'Content-Type': 'application/json' });
  response.end('Not enough rights');
}

/** A lab that cannot be asked is a failed server; a client that left in the middle needs no answer. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(500, { 'Content-Type': 'text/plain' });
  response.end(String(error));
}

function empty(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': 0 });
  response.end();
}

/** A hash in upper case is another hash to these servers: it is asked as one that nobody has. */
async function askLab(target: string, parameters: URLSearchParams, hashName: string): Promise<IncomingMessage> {
  const given = parameters.getAll(hashName).at(-1) ?? '';
  const query = new URLSearchParams({
    action: parameters.getAll('action').at(-1) ?? '',
    token: parameters.getAll('token').at(-1) ?? '',
    [hashName]: /^[0-9a-f]{32}$/.test(given) ? given : '0'.repeat(32),
  });
  return new Promise((resolve, reject) => get(`${target}/api.php?${query.toString()}`, resolve).once('error', reject));
}


/** `node e2e/faults/field-dialect.ts --target URL [--port N] [--stray inside-length|after-length|none] [--comments single|list]` */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: 'string' }, port: { type: 'string', default: '0' }, stray: { type: 'string' }, comments: { type: 'string' } } });
  const options = z.object({
    target: z.url(),
    port: z.coerce.number(),
    stray: z.enum(['inside-length', 'after-length', 'none']).default('inside-length'),
    comments: z.enum(['single', 'list']).default('single'),
  }).parse(values);
  const dialect = await startFieldDialect(options);
  process.stdout.write(`${dialect.baseUrl}\n`);
}

if (import.meta.main) await main();
