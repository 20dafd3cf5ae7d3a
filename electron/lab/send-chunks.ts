import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { startingWith } from '../archive/byte-source.ts';

/**
 * Sends chunks as fast as the client takes them. The first is read ahead of the headers, so that damage that shows
 * there can still be answered with an error.
 */
export async function sendChunks(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    response.writeHead(status, headers);
    await pipeline(startingWith(first, chunks), response);
  } finally {
    await chunks.return?.();
  }
}
