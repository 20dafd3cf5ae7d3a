import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Packing, type RequestLimits, requestsFor } from './upload.ts';

const packed = (sizes: readonly number[], limits: RequestLimits): number[][] => {
  const packing = new Packing<{ sizeBytes: number }>(limits);
  const requests = sizes.flatMap((sizeBytes) => packing.add({ sizeBytes }));
  return [...requests, ...packing.rest()].map((request) => request.map(({ sizeBytes }) => sizeBytes));
};

test('a request is full when it has the maximum number of files', () => {
  expect(packed([1, 1, 1, 1, 1], { files: 2, bytes: 100 })).toEqual([[1, 1], [1, 1], [1]]);
});

test('a file that would make a request too large begins the next one', () => {
  expect(packed([60, 50, 40, 10], { files: 10, bytes: 100 })).toEqual([[60], [50, 40, 10]]);
});

test('a file larger than the request limit is sent alone', () => {
  expect(packed([10, 500, 10], { files: 10, bytes: 100 })).toEqual([[10], [500], [10]]);
});

test('every file is sent once, in its order, within the limits', () => {
  const limits = fc.record({ files: fc.integer({ min: 1, max: 8 }), bytes: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(fc.array(fc.nat(80), { maxLength: 40 }), limits, (sizes, { files, bytes }) => {
      const requests = packed(sizes, { files, bytes });
      expect(requests.flat()).toEqual(sizes);
      for (const request of requests) {
        expect(request.length).toBeGreaterThan(0);
        expect(request.length).toBeLessThanOrEqual(files);
        expect(request.length === 1 || request.reduce((sum, size) => sum + size, 0) <= bytes).toBe(true);
      }
    }),
  );
});

test('the number of requests equals the number of packed requests', () => {
  expect(requestsFor([], { files: 2, bytes: 10 })).toBe(0);
  expect(requestsFor([4, 6, 1], { files: 9, bytes: 10 })).toBe(2);
  expect(requestsFor([1, 1, 1], { files: 2, bytes: 10 })).toBe(2);
  expect(requestsFor([1, 99, 1], { files: 9, bytes: 10 })).toBe(3);
  const sizes = fc.array(fc.nat(12));
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 4 }), fc.nat(15), (given, most, bytes) => {
      const expected: number[][] = [];
      for (const size of given) {
        const open = expected.at(-1);
        if (open && open.length < most && open.reduce((sum, one) => sum + one, size) <= bytes) open.push(size);
        else expected.push([size]);
      }
      expect(requestsFor(given, { files: most, bytes })).toBe(expected.length);
    }),
  );
});
