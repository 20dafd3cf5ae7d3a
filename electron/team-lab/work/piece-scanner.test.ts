import { expect, onTestFinished, test, vi } from 'vitest';
import { SampleReader, smallBytes } from './piece-scanner.ts';

test('a reader uses the memory of a large sample again, and frees it when no other came for a minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bytes = new Uint8Array(smallBytes + 1);
  const blobs = {
    async *read() {
      yield bytes;
    },
  };
  const reader = new SampleReader({ blobs }, { fileBytes: bytes.length });
  const memoryAfter = async (idleMs: number): Promise<ArrayBufferLike> => {
    await vi.advanceTimersByTimeAsync(idleMs);
    const read = await reader.read({ sha256: '0'.repeat(64), sizeBytes: bytes.length, place: 'a' });
    if ('failure' in read) throw new Error(read.failure);
    // While it is in use, no time frees it.
    await vi.advanceTimersByTimeAsync(100_000);
    read.release();
    return read.bytes.buffer;
  };
  const first = await memoryAfter(0);
  expect(await memoryAfter(59_000)).toBe(first);
  expect(await memoryAfter(61_000)).not.toBe(first);
});
