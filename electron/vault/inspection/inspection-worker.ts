import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../base/workers.ts';
import { openBlocking } from '../container/container-file.ts';
import {
  openSource,
  readSource,
  type SampleSource,
  unreadableReason,
  type UnreadableReason,
} from '../sample-source.ts';
import { stripOfHeld, stripOfSource } from '../staged-facts/byte-strip.ts';
import { fileType, headBytes } from './file-type.ts';
import type { FromInspector, InspectedSample, ToInspector } from './sample-inspector.ts';

/** Reads samples of the vault, one after the other, to verify them or to make previews. */
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

const seen: Reading<InspectedSample> = async (source, isStopped) => {
  try {
    return (await inspectSample(source, isStopped)) ?? undefined;
  } catch (error) {
    return { reason: reasonIn(error) };
  }
};

async function each<T>({ sources, stop }: ToInspector, read: Reading<T>): Promise<T[]> {
  const results: T[] = [];
  const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;
  for (const source of sources) {
    const result = isStopped() ? undefined : await read(source, isStopped);
    if (result === undefined) break;
    results.push(result);
  }
  return results;
}

async function answer(question: ToInspector): Promise<FromInspector> {
  const { number, task } = question;
  return task === 'verify'
    ? { number, task, results: await each(question, verified) }
    : { number, task, results: await each(question, seen) };
}

/** One question after the other: they share the memory they count in. */
let last: Promise<void> = Promise.resolve();
port.on('message', (question: ToInspector) => {
  last = last.then(async () => port.postMessage(await answer(question)));
});

/**
 * A large sample is looked at by its parts. @returns null when it was stopped. @throws DamagedContainerError or the
 * system's error
 */
async function inspectSample(
  source: SampleSource,
  isStopped: () => boolean,
): Promise<{ type: string | null; strip: string | null } | null> {
  const bytes = await openSource(source);
  try {
    const head = await bytes.read(0, headBytes);
    const strip = head.length === bytes.sizeBytes ? stripOfHeld(head) : await stripOfSource(bytes, isStopped);
    return isStopped() ? null : { type: fileType(head), strip };
  } finally {
    await bytes.close();
  }
}

/**
 * For a worker only: its calls block. @returns whether it was read to its end. @throws DamagedContainerError or the
 * system's error
 */
async function verifySample(source: SampleSource, isStopped: () => boolean): Promise<boolean> {
  for await (const _ of readSource(source, openBlocking)) if (isStopped()) return false;
  return true;
}
