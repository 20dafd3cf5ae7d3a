import { parentPort } from 'node:worker_threads';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { ContainerWriter } from './container-writer.ts';
import type { FromWriter, ToWriter } from './sealing-messages.ts';

/** SHA-1, SHA-256, encryption and the disk. What is said of a sample that has failed already is not answered. */
const writers = new Map<number, ContainerWriter>();
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');

const answer = (message: FromWriter, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function work(message: ToWriter): void {
  const { kind, sample } = message;
  if (kind === 'open') {
    const writer = new ContainerWriter(message.path, message.durable);
    writers.set(sample, writer);
    writer.open();
    return;
  }
  const writer = writers.get(sample);
  if (kind === 'discard') {
    writers.delete(sample);
    writer?.discard();
    answer({ kind: 'discarded', sample });
  } else if (writer !== undefined) hand(message, writer);
}

function hand(message: Extract<ToWriter, { kind: 'batch' | 'seal' }>, writer: ContainerWriter): void {
  const { sample } = message;
  if (message.kind === 'batch') {
    writer.write(message.bytes);
    answer({ kind: 'written', sample, bytes: message.bytes }, [message.bytes.buffer]);
    return;
  }
  writer.write(message.tail);
  const facts = writer.seal(message.md5);
  writers.delete(sample);
  answer({ kind: 'sealed', sample, facts });
}

/** A disk that refuses ends its own sample; any other error is a defect and ends the worker, which its owner sees. */
port.on('message', (message: ToWriter) => {
  try {
    work(message);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    writers.get(message.sample)?.discard();
    writers.delete(message.sample);
    answer({ kind: 'failed', sample: message.sample, code });
  }
});
