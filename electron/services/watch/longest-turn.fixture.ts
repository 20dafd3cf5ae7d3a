import { StatementSync } from 'node:sqlite';

/** How many statements ran at most in one turn of the loop while `work` was done. */
export async function mostStatementsATurn(work: () => Promise<void>): Promise<number> {
  let [most, inTurn] = [0, 0];
  const count = (): void => {
    if (inTurn === 0) setImmediate(() => void (inTurn = 0));
    inTurn += 1;
    most = Math.max(most, inTurn);
  };
  const methods = (['run', 'all', 'get'] as const).map((name) => ({ name, real: StatementSync.prototype[name] }));
  for (const { name, real } of methods)
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...parameters: unknown[]): unknown {
        count();
        return Reflect.apply(real, this, parameters);
      },
    });
  await work();
  for (const { name, real } of methods) Object.assign(StatementSync.prototype, { [name]: real });
  return most;
}

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
