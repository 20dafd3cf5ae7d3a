import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Timeouts } from '../../shared/domain/workspace.ts';
import { createAlternatingBuffers } from './alternating-buffers.ts';
import type { Attempt } from './attempt.ts';
import { unlessAborted } from './opened.ts';
import type { RequestBody } from './request-body.ts';

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
 * Sends a body, then starts the clock of the reply's first byte. Ends early, without an error, when `answered` is
 * settled: the reply has come, or there is no connection any more, and either says more than the rest of the body
 * could. The body's source is closed by then, unless it is in the middle of reading. Throws `SourceError`.
 */
export async function sendBody(
  asked: ClientRequest,
  socket: Socket,
  answered: Promise<unknown>,
  sending: Sending,
  attempt: Attempt,
): Promise<void> {
  const halt = new AbortController();
  const onAnswer = (): void => halt.abort();
  answered.then(onAnswer, onAnswer);
  const { signal: halted } = halt;
  const { body } = sending;
  attempt.rest();
  const pieceBytes = socket instanceof TLSSocket ? tlsPieceBytes : body.sizeBytes;
  const watched = watchSending(socket, sending, attempt, halted);
  const buffers = createAlternatingBuffers(body.sizeBytes, async (bytes) => {
    await beforeWriting(halted);
    if (sending.stage === 'unsent') sending.stage = 'begun';
    for (let begin = 0; begin < bytes.length; begin += pieceBytes) {
      const piece = bytes.subarray(begin, begin + pieceBytes);
      await watched(piece.length, (taken) => asked.write(piece, taken));
    }
  });
  try {
    await pour(body, buffers.add, halted);
    await buffers.flush();
    // Not given up halfway: whoever is told that it failed must not find its own note of the end written afterwards.
    await ofSource(async () => sending.beforeEnd());
    await beforeWriting(halted);
    sending.stage = 'ending';
    await watched(body.end.length, (taken) => asked.end(body.end, taken));
    attempt.enter('first-byte', sending.timeouts.firstByteSeconds);
  } catch (error) {
    if (!halted.aborted) throw error;
  }
}

/**
 * Reads what has arrived first: a write to a connection that the other side has reset discards the reply that came
 * before it. From one immediate to the next, the event loop has looked at every connection.
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
    // One in the middle of reading closes when it has read, and that may be never; how, concerns nobody any more.
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
 * but it also takes what a server says for a movement, so that one that keeps on saying something could hold a write
 * for ever. The attempt's grants what is being written the time it takes at the slowest speed.
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
      // A failed write is not told here: it closes the connection, and that is seen by whoever waits for the reply.
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
      if (!halted.aborted) attempt.rest();
    }
  };
}
