import { expect, test } from 'vitest';
import { releaseBytes } from './release-bytes.ts';

test('bytes that fill their buffer are gone at once', () => {
  const bytes = new Uint8Array(1024);
  releaseBytes(bytes);
  expect(bytes.byteLength).toBe(0);
});

test('a part of a buffer is left alone, and so is the rest of it', () => {
  const whole = new Uint8Array([1, 2, 3]);
  releaseBytes(whole.subarray(1));
  expect([...whole]).toEqual([1, 2, 3]);
});

test('shared memory is left alone', () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(8));
  releaseBytes(bytes);
  expect(bytes.byteLength).toBe(8);
});
