import type { IncomingMessage } from 'node:http';
import { fail } from '../../shared/failure.ts';

/**
 * A request's body as it comes, with backpressure. Fails with `cancelled` when the sender goes away or sends
 * nothing for `idleMs`; the time a slow reader takes is not counted.
 */
export async function* bodyOf(request: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array> {
  let waiting = true;
  const idle = setTimeout(() => waiting && request.destroy(), idleMs).unref();
  try {
    // Kept alive when the reader stops early: the refusal still has to go out on this connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      waiting = false;
      yield bytesOf(chunk);
      waiting = true;
      idle.refresh();
    }
  } catch (error) {
    fail({ kind: 'cancelled' }, error);
  } finally {
    clearTimeout(idle);
  }
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('a request body is not bytes');
}

/** Bounds of a JSON body. `wholeMs` is for all of it, `idleMs` for its next byte. */
export interface JsonBounds {
  bytes: number;
  idleMs: number;
  wholeMs: number;
}

/** Fails with `body-too-large`, `bad-input` or `cancelled`. */
export async function readJson(
  request: IncomingMessage,
  operation: string,
  { bytes, idleMs, wholeMs }: JsonBounds,
): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > bytes) fail({ kind: 'body-too-large', limitBytes: bytes });
  const late = setTimeout(() => request.destroy(), wholeMs).unref();
  try {
    return parseJson(await wholeOf(bodyOf(request, idleMs), bytes), operation);
  } finally {
    clearTimeout(late);
  }
}

async function wholeOf(body: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limitBytes) fail({ kind: 'body-too-large', limitBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Uint8Array, operation: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return fail({ kind: 'bad-input', operation, issues: [{ path: '', message: 'JSON in UTF-8' }] }, error);
  }
}
