import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { sendBytes } from './http-reply.ts';

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** A response whose page has gone away already. */
async function forsakenResponse(): Promise<ServerResponse> {
  const server = createServer();
  ends.push(() => server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) return expect.fail('no address');
  const asked = get({ host: '127.0.0.1', port: address.port });
  asked.on('error', () => {});
  const response = await new Promise<ServerResponse>((resolve) => server.once('request', (_, there) => resolve(there)));
  const closed = once(response, 'close');
  asked.destroy();
  await closed;
  return response;
}

test('a page that leaves before its first byte releases the data to send', async () => {
  let open = true;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield new Uint8Array(64 * 1024);
      yield new Uint8Array(64 * 1024);
    } finally {
      open = false;
    }
  }
  const bytes = source();
  await expect(sendBytes(await forsakenResponse(), bytes)).rejects.toThrow();
  expect(open).toBe(false);
});
