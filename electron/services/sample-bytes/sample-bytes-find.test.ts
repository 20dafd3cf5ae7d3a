import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ByteSearch, findBytes } from './sample-bytes.ts';

const never = new AbortController().signal;
const readable = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  read: async (position: number, length: number) => bytes.subarray(position, position + length),
});
const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
const find = (
  bytes: Buffer,
  search: Partial<ByteSearch> & { hex: string; anyCase?: boolean },
  signal = never,
): Promise<number | null> =>
  findBytes(
    readable(bytes),
    {
      pattern: { hex: search.hex, anyCase: search.anyCase ?? false },
      from: search.from ?? 0,
      backwards: search.backwards ?? false,
    },
    signal,
  );

test('the byte search finds what a full search finds, forwards and backwards, from any start', async () => {
  const few = fc.uint8Array({ min: 0, max: 2, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      few,
      fc.uint8Array({ min: 0, max: 2, minLength: 1, maxLength: 4 }),
      fc.nat(70),
      async (content, pattern, from) => {
        const [bytes, wanted] = [Buffer.from(content), Buffer.from(pattern)];
        const places = bytes.map((_, at) => (bytes.subarray(at, at + wanted.length).equals(wanted) ? 1 : 0));
        const hex = wanted.toString('hex');
        expect(await find(bytes, { hex, from })).toBe(
          [...places.keys()].find((at) => at >= from && places[at] === 1) ?? null,
        );
        expect(await find(bytes, { hex, from, backwards: true })).toBe(
          [...places.keys()].findLast((at) => at < from && places[at] === 1) ?? null,
        );
      },
    ),
  );
});

test('the byte search finds a pattern across the end of a piece, from either side', async () => {
  for (const at of [262_139, 262_141, 262_143, 262_144, 524_283]) {
    const bytes = Buffer.alloc(700_000);
    bytes.write('needle', at, 'latin1');
    expect(await find(bytes, { hex: hexOf('needle') })).toBe(at);
    expect(await find(bytes, { hex: hexOf('needle'), from: bytes.length, backwards: true })).toBe(at);
    expect(await find(bytes, { hex: hexOf('needle'), from: at + 1 })).toBeNull();
    expect(await find(bytes, { hex: hexOf('needle'), from: at, backwards: true })).toBeNull();
  }
});

test('the byte search matches ASCII letters in either case on request, and no other bytes', async () => {
  const bytes = Buffer.from('..\u00c4bC\u00e4Bc', 'latin1');
  expect(await find(bytes, { hex: hexOf('BC'), anyCase: true })).toBe(3);
  expect(await find(bytes, { hex: hexOf('\u00e4BC'), anyCase: true })).toBe(5);
  expect(await find(bytes, { hex: hexOf('Bc'), anyCase: false })).toBe(6);
  expect(await find(Buffer.from('@[`{', 'latin1'), { hex: hexOf('`{@['), anyCase: true })).toBeNull();
});

test('the byte search accepts a pattern longer than the file, an empty file and a place after the end', async () => {
  for (const backwards of [false, true]) {
    expect(await find(Buffer.from('ab'), { hex: hexOf('abc'), from: 9e15, backwards })).toBeNull();
    expect(await find(Buffer.alloc(0), { hex: '00', backwards })).toBeNull();
  }
  expect(await find(Buffer.from('abc'), { hex: hexOf('abc'), from: 9e15, backwards: true })).toBe(0);
});

test('the byte search ends when cancelled, without reading on', async () => {
  const giveUp = new AbortController();
  let reads = 0;
  const endless = {
    sizeBytes: Number.MAX_SAFE_INTEGER,
    read: async (_: number, length: number) => {
      reads += 1;
      if (reads === 3) giveUp.abort();
      return Buffer.alloc(length);
    },
  };
  const search = findBytes(
    endless,
    { pattern: { hex: 'ff', anyCase: false }, from: 0, backwards: false },
    giveUp.signal,
  );
  await expect(search).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect(reads).toBe(3);
});
