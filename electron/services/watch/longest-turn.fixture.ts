import { readFileSync } from 'node:fs';

/** What this thread has worked so far, in milliseconds: not what others of the machine took from it meanwhile, where the system tells them apart. */
function worked(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** How long the thread worked at most in one turn of its loop, in milliseconds, while `work` was done. */
export async function longestTurnDuring(work: () => Promise<void>): Promise<number> {
  let [longest, before, isOver] = [0, worked(), false];
  const look = (): void => {
    const now = worked();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}
