import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { answerComment } from './field-comment.ts';
import { type Answering, type FieldDialectOptions, usual } from './field-options.ts';
import { answerArchive, answerBytes, answerRecord } from './field-reads.ts';
import { addressTooLong, bodyTooLarge, databaseDown, empty, fail } from './field-refusals.ts';
import { PublicRelease } from './field-release.ts';
import { answerUpload } from './field-upload.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { noForm, readPhpForm } from './php-form.ts';

export type { FieldDialectOptions } from './field-options.ts';

export interface FieldDialect {
  baseUrl: string;
  /** Method and action of each call so far, never its token. */
  calls: readonly string[];
  close(): Promise<void>;
}

type Speaking = Answering & { release: PublicRelease | null };

/** Bytes; well over what any server takes, so that the refusal is the dialect's and not Node's. */
const headersAtMost = 1024 * 1024;

export async function startFieldDialect({ port = 0, ...options }: FieldDialectOptions): Promise<FieldDialect> {
  const given = { ...usual, ...options };
  const dialect = { ...given, release: given.release === null ? null : new PublicRelease(given.release.md5s) };
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

async function answer(
  dialect: Speaking,
  request: IncomingMessage,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  response.setHeader('Set-Cookie', `PHPSESSID=${randomBytes(13).toString('hex')}; path=/`);
  response.setHeader('Server', 'Apache');
  if (Buffer.byteLength(request.url ?? '') > dialect.addressBytesAtMost) return addressTooLong(response);
  if (request.url?.split('?')[0] !== '/api.php') return empty(response, 404);
  if (dialect.database === 'down') return databaseDown(request, response);
  const action = parameters.get('action') ?? '';
  const { release } = dialect;
  if (release !== null && action === 'addcomment') return empty(response, 404);
  const isPost = action === 'uploadfiles' || action === 'addcomment' || (release !== null && action === 'updatefile');
  if (request.method !== (isPost ? 'POST' : 'GET')) return empty(response, 406);
  return isPost
    ? answerPost(dialect, request, response, parameters)
    : answerGet(dialect, request, response, parameters);
}

async function answerGet(
  dialect: Speaking,
  request: IncomingMessage,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  if (!hasToken(request, parameters)) return empty(response, 401);
  switch (parameters.get('action')) {
    case 'getfile':
      return answerRecord(dialect, response, parameters, dialect.release);
    case 'getfiles':
      return dialect.release === null
        ? empty(response, 404)
        : dialect.release.answerSearch(dialect, response, parameters);
    case 'gettagsdata':
      return dialect.release === null
        ? empty(response, 404)
        : dialect.release.answerTags(dialect, response, parameters);
    case 'downloadfile':
      return answerBytes(dialect, response, parameters);
    case 'bulkdownload':
      return dialect.bulk === 'none' ? empty(response, 404) : answerArchive(dialect, response, parameters);
    default:
      return empty(response, 404);
  }
}

/** The body is there before the program starts, whatever the program then answers. */
async function answerPost(
  dialect: Speaking,
  request: IncomingMessage,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const form = await readPhpForm(request, dialect.bodyBytesAtMost);
  if (form === null && dialect.bodyTooLarge === '413') return bodyTooLarge(response);
  if (!hasToken(request, parameters)) return empty(response, 401);
  const call = { form: form ?? noForm, token: parameters.getAll('token').at(-1) ?? '' };
  if (parameters.get('action') === 'updatefile') return dialect.release?.answerChange(response, call.form);
  return parameters.get('action') === 'uploadfiles'
    ? answerUpload(dialect, call, response)
    : answerComment(dialect, call, response);
}

/** A session wins over the token, and it belongs to no user here. A token that is only in the form is none. */
function hasToken(request: IncomingMessage, parameters: URLSearchParams): boolean {
  return request.headers.cookie === undefined && Boolean(parameters.get('token'));
}

/**
 * `node e2e/faults/field-dialect.ts --target URL [--port N] [--stray inside-length|after-length|none] [--comments
 * single|list] [--bulk all-or-nothing|none]`
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: 'string' },
      port: { type: 'string', default: '0' },
      stray: { type: 'string' },
      comments: { type: 'string' },
      bulk: { type: 'string' },
    },
  });
  const options = z
    .object({
      target: z.url(),
      port: z.coerce.number(),
      stray: z.enum(['inside-length', 'after-length', 'none']).default('inside-length'),
      comments: z.enum(['single', 'list']).default('single'),
      bulk: z.enum(['all-or-nothing', 'none']).default('all-or-nothing'),
    })
    .parse(values);
  const dialect = await startFieldDialect(options);
  process.stdout.write(`${dialect.baseUrl}\n`);
}

if (import.meta.main) await main();
