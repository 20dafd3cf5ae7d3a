import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import { FailureError } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import { startWorker } from '../base/workers.ts';
import type { FromReplyReader, ReadReply, ToReplyReader } from './reply-messages.ts';
import type { ScanReply } from './scan-reply.ts';

type Received = Omit<ToReplyReader, 'of'>;

const readings = new Mutex();

/** Throws what `readScanBytes` throws, or `worker-ended`. */
export async function readScanInThread(received: Received): Promise<ScanReply> {
  const read = await readInThread({ of: { kind: 'scan' }, ...received });
  return read.kind === 'scan' ? read.reply : wrong('scan', read);
}

/** Throws what `readSampleBytes` throws, or `worker-ended`. */
export async function readSampleInThread(md5: string, received: Received): Promise<SampleRecord> {
  const read = await readInThread({ of: { kind: 'sample', md5 }, ...received });
  return read.kind === 'sample' ? read.record : wrong('sample', read);
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
    // What was read came in one message, which takes some milliseconds; whoever waits for it has more to do.
    await nextTurn();
  }
}

function wrong(asked: string, { kind }: ReadReply): never {
  throw new TypeError(`a reply of a ${asked} was read as one of a ${kind}`);
}
