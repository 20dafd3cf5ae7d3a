import { expect, test } from 'vitest';
import { releaseBytes } from './release-bytes.ts';

test('releaseBytes frees bytes that fill their buffer at once', () => {
  const bytes = new Uint8Array(1024);
  releaseBytes(bytes);
  expect(bytes.byteLength).toBe(0);
});

test('releaseBytes leaves a part of a buffer, and the rest of it, unchanged', () => {
  const whole = new Uint8Array([1, 2, 3]);
  releaseBytes(whole.subarray(1));
  expect([...whole]).toEqual([1, 2, 3]);
});

test('releaseBytes leaves shared memory unchanged', () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(8));
  releaseBytes(bytes);
  expect(bytes.byteLength).toBe(8);
});
