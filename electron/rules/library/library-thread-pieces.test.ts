import { expect, test } from 'vitest';
import { filePieces } from './library-thread.ts';

test('the file reader returns all files, in order and as copies, few bytes and few files at a time', () => {
  const pool = Buffer.from('....rule a { condition: true }....');
  const files = [
    { path: 'empty', bytes: new Uint8Array() },
    ...Array.from({ length: 1000 }, () => ({ path: 'empty too', bytes: new Uint8Array() })),
    { path: 'in a pool', bytes: pool.subarray(4, 30) },
    { path: 'large', bytes: Buffer.alloc(9 * 1024 * 1024, 'rule') },
    ...Array.from({ length: 1200 }, (_, index) => ({ path: `${index}`, bytes: Buffer.from([index % 256]) })),
  ];
  const pieces = [...filePieces(files)];
  expect(Math.max(...pieces.map((piece) => piece.length))).toBe(500);
  expect(pieces.length).toBeGreaterThanOrEqual(5);
  for (const [index, copy] of pieces.flat().entries()) {
    expect(copy.path).toBe(files[index]?.path);
    expect(Buffer.compare(copy.bytes, files[index]?.bytes ?? pool)).toBe(0);
    expect(copy.bytes.buffer).not.toBe(files[index]?.bytes.buffer);
    expect(copy.bytes.buffer.byteLength).toBe(copy.bytes.length);
  }
  expect(pieces.flat()).toHaveLength(files.length);
});
