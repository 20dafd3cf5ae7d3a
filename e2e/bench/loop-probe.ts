import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * `node --import loop-probe.ts ENTRY`: at each SIGUSR2 prints for how long, at most, the entry's event loop stood still since the one before, as
 * `event loop N: M ms`. The entry knows nothing of it.
 */
const resolution = 1;
const delay = monitorEventLoopDelay({ resolution });
let told = 0;
delay.enable();
process.on('SIGUSR2', () => {
  // The histogram holds the time between two looks, and their distance is no delay.
  process.stdout.write(`event loop ${(told += 1)}: ${Math.max(0, delay.max / 1e6 - resolution).toFixed(2)} ms\n`);
  delay.reset();
});
