import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteStrip, partsOfStrip } from '../../../shared/domain/byte-classes.ts';
import { stripOfHeld, stripOfSource } from './byte-strip.ts';

const notStopped = (): boolean => false;

const reading = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  read: async (position: number, length: number): Promise<Buffer> =>
    Buffer.from(bytes.subarray(position, position + length)),
});

/** Straight from the definition of Shannon. */
function entropyOf(bytes: Uint8Array): number {
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / bytes.length) * Math.log2(count / bytes.length), 0);
}

/** Runs of one byte and of any bytes, as files have them. */
const files = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 2000 })).map(([byte, length]) => new Uint8Array(length).fill(byte)),
    ),
    { maxLength: 20 },
  )
  .map((runs) => Buffer.concat(runs));

test('a strip has 64 parts, or one per byte, each with its entropy, held or read', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (bytes) => {
      const strip = stripOfHeld(bytes);
      expect(await stripOfSource(reading(bytes), notStopped)).toBe(strip);
      expect(strip === null).toBe(bytes.length === 0);
      const parts = strip === null ? [] : partsOfStrip(byteStrip.parse(strip));
      expect(parts).toHaveLength(Math.min(64, bytes.length));
      for (const [index, { entropy }] of parts.entries()) {
        const part = bytes.subarray(
          Math.floor((index * bytes.length) / parts.length),
          Math.floor(((index + 1) * bytes.length) / parts.length),
        );
        expect(Math.abs(entropy - entropyOf(part))).toBeLessThan(0.02);
      }
    }),
  );
});

test('a part takes the class of most of its bytes', () => {
  const part = (...runs: [byte: number, length: number][]): Uint8Array =>
    Buffer.concat(runs.map(([byte, length]) => new Uint8Array(length).fill(byte)));
  const parts = [
    part([0, 10]),
    part([0x41, 6], [0, 4]),
    part([1, 4], [2, 4], [0xff, 2]),
    part([0x80, 3], [0xfe, 3], [0, 4]),
    part([0xff, 10]),
    part([0, 5], [0x41, 5]),
  ];
  const bytes = Buffer.concat(Array.from({ length: 64 }, (_, index) => parts[index] ?? new Uint8Array(10)));
  expect(
    partsOfStrip(stripOfHeld(bytes) ?? '')
      .slice(0, 6)
      .map(({ byteClass }) => byteClass),
  ).toEqual(['zero', 'text', 'code', 'high', 'ff', 'zero']);
});

test('each part of a large file is sampled from its beginning to its end, and none is read whole', async () => {
  const sizeBytes = 2 ** 40;
  const reads: [number, number][] = [];
  await stripOfSource(
    {
      sizeBytes,
      read: async (position, length) => {
        reads.push([position, length]);
        return Buffer.alloc(length);
      },
    },
    notStopped,
  );
  expect(reads.reduce((sum, [, length]) => sum + length, 0)).toBe(64 * 64 * 1024);
  expect(reads[0]).toEqual([0, 16_384]);
  expect(reads[3]).toEqual([sizeBytes / 64 - 16_384, 16_384]);
  expect(reads.at(-1)).toEqual([sizeBytes - 16_384, 16_384]);
});

test('a part that could not be read does not affect the next file', async () => {
  const bytes = Buffer.alloc(10_000_000, 'x');
  const failing = {
    sizeBytes: bytes.length,
    read: (position: number, length: number) =>
      position > 100_000 ? Promise.reject(new Error('disk')) : reading(bytes).read(position, length),
  };
  await expect(stripOfSource(failing, notStopped)).rejects.toThrow('disk');
  expect(stripOfHeld(new Uint8Array(64))).toBe('000'.repeat(64));
});
