import { parentPort } from 'node:worker_threads';
import { FailureError } from '../../shared/failure.ts';
import { redactionFor } from '../base/redaction.ts';
import { lowerPriority } from '../base/workers.ts';
import type { CallFacts } from './call.ts';
import { readSampleBytes } from './replies/sample-reply.ts';
import { readScanBytes } from './replies/scan-reply.ts';
import type { FromReplyReader, ToReplyReader } from './reply-thread.ts';

/** Reads one large reply. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

function answer({ of, status, body, service, address, action, token, password }: ToReplyReader): FromReplyReader {
  const redaction = redactionFor(token, password);
  const facts: CallFacts = { service, address, action, hashes: [], hasToken: token !== null, redaction };
  try {
    if (of.kind === 'scan') return { kind: 'scan', reply: readScanBytes({ status, body }, facts) };
    return { kind: 'sample', record: readSampleBytes({ status, body }, of.md5, facts) };
  } catch (error) {
    if (error instanceof FailureError) return { kind: 'failed', failure: error.failure };
    return {
      kind: 'defect',
      text: redaction.text(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    };
  }
}

port.on('message', (message: ToReplyReader) => port.postMessage(answer(message)));
