import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  endedChildrenSeconds,
  processorSeconds,
  processorSecondsWithChildren,
  processorTimeMissing,
} from './processor-time.ts';

/** Works for so long, prints a line, and waits for its input to end. */
const work = (seconds: number): string =>
  `while (process.cpuUsage().user < ${seconds * 1e6});
   process.stdout.write('done\\n'); process.stdin.resume();`;

test('the processor time of a process is its own until it ends, and then its parent’s', async ({ skip }) => {
  skip(processorTimeMissing !== null, processorTimeMissing ?? '');
  const before = endedChildrenSeconds();
  const child = spawn(process.execPath, ['-e', work(0.3)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const own = processorSeconds(child.pid ?? 0);
  expect(own).toBeGreaterThanOrEqual(0.25);
  expect(processorSecondsWithChildren(process.pid)).toBeGreaterThanOrEqual(processorSeconds(process.pid) + own);
  expect(endedChildrenSeconds()).toBe(before);
  const exited = once(child, 'exit');
  child.stdin.end();
  await exited;
  expect(endedChildrenSeconds() - before).toBeGreaterThanOrEqual(own);
  expect(() => processorSeconds(child.pid ?? 0)).toThrow('has ended');
});
