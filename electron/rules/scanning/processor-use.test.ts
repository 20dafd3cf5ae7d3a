import { expect, test } from 'vitest';
import { ownThread, processorUse, useIn } from './processor-use.ts';

const after = ' 18701 18701 14640 0 -1 4194304 103 0 0 0 17 5 0 0 20 0 1 0 8427697';

test.each([
  [`20427 (node) R${after}`, { ranMs: 220, wantsOne: true }],
  [`20427 (a) R (b) c) D${after}`, { ranMs: 220, wantsOne: false }],
  ['20427 (node) R 1 2', null],
  ['', null],
])('processor use of a thread is read from %j', (stat, use) => {
  expect(useIn(stat)).toEqual(use);
});

test.runIf(process.platform === 'linux')(
  'processor use of a thread is read from its own numbers while it exists',
  () => {
    const thread = ownThread();
    expect(thread?.process).toBe(process.pid);
    const use = () => (thread === null ? null : processorUse(thread));
    const before = use();
    expect(before?.wantsOne).toBe(true);
    // It has one now: either its reported time grows and the test ends, or it does not and the test times out.
    while (use()?.ranMs === before?.ranMs);
    expect(use()?.ranMs).toBeGreaterThan(before?.ranMs ?? Infinity);
    expect(processorUse({ process: process.pid, thread: 2 ** 31 })).toBeNull();
  },
);

test.runIf(process.platform !== 'linux')('processor use is unavailable on another system', () => {
  expect(ownThread()).toBeNull();
});
