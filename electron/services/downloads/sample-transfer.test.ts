import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { createRepositoryApi } from '../../api/repository-api.ts';
import { connectionTo, instantTiming } from '../../api/scripted-server.fixture.ts';
import { createTestServices } from '../testing/services.fixture.ts';
import { listenLocally } from '../testing/test-host.fixture.ts';
import { SampleTransfer } from './sample-transfer.ts';

const bytes = randomBytes(600_000);
const md5 = createHash('md5').update(bytes).digest('hex');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const rangeOf = ({ headers }: IncomingMessage): number => Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);

type Answer = (request: IncomingMessage, response: ServerResponse, number: number) => void;

/** Sends so much of what is due, and hangs up. */
function cutAfter(response: ServerResponse, due: Uint8Array, length: number): void {
  response.write(due.subarray(0, length), () => response.destroy());
}

/** Gives the rest from where it is asked for, as RFC 9110 has it. */
const givesRanges =
  (cut: (number: number) => number | null, headers: Record<string, string> = { ETag: '"one"' }, body = bytes): Answer =>
  (request, response, number) => {
    const from = rangeOf(request);
    const due = body.subarray(from);
    response.writeHead(from === 0 ? 200 : 206, {
      ...headers,
      'Content-Length': due.length,
      ...(from > 0 && { 'Content-Range': `bytes ${from}-${body.length - 1}/${body.length}` }),
    });
    const length = cut(number);
    if (length === null) response.end(due);
    else cutAfter(response, due, length);
  };

async function newTransfer(answer: Answer) {
  const services = await createTestServices((_, response) => void response.end());
  onTestFinished(() => services.close());
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => answer(request, response, requests.push(request)));
  const origin = await listenLocally(server);
  onTestFinished(() => server.close().closeAllConnections());
  const timing = instantTiming();
  const abort = new AbortController();
  const progress: number[] = [];
  const transfer = new SampleTransfer({
    api: createRepositoryApi(connectionTo(origin), { timing }),
    vault: services.vault,
    md5,
    signal: abort.signal,
    timing,
    progress: (received) => progress.push(received),
  });
  onTestFinished(() => transfer.abort());
  const arrive = async (): Promise<string> => {
    const { stored, announced } = await transfer.arrive({ md5, sha256 });
    announced(true);
    return stored.sha256;
  };
  const ranges = (): (string | undefined)[] => requests.map(({ headers }) => headers.range);
  return { arrive, requests, ranges, progress, abort, slept: timing.slept };
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it arrived'),
    (error: unknown) => (error instanceof FailureError ? error.failure : error),
  );

test('a transfer that breaks is resumed where it broke, and is verified as a whole', async () => {
  const { arrive, requests, ranges, slept } = await newTransfer(givesRanges((number) => (number < 3 ? 200_000 : null)));
  expect(await arrive()).toBe(sha256);
  expect(ranges()).toEqual([undefined, 'bytes=200000-', 'bytes=400000-']);
  expect(requests.map(({ headers }) => headers['if-range'])).toEqual([undefined, '"one"', '"one"']);
  expect(slept).toEqual([500, 500]);
});

test.each<[Record<string, string>, string | undefined]>([
  [{ 'Last-Modified': 'Mon, 30 Nov 2026 03:23:33 GMT' }, 'Mon, 30 Nov 2026 03:23:33 GMT'],
  [{ ETag: 'W/"weak"' }, undefined],
  [{}, undefined],
])('a resumed transfer with %j names what it continues', async (headers, ifRange) => {
  const { arrive, requests } = await newTransfer(givesRanges((number) => (number === 1 ? 200_000 : null), headers));
  expect(await arrive()).toBe(sha256);
  expect(requests[1]?.headers['if-range']).toBe(ifRange);
});

test('a transfer begins again where the server ignores ranges', async () => {
  const { arrive, ranges, progress } = await newTransfer((_, response, number) => {
    response.writeHead(200, { 'Content-Length': bytes.length });
    if (number === 1) cutAfter(response, bytes, 250_000);
    else response.end(bytes);
  });
  expect(await arrive()).toBe(sha256);
  expect(ranges()).toEqual([undefined, 'bytes=250000-']);
  expect([progress.includes(0), progress.at(-1)]).toEqual([true, bytes.length]);
});

test.each<[string, Answer]>([
  ['a part from another place', (_, response) => sendPart(response, `bytes 5-${bytes.length - 1}/${bytes.length}`)],
  ['a part without its place', (_, response) => sendPart(response, null)],
  ['a part of a file of another length', (_, response) => sendPart(response, `bytes 200000-700000/700001`)],
  ['416', (_, response) => void response.writeHead(416, { 'Content-Range': 'bytes */100' }).end()],
])('a transfer begins again when the server answers with %s', async (_, answer) => {
  const { arrive, ranges } = await newTransfer((request, response, number) => {
    if (rangeOf(request) > 0) return answer(request, response, number);
    return givesRanges(() => (number === 1 ? 200_000 : null))(request, response, number);
  });
  expect(await arrive()).toBe(sha256);
  expect(ranges()).toEqual([undefined, 'bytes=200000-', undefined]);
});

function sendPart(response: ServerResponse, range: string | null): void {
  const due = bytes.subarray(200_000);
  response.writeHead(206, { 'Content-Length': due.length, ...(range !== null && { 'Content-Range': range }) });
  response.end(due);
}

test('parts of two files are not taken for one: the transfer begins again once', async () => {
  const other = randomBytes(bytes.length);
  const { arrive, ranges } = await newTransfer((request, response, number) =>
    givesRanges(() => (number === 1 ? 200_000 : null), {}, number === 2 ? other : bytes)(request, response, number),
  );
  expect(await arrive()).toBe(sha256);
  expect(ranges()).toEqual([undefined, 'bytes=200000-', undefined]);
});

test('stray bytes after a resumed file are left out', async () => {
  const { arrive } = await newTransfer(
    givesRanges((number) => (number === 1 ? 200_000 : null), {}, Buffer.concat([bytes, Buffer.from('{}')])),
  );
  expect(await arrive()).toBe(sha256);
});

test('a transfer that ended without announcing its length begins again once when its bytes are wrong', async () => {
  const endings: Answer = (_, response, number) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { Connection: 'close' }).end(number === 1 ? bytes.subarray(0, 200_000) : bytes);
  };
  const { arrive, ranges } = await newTransfer(endings);
  expect(await arrive()).toBe(sha256);
  expect(ranges()).toEqual([undefined, undefined]);
  const wrong = await newTransfer((...asked) => endings(asked[0], asked[1], 1));
  expect(await failureOf(wrong.arrive())).toMatchObject({ kind: 'wrong-bytes' });
  expect(wrong.requests).toHaveLength(2);
});

test('a sample is taken when all its bytes came and the service announced more than it ever sends', async () => {
  const { arrive, requests } = await newTransfer((_, response) => {
    response.writeHead(200, { 'Content-Length': bytes.length + 2 });
    cutAfter(response, bytes, bytes.length);
  });
  expect(await arrive()).toBe(sha256);
  expect(requests).toHaveLength(4);
});

test('a transfer that gets no further ends after four tries, with pauses that grow', async () => {
  const { arrive, requests, slept } = await newTransfer((_, response) => {
    response.writeHead(200, { 'Content-Length': bytes.length });
    cutAfter(response, bytes, 200_000);
  });
  expect(await failureOf(arrive())).toMatchObject({ kind: 'connection-lost' });
  expect([requests.length, slept]).toEqual([4, [500, 1000, 2000]]);
});

test('a transfer that ends in a later part reports how much of the whole file came', async () => {
  const { arrive } = await newTransfer(givesRanges((number) => (number === 1 ? 200_000 : 0)));
  expect(await failureOf(arrive())).toMatchObject({
    kind: 'connection-lost',
    receivedBytes: 200_000,
    expectedBytes: bytes.length,
  });
});

test('a transfer survives a server that is away for a moment after it has begun', async () => {
  const { arrive, requests } = await newTransfer((request, response, number) =>
    number > 1 && number < 5
      ? void response.writeHead(503).end()
      : givesRanges(() => (number === 1 ? 200_000 : null))(request, response, number),
  );
  expect(await arrive()).toBe(sha256);
  expect(requests).toHaveLength(5);
});

test('a refusal is no break', async () => {
  const { arrive, requests } = await newTransfer((request, response, number) =>
    number === 1
      ? givesRanges(() => 200_000)(request, response, number)
      : void response.writeHead(403).end('Not enough rights'),
  );
  expect(await failureOf(arrive())).toMatchObject({ kind: 'forbidden-or-unknown' });
  expect(requests).toHaveLength(2);
});

test('a cancelled transfer is not tried again', async () => {
  const { arrive, requests, abort } = await newTransfer((request, response, number) => {
    abort.abort(new Error('stop'));
    givesRanges(() => 200_000)(request, response, number);
  });
  await expect(arrive()).rejects.toThrow('stop');
  expect(requests).toHaveLength(1);
});
