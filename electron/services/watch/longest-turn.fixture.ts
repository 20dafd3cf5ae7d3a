/** What this thread has worked so far, in milliseconds: not what others of the machine took from it meanwhile. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * How long the thread worked at most in one turn of its loop, in milliseconds, while `work` was done; what it did in
 * the millisecond before counts, too.
 */
export async function longestTurnDuring(work: () => Promise<void>): Promise<number> {
  let [longest, before] = [0, worked()];
  const look = (): void => {
    const now = worked();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const looking = setInterval(look, 1);
  await work();
  clearInterval(looking);
  look();
  return longest;
}
