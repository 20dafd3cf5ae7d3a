import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { FromHasher, ToHasher } from './sealing-messages.ts';

/** The slowest of the hashes has a thread of its own: it alone takes as long as all else together. */
const hashes = new Map<number, Hash>();
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');

const answer = (message: FromHasher, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function hashOf(sample: number): Hash {
  const hash = hashes.get(sample) ?? createHash('md5');
  hashes.set(sample, hash);
  return hash;
}

port.on('message', (message: ToHasher) => {
  const { kind, sample } = message;
  if (kind === 'forget') hashes.delete(sample);
  if (kind === 'batch') {
    hashOf(sample).update(message.bytes);
    answer({ kind, sample, bytes: message.bytes }, [message.bytes.buffer]);
  }
  if (kind === 'digest') {
    const hash = hashOf(sample);
    hashes.delete(sample);
    const whole = hash.copy().update(message.tail).digest('hex');
    answer({ kind, sample, whole, withoutTail: hash.digest('hex') });
  }
});
