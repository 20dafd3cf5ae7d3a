import { parentPort } from 'node:worker_threads';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { lowerPriority } from '../../base/workers.ts';
import { ContainerWriter } from './container-writer.ts';
import type { FromWriter, ToWriter } from './sealing-workers.ts';

/** SHA-256, encryption and the disk. What is said of a sample that has failed already is not answered. */
const writers = new Map<number, ContainerWriter>();
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

const answer = (message: FromWriter, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function open({ sample, path, durable }: Extract<ToWriter, { kind: 'open' }>): void {
  const writer = new ContainerWriter(path, durable);
  writers.set(sample, writer);
  writer.open();
}

/** A sample is taken from the list before its file is waited for: whatever comes meanwhile finds it ended. */
async function discard(sample: number): Promise<void> {
  const writer = writers.get(sample);
  writers.delete(sample);
  await writer?.discard();
  answer({ kind: 'discarded', sample });
}

async function seal(
  { sample, tail, hashes }: Extract<ToWriter, { kind: 'seal' }>,
  writer: ContainerWriter,
): Promise<void> {
  writer.write(tail);
  const facts = await writer.seal(hashes);
  writers.delete(sample);
  answer({ kind: 'sealed', sample, facts });
}

async function work(message: ToWriter): Promise<void> {
  if (message.kind === 'open') return open(message);
  if (message.kind === 'discard') return discard(message.sample);
  const writer = writers.get(message.sample);
  if (writer === undefined) return undefined;
  if (message.kind === 'seal') return seal(message, writer);
  writer.write(message.bytes);
  return answer({ kind: 'written', sample: message.sample, bytes: message.bytes }, [message.bytes.buffer]);
}

/** A disk that refuses ends its own sample; any other error is a defect and ends the worker, which its owner sees. */
async function failed(error: unknown, sample: number): Promise<void> {
  const code = systemErrorCode(error);
  if (code === null) throw error;
  const writer = writers.get(sample);
  writers.delete(sample);
  await writer?.discard();
  answer({ kind: 'failed', sample, code });
}

port.on('message', (message: ToWriter) => {
  void work(message).catch((error: unknown) => failed(error, message.sample));
});
