import { Buffer } from 'node:buffer';
import { fail, FailureError } from '../../../shared/failure.ts';
import { contentEncodings, decodedChunks } from './content-encoding.ts';
import type { CallFacts } from '../call.ts';
import type { Limits, Timing } from '../limits.ts';
import type { Attempt } from './attempt.ts';
import { scrubbedError } from './failures.ts';
import type { ReplyHead } from './requests.ts';

export interface IncomingReply {
  head: ReplyHead;
  facts: CallFacts;
  attempt: Attempt;
  idleSeconds: number;
  limits: Limits;
  timing: Timing;
}

/** What is held for a reader that is busy: enough to keep a disk or a worker fed, and the bound on memory. */
const bytesAhead = 1024 * 1024;

/** The length of what is to be read, in bytes, as announced; null also where the reply comes compressed. */
export const expectedLength = (head: ReplyHead): number | null =>
  contentEncodings(head.response.headers).length > 0 ? null : announcedLength(head);

/**
 * The length the reply announced, in bytes as they travel; null when it did not, or not in a way that counts.
 */
export function announcedLength({ response }: ReplyHead): number | null {
  const announced = response.headers['content-length'];
  if (announced === undefined || response.headers['transfer-encoding'] !== undefined || !/^\d+$/.test(announced))
    return null;
  const length = Number(announced);
  return Number.isSafeInteger(length) ? length : null;
}

/**
 * The body in the pieces the connection brings, at most 64 KiB each; a caller that needs larger ones gathers them,
 * because a copy of a large sample costs as much as hashing it. Ends where the reply declares its end; what the server
 * sends after that is ignored. A body that comes compressed, which none was asked to be, is given decompressed. Throws
 * `connection-lost`, `timed-out`, `cancelled` or `encoding-unusable`. The connection is closed when the iteration ends,
 * however it ends.
 */
export async function* bodyChunks(options: IncomingReply): AsyncGenerator<Uint8Array> {
  const { attempt, head, facts } = options;
  attempt.pause();
  try {
    const encodings = contentEncodings(head.response.headers);
    const sent = sentChunks(options);
    yield* encodings.length === 0 ? sent : decodedChunks(sent, encodings, facts);
  } finally {
    attempt.end();
    head.socket.destroy();
  }
}

/** As they travel. */
async function* sentChunks(options: IncomingReply): AsyncGenerator<Uint8Array, void, void> {
  const arrivals = collect(options);
  const pace = watchPace(options);
  for (;;) {
    const chunk = arrivals.take();
    if (chunk) yield chunk;
    else if (arrivals.ended()) return;
    else await pace.whileWaiting(arrivals.more, arrivals.received);
  }
}

interface Arrivals {
  /** The next chunk that is ready, or null. */
  take(): Uint8Array | null;
  /** Whether all has arrived. Throws when no more will, and it was not all. */
  ended(): boolean;
  /** Resolves when there is more to take or an end to see. */
  more(): Promise<void>;
  received(): number;
}

function collect(options: IncomingReply): Arrivals {
  const {
    head: { response },
    attempt: { signal },
  } = options;
  const ready: Uint8Array[] = [];
  let held = 0;
  let received = 0;
  let over = false;
  let wake = (): void => {};

  const finish = (): void => {
    over = true;
    wake();
  };
  response.on('data', (data: Buffer) => {
    received += data.length;
    held += data.length;
    ready.push(data);
    if (held >= bytesAhead) response.pause();
    wake();
  });
  for (const ending of ['end', 'close', 'error']) response.once(ending, finish);
  signal.addEventListener('abort', () => wake(), { once: true });
  if (response.destroyed) finish();

  return {
    take: () => {
      signal.throwIfAborted();
      const chunk = ready.shift() ?? null;
      held -= chunk?.length ?? 0;
      if (held < bytesAhead && response.isPaused()) response.resume();
      return chunk;
    },
    ended: () => over && (response.complete || lost(options, received)),
    more: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (over || ready.length > 0 || signal.aborted) resolve();
      }),
    received: () => received,
  };
}

function lost({ head, facts: { service, address, redaction } }: IncomingReply, receivedBytes: number): never {
  const { errored } = head.response;
  const cause = errored === null ? undefined : scrubbedError(errored, redaction);
  return fail(
    { kind: 'connection-lost', service, address, receivedBytes, expectedBytes: announcedLength(head) },
    cause,
  );
}

/** Judges silence and drips, counting only the time in which we wait for the service and not the service for us. */
function watchPace({ attempt, idleSeconds, limits, timing }: IncomingReply): {
  whileWaiting(more: () => Promise<void>, received: () => number): Promise<void>;
} {
  const windowSeconds = Math.max(limits.stalledSeconds, idleSeconds);
  let waitedMs = 0;
  let receivedBefore = 0;
  return {
    whileWaiting: async (more, received) => {
      const began = timing.now();
      attempt.enter('idle', idleSeconds);
      await more();
      attempt.pause();
      waitedMs += timing.now() - began;
      if (waitedMs < windowSeconds * 1000) return;
      if (received() - receivedBefore < (limits.stalledBytesPerSecond * waitedMs) / 1000)
        attempt.timeOut('stalled', windowSeconds);
      waitedMs = 0;
      receivedBefore = received();
    },
  };
}

/** A whole reply in one piece. Throws `reply-too-large` as soon as it goes, or announces to go, over the limit. */
export async function wholeBody(options: IncomingReply): Promise<Uint8Array> {
  const {
    facts: { service, address },
    limits: { replyBytes },
  } = options;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyChunks(options)) {
    length += chunk.length;
    if (length > replyBytes) fail({ kind: 'reply-too-large', service, address, limitBytes: replyBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * The first bytes of a reply, at least `limit` of them when there are as many. The rest is left unread. One that cannot
 * be decompressed gives what there was; with `mayBreakOff`, also one that ends too early or falls silent.
 */
export async function startOfBody(options: IncomingReply, limit: number, mayBreakOff = false): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyChunks(options)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) break;
    }
  } catch (error) {
    const kind = error instanceof FailureError ? error.failure.kind : null;
    const isEnough = kind === 'encoding-unusable' || (mayBreakOff && kind !== null && kind !== 'cancelled');
    if (!isEnough) throw error;
  }
  return Buffer.concat(chunks, length);
}
