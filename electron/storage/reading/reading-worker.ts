import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { FailureError } from '../../../shared/failure.ts';
import { readingsOf } from './reading-answers.ts';
import type { FromReader, ReadingName, ToReader } from './reading-thread.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
const { path } = z.object({ path: z.string() }).parse(workerData);
const readings = readingsOf(path);

function reply<K extends ReadingName>({ number, name, request }: ToReader<K>): FromReader<unknown> {
  try {
    return { number, answer: { kind: 'answered', value: readings[name](request) } };
  } catch (error) {
    if (error instanceof FailureError) return { number, answer: { kind: 'failed', failure: error.failure } };
    return {
      number,
      answer: { kind: 'defect', text: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    };
  }
}

port.on('message', (message: ToReader) => port.postMessage(reply(message)));
