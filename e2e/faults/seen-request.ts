import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { formReader } from './form-reader.ts';

export interface SeenRequest {
  method: string;
  action: string;
  /** As it was written, without the token. */
  query: string;
  /** The body's length as it was announced; null for one that was not. */
  announced: number | null;
  /** Bytes of the body that came so far. */
  bytes: number;
  /** Of a POST whose body came whole. */
  form: SeenForm | null;
}

export interface SeenForm {
  /** Values of each name in order; one that is the query's token is `(token)`. */
  fields: Record<string, string[]>;
  parts: SeenPart[];
}

export interface SeenPart {
  field: string;
  name: string;
  sizeBytes: number;
  md5: string;
}

export function seenRequest(request: IncomingMessage): SeenRequest {
  const query = request.url?.split('?')[1] ?? '';
  const length = request.headers['content-length'];
  return {
    method: request.method ?? '',
    action: new URLSearchParams(query).get('action') ?? '',
    query: query.replace(/(^|&)token=[^&]*/g, '').replace(/^&/, ''),
    announced: length === undefined ? null : Number(length),
    bytes: 0,
    form: null,
  };
}

/** Reads the body into what was seen, as fast as its other reader. Resolves when it has ended or broken off. */
export async function watch(request: IncomingMessage, body: Readable, seen: SeenRequest): Promise<void> {
  const token = new URLSearchParams(request.url?.split('?')[1] ?? '').get('token');
  const parts: SeenPart[] = [];
  const { sink, fields } = formReader(request.headers, (head, bytes) => {
    const md5 = createHash('md5');
    const part = { ...head, sizeBytes: 0, md5: '' };
    parts.push(part);
    bytes.on('data', (chunk: Buffer) => {
      md5.update(chunk);
      part.sizeBytes += chunk.length;
    });
    bytes.on('end', () => (part.md5 = md5.digest('hex')));
  });
  body.on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
  body.pipe(sink);
  const given = await Promise.race([fields, brokenOff(request)]);
  if (given !== null) seen.form = { fields: byName(given, token), parts };
}

/** Null when the client left before its request was whole. */
async function brokenOff(request: IncomingMessage): Promise<null> {
  return new Promise((resolve) => request.once('close', () => request.complete || resolve(null)));
}

function byName(fields: readonly [string, string][], token: string | null): Record<string, string[]> {
  const named = Object.groupBy(fields, ([name]) => name);
  return Object.fromEntries(
    Object.entries(named).map(([name, given = []]) => [
      name,
      given.map(([, value]) => (value === token ? '(token)' : value)),
    ]),
  );
}
