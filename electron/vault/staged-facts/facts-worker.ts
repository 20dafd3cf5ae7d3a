import { parentPort } from 'node:worker_threads';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { lowerPriority } from '../../base/workers.ts';
import { DamagedContainerError } from '../container/container.ts';
import { ChangedFileError, isMissingCode, type StagedSource } from '../staging/staged-bytes.ts';
import { hashStaged } from './hash-staged.ts';
import type { FromFacts, ToFacts, UnreadFile } from './staged-facts.ts';

/** Reads staged files, one after the other, to hash them or to make previews. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

type Reading<Facts> = (source: StagedSource, isStopped: () => boolean) => Promise<Facts | null>;

/** An error that is not about a file is a defect and ends the worker, which its owner sees. */
async function each<Facts>(
  { files, stop }: ToFacts,
  read: Reading<Facts>,
): Promise<((Facts & { id: string }) | UnreadFile)[]> {
  const results: ((Facts & { id: string }) | UnreadFile)[] = [];
  const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;
  for (const { id, source } of files) {
    if (isStopped()) break;
    try {
      const facts = await read(source, isStopped);
      if (facts !== null) results.push({ id, ...facts });
    } catch (error) {
      results.push(unreadFile(id, error));
    }
  }
  return results;
}

async function answer(order: ToFacts): Promise<FromFacts> {
  const { number, task } = order;
  if (task === 'hash') return { number, task, results: await each(order, hashStaged) };
  // Loading what knows the types takes as long as hashing a thousand small files.
  const { inspectStaged } = await import('./inspect-staged.ts');
  return { number, task, results: await each(order, inspectStaged) };
}

/** One order after the other: they share the memory they read into. */
let last: Promise<void> = Promise.resolve();
port.on('message', (order: ToFacts) => {
  last = last.then(async () => port.postMessage(await answer(order)));
});

/** Why a staged file could not be read; what is not about the file is a defect and thrown again. */
function unreadFile(id: string, error: unknown): UnreadFile {
  if (error instanceof ChangedFileError) return { id, reason: 'changed', code: '' };
  if (error instanceof DamagedContainerError) return { id, reason: 'gone', code: 'damaged' };
  const code = systemErrorCode(error);
  if (code === null) throw error;
  return { id, reason: isMissingCode(code) ? 'gone' : 'unreadable', code };
}
