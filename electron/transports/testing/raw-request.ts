import { request, type IncomingHttpHeaders } from 'node:http';

export interface RawRequest {
  port: number;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body as JSON; null when it is none. */
  json: unknown;
}

/** A request with any headers and any path, both sent exactly as given; `fetch` would mend or forbid them. */
export function rawRequest({ port, method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>();
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = request(
    { host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent: false },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: received,
          json: jsonOf(received),
        });
      });
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
