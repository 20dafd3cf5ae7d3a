import { parentPort } from 'node:worker_threads';
import { FailureError } from '../../shared/failure.ts';
import { redactionFor } from '../base/redaction.ts';
import { lowerPriority } from '../base/workers.ts';
import type { CallFacts } from './call.ts';
import { type ReplyKind, replyReaders } from './reply-readers.ts';
import type { FromReplyReader, ToReplyReader } from './reply-thread.ts';

/** Reads one large reply. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

function answer<K extends ReplyKind>(order: ToReplyReader<K>): FromReplyReader<K> {
  const { kind, question, status, body, service, address, action, token, password } = order;
  const redaction = redactionFor(token, password);
  const facts: CallFacts = { service, address, action, hashes: [], hasToken: token !== null, redaction };
  try {
    return { state: 'read', reading: replyReaders[kind]({ status, body }, facts, question) };
  } catch (error) {
    if (error instanceof FailureError) return { state: 'failed', failure: error.failure };
    return {
      state: 'defect',
      text: redaction.text(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    };
  }
}

port.on('message', (message: ToReplyReader<ReplyKind>) => port.postMessage(answer(message)));
