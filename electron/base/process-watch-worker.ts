import { writeSync } from 'node:fs';
import { kill, pid } from 'node:process';
import { workerData } from 'node:worker_threads';
import { memoryWords } from './process-watch.ts';

interface Watched {
  /** null: it may outlive it. */
  parent: number | null;
  /** In MiB; 0: none yet. */
  limit: Int32Array;
}

const parentEveryMs = 1_000;
const memoryEveryMs = 100;
const bytesAMebibyte = 1024 * 1024;
const stderr = 2;

const isWatched = (data: unknown): data is Watched =>
  typeof data === 'object' &&
  data !== null &&
  'parent' in data &&
  (data.parent === null || typeof data.parent === 'number') &&
  'limit' in data &&
  data.limit instanceof Int32Array;

const given: unknown = workerData;
if (!isWatched(given)) throw new TypeError('the thread got no process to watch');
const { parent, limit } = given;

setInterval(() => {
  const mebibytes = Atomics.load(limit, 0);
  if (mebibytes === 0 || process.memoryUsage.rss() <= mebibytes * bytesAMebibyte) return;
  reportWhy();
  kill(pid, 'SIGKILL');
}, memoryEveryMs);

if (parent !== null) {
  setInterval(() => {
    if (process.ppid !== parent) kill(pid, 'SIGKILL');
  }, parentEveryMs);
}

/** The process that started this one may be gone, or read nothing: it ends in any case. */
function reportWhy(): void {
  try {
    writeSync(stderr, `\n${memoryWords}\n`);
  } catch {
    // Then it ends without words.
  }
}
