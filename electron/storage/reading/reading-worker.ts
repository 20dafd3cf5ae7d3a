import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { FailureError } from '../../../shared/failure.ts';
import { ReaderAnswers } from './reading-answers.ts';
import type { FromReader, ToReader } from './reading-thread.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
const { path } = z.object({ path: z.string() }).parse(workerData);
const answers = new ReaderAnswers(path);

function reply({ number, question }: ToReader): FromReader {
  try {
    return { number, answer: answers.answer(question) };
  } catch (error) {
    if (error instanceof FailureError) return { number, answer: { kind: 'failed', failure: error.failure } };
    return {
      number,
      answer: { kind: 'defect', text: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    };
  }
}

port.on('message', (message: ToReader) => port.postMessage(reply(message)));
