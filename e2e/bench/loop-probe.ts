import { existsSync, readFileSync } from 'node:fs';
import { longestOf, noStretch } from './stretch.ts';

/**
 * `node --import loop-probe.ts ENTRY`: at each SIGUSR2 prints for how long, at most, the entry's event loop was blocked
 * since the one before, as `event loop N: M ms, O its own`. The entry does not know of it. O leaves out the thread's
 * wait for a core (proc(5), schedstat: its second number, in nanoseconds); where the system does not report it, nothing
 * is left out.
 */
const everyMs = 1;
const schedule = scheduleFile();
let [looked, waited] = [performance.now(), waitedMs()];
let longest = noStretch;
let reported = 0;

setInterval(look, everyMs).unref();
process.on('SIGUSR2', () => {
  look();
  process.stdout.write(
    `event loop ${(reported += 1)}: ${longest.ms.toFixed(2)} ms, ${longest.ownMs.toFixed(2)} its own\n`,
  );
  longest = noStretch;
});

function look(): void {
  const [now, waitedNow] = [performance.now(), waitedMs()];
  const ms = Math.max(0, now - looked - everyMs);
  longest = longestOf([longest, { ms, ownMs: Math.max(0, ms - (waitedNow - waited)) }]);
  [looked, waited] = [now, waitedNow];
}

function waitedMs(): number {
  if (schedule === null) return 0;
  const [, nanoseconds = '0'] = readFileSync(schedule, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** The main thread's own: its number is that of the process. */
function scheduleFile(): string | null {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  return existsSync(path) ? path : null;
}
