import { FailureError } from '../../../shared/failure.ts';
import { BundleThread } from './bundle-thread.ts';
import { countedBytes, type FromReader, type ReadingOrder, type ToReader } from './bundle-reading-messages.ts';

export type ReadingNews = Exclude<FromReader, { kind: 'failed' }>;

/**
 * Reads a bundle in a thread of its own, and tells what it finds: `looked` or `taken` last. What came is handled when
 * the next is asked for. Left early, it stops.
 * @throws FailureError `worker-ended`, why the bundle is refused; the signal's reason
 */
export async function* readBundle(order: ReadingOrder, signal: AbortSignal): AsyncGenerator<ReadingNews, void, void> {
  const thread = new BundleThread<ToReader, FromReader>({
    entry: './bundle-reading-worker',
    workerData: order,
    task: 'reading a bundle',
    signal,
  });
  try {
    for (;;) {
      const message = await thread.next();
      if (message.kind === 'failed') throw new FailureError(message.failure);
      const handledBytes = bytesIn(message);
      yield message;
      if (message.kind === 'looked' || message.kind === 'taken') return;
      if (handledBytes > 0) thread.post({ handledBytes });
    }
  } finally {
    await thread.end();
  }
}

/** Before it is handled: who takes the bytes may take them away. */
function bytesIn(message: FromReader): number {
  if (message.kind === 'sample' || message.kind === 'border') return message.sentBytes;
  return message.kind === 'whole' || message.kind === 'piece' ? countedBytes(message.bytes.length) : 0;
}
