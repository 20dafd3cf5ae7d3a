import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Failure, FailureError, type ServiceName } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import { startWorker } from '../base/workers.ts';
import type { CallFacts, WholeReply } from './call.ts';
import type { Connection } from './connections.ts';
import type { Questions, Readings, ReplyKind, ReplyReader } from './reply-readers.ts';

/** In bytes: larger ones are read elsewhere. Most records are smaller, and a thread takes some time to start. */
const readHereBytes: { readonly [K in ReplyKind]: number } = {
  sample: 128 * 1024,
  olderComments: 128 * 1024,
  upload: 32 * 1024,
  comment: 32 * 1024,
  scan: 32 * 1024,
  version: 32 * 1024,
  foundSamples: 32 * 1024,
  foundPage: 32 * 1024,
  tagsInUse: 32 * 1024,
  ruleFiles: 32 * 1024,
};

/** A reply that is to be read. */
export interface UnreadReply<K extends ReplyKind> {
  kind: K;
  question: Questions[K];
  reply: WholeReply;
  facts: CallFacts;
  /** Of the connection that it came by. */
  secrets: Pick<Connection, 'token' | 'basic'>;
}

/** Throws the failure that the reply is, or `worker-ended`. `readHere` reads a small one, as the thread would. */
export async function readReply<K extends ReplyKind>(
  { kind, question, reply, facts, secrets: { token, basic } }: UnreadReply<K>,
  readHere: ReplyReader<K>,
): Promise<Readings[K]> {
  if (reply.body.length <= readHereBytes[kind]) return readHere(reply, facts, question);
  const { service, address, action } = facts;
  // The facts without their redaction, which is made of functions.
  const password = basic?.password ?? null;
  return readings.run(() => readInThread({ kind, question, ...reply, service, address, action, token, password }));
}

const readings = new Mutex();

/**
 * Reads a reply in a thread of its own, which is gone afterwards: parsing megabytes of JSON takes longer than the
 * host's thread may be kept. One reply after the other: it takes many times its size in memory.
 */
async function readInThread<K extends ReplyKind>(order: ToReplyReader<K>): Promise<Readings[K]> {
  const { promise, resolve, reject } = Promise.withResolvers<FromReplyReader<K>>();
  const worker = startWorker({
    entry: './reply-worker',
    beside: import.meta.url,
    youngMiB: 8,
    onEnd: (code) => reject(new FailureError({ kind: 'worker-ended', task: 'reading a large reply', code })),
  });
  worker.on('message', resolve);
  // Given away where it can be: a copy of 16 MiB takes a turn of its own.
  worker.postMessage(order, isAlone(order.body) ? [order.body.buffer] : []);
  try {
    const message = await promise;
    if (message.state === 'failed') throw new FailureError(message.failure);
    if (message.state === 'defect') throw new Error(message.text);
    return message.reading;
  } finally {
    await worker.terminate();
    // What was read came in one message, which takes some milliseconds; the waiting caller has more to do.
    await nextTurn();
  }
}

/** Whether its memory holds nothing else. */
const isAlone = (body: Uint8Array): body is Uint8Array<ArrayBuffer> =>
  body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength;

/**
 * One reply to be read. Its body may be gone afterwards. Holds the token and the password, which must not be in what is
 * read.
 */
export interface ToReplyReader<K extends ReplyKind> {
  kind: K;
  question: Questions[K];
  status: number;
  body: Uint8Array;
  service: ServiceName;
  address: string;
  action: string;
  token: string | null;
  password: string | null;
}

export type FromReplyReader<K extends ReplyKind> =
  { state: 'read'; reading: Readings[K] } | { state: 'failed'; failure: Failure } | { state: 'defect'; text: string };
