import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../base/workers.ts';
import { type SampleSource, unreadableReason, type UnreadableReason } from '../sample-source.ts';
import { lookAtSample, verifySample } from './look-at-sample.ts';
import type { FromLooker, SeenSample, ToLooker } from './looking-messages.ts';

/** Reads samples of the vault, one after the other, to verify them or to look at them. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

/** An error that is not about a sample is a defect and ends the worker, which its owner sees. */
function reasonIn(error: unknown): UnreadableReason {
  const reason = unreadableReason(error);
  if (reason === null) throw error;
  return reason;
}

type Reading<T> = (source: SampleSource, isStopped: () => boolean) => Promise<T | undefined>;

const verified: Reading<UnreadableReason | null> = async (source, isStopped) => {
  try {
    return (await verifySample(source, isStopped)) ? null : undefined;
  } catch (error) {
    return reasonIn(error);
  }
};

const seen: Reading<SeenSample> = async (source, isStopped) => {
  try {
    return (await lookAtSample(source, isStopped)) ?? undefined;
  } catch (error) {
    return { reason: reasonIn(error) };
  }
};

async function each<T>({ sources, stop }: ToLooker, read: Reading<T>): Promise<T[]> {
  const results: T[] = [];
  const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;
  for (const source of sources) {
    const result = isStopped() ? undefined : await read(source, isStopped);
    if (result === undefined) break;
    results.push(result);
  }
  return results;
}

async function answer(question: ToLooker): Promise<FromLooker> {
  const { number, task } = question;
  return task === 'verify'
    ? { number, task, results: await each(question, verified) }
    : { number, task, results: await each(question, seen) };
}

/** One question after the other: they share the memory they count in. */
let last: Promise<void> = Promise.resolve();
port.on('message', (question: ToLooker) => {
  last = last.then(async () => port.postMessage(await answer(question)));
});
