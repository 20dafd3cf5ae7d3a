import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import { type Failure, FailureError, type ServiceName } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import { startWorker } from '../base/workers.ts';
import type { CallFacts, WholeReply } from './call.ts';
import type { Connection } from './connections.ts';
import type { ScanReply } from './replies/scan-reply.ts';

const readings = new Mutex();
type Secrets = Pick<Connection, 'token' | 'basic'>;

/** Throws what `readScanBytes` throws, or `worker-ended`. */
export async function readScanInThread(reply: WholeReply, facts: CallFacts, secrets: Secrets): Promise<ScanReply> {
  const read = await readInThread(orderOf({ kind: 'scan' }, reply, facts, secrets));
  return read.kind === 'scan' ? read.reply : wrong('scan', read);
}

/** Throws what `readSampleBytes` throws, or `worker-ended`. */
export async function readSampleInThread(
  reply: WholeReply,
  md5: string,
  facts: CallFacts,
  secrets: Secrets,
): Promise<SampleRecord> {
  const read = await readInThread(orderOf({ kind: 'sample', md5 }, reply, facts, secrets));
  return read.kind === 'sample' ? read.record : wrong('sample', read);
}

/** The facts without their redaction, which is made of functions. */
function orderOf(
  of: ToReplyReader['of'],
  { status, body }: WholeReply,
  { service, address, action }: CallFacts,
  { token, basic }: Secrets,
): ToReplyReader {
  return { of, status, body, service, address, action, token, password: basic?.password ?? null };
}

/**
 * Reads a reply in a thread of its own, which is gone afterwards: parsing megabytes of JSON takes longer than the
 * host's thread may be kept. One reply after the other: it takes many times its size in memory.
 */
function readInThread(order: ToReplyReader): Promise<ReadReply> {
  return readings.run(() => readNow(order));
}

async function readNow(order: ToReplyReader): Promise<ReadReply> {
  const { promise, resolve, reject } = Promise.withResolvers<FromReplyReader>();
  const worker = startWorker({
    entry: './reply-worker',
    beside: import.meta.url,
    youngMiB: 8,
    onEnd: (code) => reject(new FailureError({ kind: 'worker-ended', task: 'reading a large reply', code })),
  });
  worker.on('message', resolve);
  worker.postMessage(order);
  try {
    const message = await promise;
    if (message.kind === 'failed') throw new FailureError(message.failure);
    if (message.kind === 'defect') throw new Error(message.text);
    return message;
  } finally {
    await worker.terminate();
    // What was read came in one message, which takes some milliseconds; the waiting caller has more to do.
    await nextTurn();
  }
}

function wrong(requested: string, { kind }: ReadReply): never {
  throw new TypeError(`a reply of a ${requested} was read as one of a ${kind}`);
}

/** One reply to be read. Holds the token and the password, which must not be in what is read. */
export interface ToReplyReader {
  of: { kind: 'scan' } | { kind: 'sample'; md5: string };
  status: number;
  body: Uint8Array;
  service: ServiceName;
  address: string;
  action: string;
  token: string | null;
  password: string | null;
}

type ReadReply = { kind: 'scan'; reply: ScanReply } | { kind: 'sample'; record: SampleRecord };
export type FromReplyReader = ReadReply | { kind: 'failed'; failure: Failure } | { kind: 'defect'; text: string };
