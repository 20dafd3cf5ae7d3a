import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { BundleReading } from '../../archive/bundle/bundle-opening.ts';
import { BundlePreview } from '../../storage/bundles/bundle-preview.ts';
import { readingConnection } from '../../storage/reading/reading-connection.ts';
import { DamagedContainerError } from '../../vault/container/container.ts';
import { blocking, openStagedBytes } from '../../vault/staging/staged-bytes.ts';
import { ChangedFileError, isMissingCode } from '../../vault/staging/staged-source.ts';
import { giveOut } from './bundle-giving.ts';
import { lookThrough } from './bundle-look.ts';
import type { FromReader, ReadingOrder } from './bundle-reading-messages.ts';
import { readReadingOrder } from './reading-order.ts';

/**
 * A bundle is read from its beginning to its end in a thread of its own: to look it through, or to give it out piece by
 * piece.
 */
const port: MessagePort = parentPort ?? raise();
const order: ReadingOrder = readReadingOrder(workerData);
const tell = (message: FromReader, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

async function read(): Promise<void> {
  const bytes = await openStagedBytes(order.source, blocking);
  const sql = readingConnection(order.database);
  try {
    const preview = new BundlePreview(sql, order.workspaceIds);
    const reading = new BundleReading(bytes);
    const shown = (): void => tell({ kind: 'read', readBytes: reading.readBytes });
    if (order.taking === null) {
      const looked = await lookThrough(reading, order, { preview, shown });
      await bytes.requireUnchanged();
      tell({ kind: 'looked', looked });
    } else await giveOut(reading, order, order.taking, { preview, shown, tell, port });
  } finally {
    sql.close();
    await bytes.close();
  }
}

/** Any other error is a defect and ends the worker, which its owner sees. */
function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  const code = systemErrorCode(error);
  if (error instanceof ChangedFileError || error instanceof DamagedContainerError || isMissingCode(code))
    return { kind: 'staged-file-missing', id: order.stagedId };
  if (code === null) throw error;
  return { kind: 'disk-failed', path: order.source.path, code };
}

function raise(): never {
  throw new Error('this file is the entry of a worker');
}

await read().catch((error: unknown) => tell({ kind: 'failed', failure: failureOf(error) }));
port.close();
