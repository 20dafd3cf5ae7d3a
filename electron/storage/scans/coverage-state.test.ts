import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeState, encodeState, stateAfter } from './coverage-state.ts';

const state = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 2 ** 31 - 1 })), {
    selector: ([rule]) => rule,
    maxLength: 60,
  })
  .map((pairs) => Int32Array.from(pairs.toSorted(([a], [b]) => a - b).flat()));

test('a state is read as written, and a truncated one as nothing', () => {
  fc.assert(
    fc.property(state, (written) => {
      expect(decodeState(encodeState(written))).toEqual(written);
    }),
  );
  const package10k = Int32Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? at / 2 : (at - 1) / 2 + 500) + 1);
  expect([encodeState(package10k).length, decodeState(encodeState(package10k))]).toEqual([5, package10k]);
  expect(decodeState(encodeState(package10k).subarray(0, 3))).toEqual(new Int32Array());
});

test('the latest scan counts, and dropped rules are left out', () => {
  fc.assert(
    fc.property(state, state, (old, looks) => {
      const pairs = (of: Int32Array): [number, number][] =>
        Array.from({ length: of.length / 2 }, (_, at) => [of[2 * at] ?? 0, of[2 * at + 1] ?? 0]);
      const isKept = (rule: number): boolean => rule % 3 > 0;
      const expected = new Map([...pairs(old).filter(([rule]) => isKept(rule)), ...pairs(looks)]);
      expect(pairs(stateAfter(old, looks, isKept))).toEqual([...expected].toSorted(([a], [b]) => a - b));
    }),
  );
});
