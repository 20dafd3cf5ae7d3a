import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { FailureError } from '../../shared/failure.ts';
import type { FromReader, ToReader } from './job-reader-messages.ts';
import { readItems, readPage } from './job-reading.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
const { path } = z.object({ path: z.string() }).parse(workerData);

function answer(message: ToReader): FromReader {
  const { number } = message;
  try {
    const read = message.kind === 'items' ? readItems(path, message.request) : { items: readPage(path, message.request), total: 0 };
    return { number, kind: 'items', ...read };
  } catch (error) {
    if (error instanceof FailureError) return { number, kind: 'failed', failure: error.failure };
    return { number, kind: 'defect', text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (message: ToReader) => port.postMessage(answer(message)));
