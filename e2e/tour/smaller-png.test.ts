import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { smallerPng } from './smaller-png.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A picture of eight bits a colour, its lines given with their filters. */
function pngOf(width: number, lines: readonly (readonly number[])[], colour = 2): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(lines.length, 4);
  head.set([8, colour], 8);
  // Stored, so that what comes back is smaller.
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const bytesOf = (png: Buffer): number[] => {
  const at = png.indexOf('IDAT', 0, 'latin1');
  return [...inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))];
};

test('PNG lines of every filter decode to their colours', () => {
  const png = pngOf(3, [
    [0, 10, 20, 30, 40, 50, 60, 70, 80, 90],
    [1, 10, 20, 30, 30, 30, 30, 30, 30, 30],
    [2, 0, 0, 0, 1, 1, 1, 255, 255, 255],
    [3, 5, 10, 15, 0, 0, 0, 0, 0, 0],
    [4, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ]);
  expect(bytesOf(smallerPng(png))).toEqual([
    0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 10, 20, 30, 41, 51, 61, 69, 79, 89,
    0, 10, 20, 30, 25, 35, 45, 47, 57, 67, 0, 10, 20, 30, 25, 35, 45, 47, 57, 67,
  ]);
});

test('a smaller PNG is smaller and still complete', () => {
  const png = pngOf(
    100,
    Array.from({ length: 100 }, () => [1, ...Array.from({ length: 300 }, () => 0)]),
  );
  const smaller = smallerPng(png);
  expect(smaller.length).toBeLessThan(png.length);
  expect(smaller.subarray(0, 33)).toEqual(png.subarray(0, 33));
  const end = smaller.subarray(-12);
  expect(end).toEqual(png.subarray(-12));
});

test('a PNG of another kind is returned unchanged', () => {
  const png = pngOf(1, [[0, 1, 2, 3, 4]], 6);
  expect(smallerPng(png)).toBe(png);
});
