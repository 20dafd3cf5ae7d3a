import { FailureError } from '../../shared/failure.ts';
import { startWorker } from '../threads/worker-start.ts';
import type { FromScanReply, ToScanReply } from './scan-reply-messages.ts';
import type { ScanReply } from './scan-reply.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a reply in a thread of its own, which is gone afterwards: parsing megabytes of JSON takes longer than the host's thread may be
 * kept. One reply after the other: it takes many times its size in memory. Throws what `readScanBytes` throws, or `worker-ended`.
 */
export function readInThread(order: ToScanReply): Promise<ScanReply> {
  const read = last.then(() => readNow(order));
  last = read.catch(() => {});
  return read;
}

async function readNow(order: ToScanReply): Promise<ScanReply> {
  const { promise, resolve, reject } = Promise.withResolvers<FromScanReply>();
  const worker = startWorker({
    entry: './scan-reply-worker',
    beside: import.meta.url,
    onEnd: (code) => reject(new FailureError({ kind: 'worker-ended', task: 'reading the reply to a scan', code })),
  });
  worker.on('message', resolve);
  worker.postMessage(order);
  try {
    const message = await promise;
    if (message.kind === 'read') return message.reply;
    throw message.kind === 'failed' ? new FailureError(message.failure) : new Error(message.text);
  } finally {
    await worker.terminate();
  }
}
