import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { createChunkFiller } from './chunk-filler.ts';

it('makes large chunks of small pieces and of huge ones, and loses nothing', () => {
  const filler = createChunkFiller(() => 0);
  const pieces = [...Array.from({ length: 100 }, (_, index) => Buffer.alloc(10_000, index)), Buffer.alloc(2_000_000, 7)];
  for (const piece of pieces) filler.add(piece);
  expect(filler.ready.map(({ length }) => length)).toEqual(Array.from({ length: 5 }, () => 512 * 1024));
  filler.flush();
  filler.flush();
  expect(Buffer.concat(filler.ready).equals(Buffer.concat(pieces))).toBe(true);
  expect(new Set(filler.ready.map(({ buffer }) => buffer)).size).toBe(filler.ready.length);
});

it('hands out what a slow transfer has brought', () => {
  let now = 0;
  const filler = createChunkFiller(() => now);
  filler.add(Buffer.from('ab'));
  now = 249;
  filler.add(Buffer.from('cd'));
  expect(filler.ready).toEqual([]);
  now = 250;
  filler.add(Buffer.from('e'));
  expect(filler.ready.map((chunk) => Buffer.from(chunk).toString())).toEqual(['abcde']);
  // The few bytes do not hold the memory of a whole chunk.
  expect(filler.ready[0]?.buffer.byteLength).toBe(5);
});
