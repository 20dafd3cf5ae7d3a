import { parentPort } from 'node:worker_threads';
import { FailureError } from '../../shared/failure.ts';
import { standBack } from '../threads/stand-back.ts';
import { redactionFor } from './redaction.ts';
import { readScanBytes } from './scan-reply.ts';
import type { FromScanReply, ToScanReply } from './scan-reply-messages.ts';

/** Reads one large reply. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
standBack();

function answer({ status, body, service, address, action, token }: ToScanReply): FromScanReply {
  const redaction = redactionFor(token);
  try {
    return { kind: 'read', reply: readScanBytes({ status, body }, { service, address, action, hashes: [], hasToken: token !== null, redaction }) };
  } catch (error) {
    if (error instanceof FailureError) return { kind: 'failed', failure: error.failure };
    return { kind: 'defect', text: redaction.text(error instanceof Error ? (error.stack ?? error.message) : String(error)) };
  }
}

port.on('message', (message: ToScanReply) => port.postMessage(answer(message)));
