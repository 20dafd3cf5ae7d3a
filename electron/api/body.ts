import { Buffer } from 'node:buffer';
import { fail } from '../../shared/failure.ts';
import type { Attempt } from './attempt.ts';
import type { CallFacts } from './call.ts';
import type { Exchange } from './exchange.ts';
import type { Limits, Timing } from './limits.ts';
import { scrubbedError } from './network-failures.ts';

export interface BodyOptions {
  exchange: Exchange;
  facts: CallFacts;
  attempt: Attempt;
  idleSeconds: number;
  limits: Limits;
  timing: Timing;
}

const chunkBytes = 512 * 1024;
/** A slow transfer hands out what it has after this time, so that progress can be seen. */
const handOutAfterMs = 250;
const chunksAhead = 2;

/** The length the reply announced, in bytes; null when it did not, or not in a way that counts. */
export function announcedLength({ response }: Exchange): number | null {
  const announced = response.headers['content-length'];
  if (announced === undefined || response.headers['transfer-encoding'] !== undefined || !/^\d+$/.test(announced)) return null;
  const length = Number(announced);
  return Number.isSafeInteger(length) ? length : null;
}

/**
 * The body in chunks of up to 512 KiB, each alone in an ArrayBuffer of its own. Ends where the reply says it ends; what
 * the server sends after that is not looked at. Throws `connection-lost`, `timed-out` or `cancelled`. The connection is
 * closed when the iteration ends, however it ends.
 */
export async function* bodyChunks(options: BodyOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { attempt, exchange } = options;
  attempt.rest();
  const arrivals = collect(options);
  const pace = watchPace(options);
  try {
    for (;;) {
      const chunk = arrivals.take();
      if (chunk) yield chunk;
      else if (arrivals.ended()) return;
      else await pace.whileWaiting(arrivals.more, arrivals.received);
    }
  } finally {
    attempt.end();
    exchange.socket.destroy();
  }
}

interface Arrivals {
  /** The next chunk that is ready, or null. */
  take(): Uint8Array<ArrayBuffer> | null;
  /** Whether all has arrived. Throws when no more will, and it was not all. */
  ended(): boolean;
  /** Resolves when there is more to take or an end to see. */
  more(): Promise<void>;
  received(): number;
}

function collect({ exchange: { response, socket }, facts, attempt, timing }: BodyOptions): Arrivals {
  const ready: Uint8Array<ArrayBuffer>[] = [];
  let filling: Uint8Array<ArrayBuffer> | null = null;
  let filled = 0;
  let filledSince = 0;
  let received = 0;
  let over = false;
  let wake = (): void => {};

  const handOver = (): void => {
    if (filling && filled > 0) ready.push(filled * 2 > filling.length ? filling.subarray(0, filled) : filling.slice(0, filled));
    filling = null;
    filled = 0;
  };
  const append = (data: Buffer): void => {
    for (let taken = 0; taken < data.length; ) {
      if (filling === null) filledSince = timing.now();
      filling ??= new Uint8Array(chunkBytes);
      const part = data.subarray(taken, taken + filling.length - filled);
      filling.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled === filling.length) handOver();
    }
  };
  const finish = (): void => {
    over = true;
    handOver();
    wake();
  };
  response.on('data', (data: Buffer) => {
    received += data.length;
    append(data);
    if (filling && timing.now() - filledSince >= handOutAfterMs) handOver();
    if (ready.length >= chunksAhead) response.pause();
    wake();
  });
  response.once('end', finish);
  response.once('close', finish);
  response.once('error', finish);
  attempt.signal.addEventListener('abort', () => wake(), { once: true });
  if (response.destroyed) finish();

  const lost = (): never => {
    const { service, address } = facts;
    const cause = response.errored === null ? undefined : scrubbedError(response.errored, facts.redaction);
    return fail({ kind: 'connection-lost', service, address, receivedBytes: received, expectedBytes: announcedLength({ response, socket }) }, cause);
  };
  return {
    take: () => {
      attempt.signal.throwIfAborted();
      const chunk = ready.shift() ?? null;
      if (ready.length < chunksAhead && response.isPaused()) response.resume();
      return chunk;
    },
    ended: () => over && (response.complete || lost()),
    more: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (over || ready.length > 0 || attempt.signal.aborted) resolve();
      }),
    received: () => received,
  };
}

/** Judges silence and drips, counting only the time in which we wait for the service and not the service for us. */
function watchPace({ attempt, idleSeconds, limits, timing }: BodyOptions): { whileWaiting(more: () => Promise<void>, received: () => number): Promise<void> } {
  const windowSeconds = Math.max(limits.stalledSeconds, idleSeconds);
  let waitedMs = 0;
  let receivedBefore = 0;
  return {
    whileWaiting: async (more, received) => {
      const began = timing.now();
      attempt.enter('idle', idleSeconds);
      await more();
      attempt.rest();
      waitedMs += timing.now() - began;
      if (waitedMs < windowSeconds * 1000) return;
      if (received() - receivedBefore < (limits.stalledBytesPerSecond * waitedMs) / 1000) attempt.timeOut('stalled', windowSeconds);
      waitedMs = 0;
      receivedBefore = received();
    },
  };
}

/** A whole reply in one piece. Throws `reply-too-large` as soon as it goes, or announces to go, over the limit. */
export async function wholeBody(options: BodyOptions): Promise<Uint8Array> {
  const { facts: { service, address }, limits: { replyBytes } } = options;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyChunks(options)) {
    length += chunk.length;
    if (length > replyBytes) fail({ kind: 'reply-too-large', service, address, limitBytes: replyBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The first bytes of a reply, at least `limit` of them when there are as many. The rest is left unread. */
export async function startOfBody(options: BodyOptions, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyChunks(options)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks, length);
}
