import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { unusedAddress, type BrokenServer, type BrokenServerOptions, startBrokenServer } from './broken-server.ts';
import { type Fault, faults } from './fault-replies.ts';

const sample = Buffer.from('0123456789'.repeat(1000));

async function broken(options: Partial<BrokenServerOptions>): Promise<BrokenServer> {
  const server = await startBrokenServer({ faults: {}, sample, ...options });
  onTestFinished(() => server.close());
  return server;
}

const address = (server: BrokenServer, action: string) => `${server.baseUrl}/api.php?action=${action}`;

/** What a strict client makes of a reply: its status and its body, or the error that ended it. */
async function outcome(url: string): Promise<{ status: number; body: Buffer } | { error: string }> {
  try {
    const request = get(url, { agent: false });
    const [response]: IncomingMessage[] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response ?? []) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    return { status: response?.statusCode ?? 0, body: Buffer.concat(chunks) };
  } catch (error) {
    return { error: error instanceof Error && 'code' in error ? String(error.code) : String(error) };
  }
}

test('the broken server returns a record and its bytes when no fault is set', async () => {
  const server = await broken({ record: { threat: 'Glasswing' } });
  expect(await (await fetch(address(server, 'getfile'))).json()).toMatchObject({
    file: { md5: server.md5, size: sample.length, threat: 'Glasswing' },
  });
  expect(await outcome(address(server, 'downloadfile'))).toEqual({ status: 200, body: sample });
});

test('a fault applies to its action alone and can be cleared, and calls are counted', async () => {
  const server = await broken({ faults: { downloadfile: '500' } });
  expect(await outcome(address(server, 'downloadfile'))).toMatchObject({ status: 500 });
  expect(await outcome(address(server, 'getfile'))).toMatchObject({ status: 200 });
  server.setFault('downloadfile', null);
  expect(await outcome(address(server, 'downloadfile'))).toMatchObject({ status: 200 });
  expect([server.asked('downloadfile'), server.asked('getfile')]).toEqual([2, 1]);
});

test.each([
  ['hangup', 'ECONNRESET'],
  ['reset', 'ECONNRESET'],
  ['closes-half-way', 'ECONNRESET'],
  ['length-too-large', 'ECONNRESET'],
  ['garbage-protocol', 'HPE_INVALID_CONSTANT'],
] as const)('%s breaks the call', async (fault, error) => {
  const server = await broken({ faults: { downloadfile: fault } });
  expect(await outcome(address(server, 'downloadfile'))).toEqual({ error });
});

test.each([
  ['empty-reply', Buffer.alloc(0)],
  ['too-short', sample.subarray(0, 5000)],
  ['stray-inside-length', Buffer.concat([sample, Buffer.from('{}')])],
  ['wrong-bytes', Buffer.from(sample.map((byte) => byte ^ 0xff))],
] as const)('%s sends other bytes with a success status', async (fault, body) => {
  const server = await broken({ faults: { downloadfile: fault } });
  expect(await outcome(address(server, 'downloadfile'))).toEqual({ status: 200, body });
});

test.each([
  ['silence', false],
  ['headers-then-silence', true],
  ['silent-half-way', true],
] as const)('%s keeps the client waiting', async (fault, answers) => {
  const server = await broken({ faults: { downloadfile: fault } });
  const request = get(address(server, 'downloadfile'), { agent: false });
  request.on('error', () => {});
  if (answers) {
    const [response]: IncomingMessage[] = await once(request, 'response');
    expect(response?.complete).toBe(false);
  } else {
    const answered = once(request, 'response').then(() => 'answered');
    const mended = once(get(`${server.baseUrl}/api.php?action=getfile`), 'response').then(
      () => 'a later call was answered first',
    );
    expect(await Promise.race([answered, mended])).toBe('a later call was answered first');
    answered.catch(() => {});
  }
  request.destroy();
});

test('a huge reply continues as long as the client reads', async () => {
  const server = await broken({ faults: { getfile: 'huge-reply' } });
  const request = get(address(server, 'getfile'), { agent: false });
  request.on('error', () => {});
  const [response]: IncomingMessage[] = await once(request, 'response');
  let received = 0;
  for await (const chunk of response ?? []) {
    received += Buffer.isBuffer(chunk) ? chunk.length : 0;
    if (received > 20 * 1024 * 1024) break;
  }
  expect(received).toBeGreaterThan(20 * 1024 * 1024);
});

test('a slow drip arrives byte by byte', async () => {
  const server = await broken({ sample: Buffer.from('abc'), faults: { downloadfile: 'slow-drip' } });
  expect(await outcome(address(server, 'downloadfile'))).toEqual({ status: 200, body: Buffer.from('abc') });
});

test.each(['401', '403', '404', '406', '413', '429', '500', '502', '503', '504'] as const)(
  '%s is returned as the status',
  async (fault) => {
    const server = await broken({ faults: { getfile: fault } });
    expect(await outcome(address(server, 'getfile'))).toMatchObject({ status: Number(fault) });
  },
);

test.each(['redirect-to-installer', 'redirect-to-login', 'redirect-loop'] as const)(
  '%s has a redirect target',
  async (fault) => {
    const server = await broken({ faults: { getfile: fault } });
    const response = await fetch(address(server, 'getfile'), { redirect: 'manual' });
    expect([response.status, response.headers.has('location')]).toEqual([302, true]);
  },
);

test('the broken server survives every fault', async () => {
  const server = await broken({});
  for (const fault of Object.keys(faults) as Fault[]) {
    server.setFault('getfile', fault);
    const request = get(address(server, 'getfile'), { agent: false });
    request.on('error', () => {});
    await once(request, 'finish');
    request.destroy();
  }
  server.setFault('getfile', null);
  expect(await outcome(address(server, 'getfile'))).toMatchObject({ status: 200 });
});

test('the unused address refuses connections', async () => {
  expect(await outcome(await unusedAddress())).toEqual({ error: 'ECONNREFUSED' });
});
