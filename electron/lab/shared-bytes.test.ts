import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SharedBytes, SharedMemories } from './scan-file.ts';

test('shared bytes join a stream of pieces in shared memory', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 8 }), (chunks) => {
      const bytes = new SharedBytes(1_000_000);
      expect(chunks.every((chunk) => bytes.append(chunk))).toBe(true);
      const view = bytes.view();
      expect(view.buffer).toBeInstanceOf(SharedArrayBuffer);
      expect([bytes.sizeBytes, Buffer.from(view).equals(Buffer.concat(chunks))]).toEqual([view.length, true]);
    }),
    { numRuns: 30 },
  );
});

test('shared bytes refuse input over the limit, to the byte', () => {
  const bytes = new SharedBytes(70_000);
  expect([
    bytes.append(Buffer.alloc(69_999, 1)),
    bytes.append(Buffer.from([2, 3])),
    bytes.append(Buffer.from([4])),
    bytes.append(Buffer.alloc(0)),
    bytes.append(Buffer.from([5])),
  ]).toEqual([true, false, true, true, false]);
  expect([bytes.sizeBytes, bytes.view().at(-1)]).toEqual([70_000, 4]);
});

test('shared memory is lent empty, to one user at a time, and released after an idle period', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const memories = new SharedMemories(1_000, 500);
  const used = () =>
    memories.lend(async (bytes) => {
      expect(bytes.sizeBytes).toBe(0);
      bytes.append(Buffer.from('one'));
      return bytes;
    });
  const [first, again] = [await used(), await used()];
  expect(again).toBe(first);
  const [one, other] = await Promise.all([used(), used()]);
  expect(one).not.toBe(other);
  await vi.advanceTimersByTimeAsync(499);
  expect([one, other]).toContain(await used());
  await expect(memories.lend(() => Promise.reject(new Error('no form')))).rejects.toThrow('no form');
  await vi.advanceTimersByTimeAsync(500);
  expect([one, other]).not.toContain(await used());
});
