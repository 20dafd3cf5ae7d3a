import { Buffer } from 'node:buffer';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Timeouts } from '../../../shared/domain/workspace.ts';
import type { RequestBody } from '../request-body.ts';
import { type Attempt, closedError, unlessAborted } from './attempt.ts';
import { openConnection } from './connect.ts';
import { basicAuthorization } from './failures.ts';
import { httpRequest, type Proxy, proxyHeaders } from './proxy.ts';
import type { ReplyHead, ServiceRequest } from './requests.ts';

/**
 * Sends one GET, or a POST when there is something to send, over a connection of its own and waits for the head of the
 * reply. A connection is never used twice: bytes a server sends after its reply (docs/services.md, "downloadfile") can
 * then spoil no other call. Throws failures, network errors as Node made them, `SourceError`, or the attempt's reason.
 */
export async function sendRequest(request: ServiceRequest, attempt: Attempt, sending?: Sending): Promise<ReplyHead> {
  const { timeouts } = request;
  attempt.signal.throwIfAborted();
  attempt.enter('connect', timeouts.connectSeconds);
  const { socket, peer, forwardingProxy } = await openConnection(request, attempt.signal);
  attempt.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  attempt.enter('first-byte', timeouts.firstByteSeconds);
  try {
    const outgoing = createHttpRequest(request, forwardingProxy, socket, sending?.body);
    const responded = responseTo(outgoing, socket, attempt.signal);
    if (sending) await sendBody(outgoing, socket, responded, sending, attempt);
    else outgoing.end();
    const response = await responded;
    // A reply that is not read must not hold its connection for ever.
    attempt.enter('idle', timeouts.idleSeconds);
    return { response, socket, peer, forwardingProxy };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function createHttpRequest(
  { origin, path, basic, rangeHeaders }: ServiceRequest,
  proxy: Proxy | null,
  socket: Socket,
  body: RequestBody | undefined,
): ClientRequest {
  return httpRequest({
    method: body ? 'POST' : 'GET',
    path: (proxy === null ? '' : origin.origin) + path,
    headers: {
      ...headersFor(origin, proxy),
      ...rangeHeaders,
      ...(basic && { Authorization: basicAuthorization(basic) }),
      ...(body ? { 'Content-Type': body.contentType, 'Content-Length': body.sizeBytes } : {}),
    },
    setHost: false,
    createConnection: () => socket,
  });
}

function responseTo(outgoing: ClientRequest, socket: Socket, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(signal.aborted ? signal.reason : closedError()));
    // A reply that is complete is not spoiled by what comes after it: later errors show in the reply, or nowhere.
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    outgoing.on('upgrade', () =>
      reject(Object.assign(new Error('the reply switches protocols'), { code: 'HPE_UPGRADE' })),
    );
    outgoing.on('response', (response) => {
      response.on('error', () => socket.destroy());
      resolve(response);
    });
    if (socket.destroyed) reject(signal.aborted ? signal.reason : closedError());
  });
}

/** No cookies: a session's cookie would override the token. No compression: lengths and hashes must mean the file. */
function headersFor(target: URL, proxy: Proxy | null): OutgoingHttpHeaders {
  const own = {
    Host: target.host,
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Vitrine',
    Connection: 'close',
  };
  return proxy === null ? own : { ...own, ...proxyHeaders(proxy, target.host) };
}

/** The sending of one body, once. */
export interface Sending {
  readonly body: RequestBody;
  /** Awaited when all but the end has been sent. */
  readonly beforeEnd: () => void | Promise<void>;
  readonly timeouts: Timeouts;
  readonly stalledBytesPerSecond: number;
  /**
   * How far it has come; kept by `sendBody`. Nothing was written while it is `unsent`, and nothing whole can have
   * arrived while it is `begun`; at `ending`, everything may have arrived, whatever is heard of it.
   */
  stage: 'unsent' | 'begun' | 'ending';
}

/** What a body's source, or `beforeEnd`, threw. It is the caller's own, and goes back to it as it is. */
export class SourceError extends Error {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    super('the body of a request could not be read');
    this.thrown = thrown;
  }
}

/**
 * Of a write over TLS nothing is seen until all of it is gone: on a slow connection a large one would look like a
 * stall.
 */
const tlsPieceBytes = 64 * 1024;

/**
 * Sends a body, then starts the clock of the reply's first byte. Ends early, without an error, when `responded` is
 * settled: the reply has come, or there is no connection, and either matters more than the rest of the body. The body's
 * source is closed by then, unless it is in the middle of reading. Throws `SourceError`.
 */
async function sendBody(
  outgoing: ClientRequest,
  socket: Socket,
  responded: Promise<unknown>,
  sending: Sending,
  attempt: Attempt,
): Promise<void> {
  const halt = new AbortController();
  const onAnswer = (): void => halt.abort();
  responded.then(onAnswer, onAnswer);
  const { signal: halted } = halt;
  const { body } = sending;
  attempt.pause();
  const pieceBytes = socket instanceof TLSSocket ? tlsPieceBytes : body.sizeBytes;
  const watched = watchSending(socket, sending, attempt, halted);
  const buffers = createAlternatingBuffers(body.sizeBytes, async (bytes) => {
    await beforeWriting(halted);
    if (sending.stage === 'unsent') sending.stage = 'begun';
    for (let begin = 0; begin < bytes.length; begin += pieceBytes) {
      const piece = bytes.subarray(begin, begin + pieceBytes);
      await watched(piece.length, (taken) => outgoing.write(piece, taken));
    }
  });
  try {
    await pour(body, buffers.add, halted);
    await buffers.flush();
    // Not abandoned halfway: after a failure the caller must not find its own note of the end written later.
    await ofSource(async () => sending.beforeEnd());
    await beforeWriting(halted);
    sending.stage = 'ending';
    await watched(body.end.length, (taken) => outgoing.end(body.end, taken));
    attempt.enter('first-byte', sending.timeouts.firstByteSeconds);
  } catch (error) {
    if (!halted.aborted) throw error;
  }
}

/**
 * Reads what has arrived first: a write to a connection that the other side has reset discards the reply that came
 * before it. From one immediate to the next, the event loop polls every connection.
 */
async function beforeWriting(halted: AbortSignal): Promise<void> {
  await setImmediate();
  await setImmediate();
  halted.throwIfAborted();
}

async function pour(body: RequestBody, add: (piece: Uint8Array) => Promise<void>, halted: AbortSignal): Promise<void> {
  const pieces = body.chunks();
  let isReading = false;
  try {
    for (;;) {
      halted.throwIfAborted();
      isReading = true;
      const next = await unlessAborted(
        ofSource(() => pieces.next()),
        halted,
      );
      isReading = false;
      if (next.done) return;
      await add(next.value);
    }
  } finally {
    const closed = pieces.return();
    // One in the middle of reading closes when it has read, and that may be never; its result is ignored.
    if (isReading) closed.catch(() => {});
    else await closed;
  }
}

async function ofSource<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new SourceError(error);
  }
}

type Write = (taken: (error?: Error | null) => void) => void;

/**
 * Waits for writes with two clocks. The socket's own sees every byte that leaves, and is right for slow connections;
 * but it also takes what a server sends for a movement, so that one that keeps on sending could hold a write for ever.
 * The attempt's grants what is being written the time it takes at the slowest speed.
 */
function watchSending(
  socket: Socket,
  { timeouts: { idleSeconds }, stalledBytesPerSecond }: Sending,
  attempt: Attempt,
  halted: AbortSignal,
): (bytes: number, write: Write) => Promise<void> {
  socket.setNoDelay(true);
  socket.on('timeout', () => attempt.timeOut('idle', idleSeconds));
  return async (bytes, write) => {
    halted.throwIfAborted();
    socket.setTimeout(idleSeconds * 1000);
    attempt.enter('stalled', Math.max(idleSeconds, bytes / stalledBytesPerSecond));
    try {
      // A failed write rejects nothing here: it closes the connection, which ends the wait for the reply.
      await unlessAborted(
        new Promise<void>((resolve) =>
          write((error) => {
            if (!error) resolve();
          }),
        ),
        halted,
      );
    } finally {
      socket.setTimeout(0);
      if (!halted.aborted) attempt.pause();
    }
  };
}

/** As large as pays: larger ones send no faster, smaller ones wake us more often. */
const bufferBytes = 1024 * 1024;

interface Slot {
  bytes: Buffer;
  filled: number;
  /** Until the connection has taken what was in it. */
  sent: Promise<void>;
}

/** Gathers pieces of any size into large writes: one buffer is filled while the other is being sent. */
interface AlternatingBuffers {
  /** Takes a copy. Resolves when that is done. */
  add(piece: Uint8Array): Promise<void>;
  /** Resolves when the connection has taken everything. */
  flush(): Promise<void>;
}

/** `send` resolves when the connection has taken the bytes; they are not changed before, and the next are not sent. */
export function createAlternatingBuffers(
  totalBytes: number,
  send: (bytes: Uint8Array) => Promise<void>,
): AlternatingBuffers {
  const newSlot = (): Slot => ({
    bytes: Buffer.allocUnsafeSlow(Math.min(bufferBytes, totalBytes)),
    filled: 0,
    sent: Promise.resolve(),
  });
  let filling = newSlot();
  let other = newSlot();

  const sendFilled = async (): Promise<void> => {
    await other.sent;
    filling.sent = send(filling.bytes.subarray(0, filling.filled));
    // It is waited for when the next one is full, and a failure until then is seen there, and only there.
    filling.sent.catch(() => {});
    [filling, other] = [other, filling];
    filling.filled = 0;
  };
  return {
    add: async (piece) => {
      for (let taken = 0; taken < piece.length;) {
        const part = piece.subarray(taken, taken + filling.bytes.length - filling.filled);
        filling.bytes.set(part, filling.filled);
        filling.filled += part.length;
        taken += part.length;
        if (filling.filled === filling.bytes.length) await sendFilled();
      }
    },
    flush: async () => {
      if (filling.filled > 0) await sendFilled();
      await other.sent;
    },
  };
}
