import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../base/workers.ts';
import type { EarlyHashes } from './sealer.ts';
import type { FromHasher, ToHasher } from './sealing-workers.ts';

/** MD5, the slowest of the hashes, and SHA-1: together about as much work as all else. */
interface Running {
  md5: Hash;
  sha1: Hash;
}

/** What stays in a processor's cache for the second hash. */
const sliceBytes = 128 * 1024;
const running = new Map<number, Running>();
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

const answer = (message: FromHasher, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function hashesOf(sample: number): Running {
  const hashes = running.get(sample) ?? { md5: createHash('md5'), sha1: createHash('sha1') };
  running.set(sample, hashes);
  return hashes;
}

function update({ md5, sha1 }: Running, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const slice = bytes.subarray(at, at + sliceBytes);
    md5.update(slice);
    sha1.update(slice);
  }
}

const digest = ({ md5, sha1 }: Running): EarlyHashes => ({ md5: md5.digest('hex'), sha1: sha1.digest('hex') });

port.on('message', (message: ToHasher) => {
  const { kind, sample } = message;
  if (kind === 'forget') running.delete(sample);
  if (kind === 'batch') {
    update(hashesOf(sample), message.bytes);
    answer({ kind, sample, bytes: message.bytes }, [message.bytes.buffer]);
  }
  if (kind === 'digest') {
    const hashes = hashesOf(sample);
    running.delete(sample);
    const whole = { md5: hashes.md5.copy().update(message.tail), sha1: hashes.sha1.copy().update(message.tail) };
    answer({ kind, sample, candidates: { whole: digest(whole), withoutTail: digest(hashes) } });
  }
});
