import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUnfinished, Settling } from './file-intake.ts';

const file = (sizeBytes: number, changedMs = 1) => ({ path: 'a.bin', sizeBytes, changedMs });

test('a file is due when it rested for two seconds, and again after as long where it is not taken', () => {
  const settling = new Settling();
  settling.seen(file(1), 0);
  settling.seen(file(1), 1_500);
  expect([settling.due(1_999), settling.nextDue()]).toEqual([[], 2_000]);
  expect([settling.due(2_000), settling.nextDue()]).toEqual([[file(1)], 4_000]);
  settling.forget('a.bin');
  expect(settling.nextDue()).toBeNull();
});

test('however a file grows, it is not due before it rested for ten seconds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 1, maxLength: 20 }), (pauses) => {
      const settling = new Settling();
      settling.seen(file(0), 0);
      let now = 0;
      for (const [index, pause] of pauses.entries()) {
        now += pause === 1 ? 1 : Math.min(pause, index === 0 ? 1_999 : 9_999);
        expect(settling.due(now)).toEqual([]);
        settling.seen(file(index + 1), now);
      }
      expect(settling.due(now + 9_999)).toEqual([]);
      expect(settling.due(now + 10_000)).toEqual([file(pauses.length)]);
    }),
  );
});

test('another time of change alone is a change, and so is what moved while it was read', () => {
  const settling = new Settling();
  settling.seen(file(1, 1), 0);
  settling.seen(file(1, 2), 1_000);
  expect(settling.due(10_999)).toEqual([]);
  settling.moved(file(1, 2), 10_999);
  expect(settling.nextDue()).toBe(20_999);
  settling.putOff(file(1, 2), 20_999);
  expect(settling.nextDue()).toBe(80_999);
});

test('what cannot be taken is tried again ever more seldom, and at once when something of it changes', () => {
  const settling = new Settling();
  settling.seen(file(1), 0);
  const pauses = [1, 2, 3, 4, 5].map(() => {
    settling.putOff(file(1), 0);
    return settling.nextDue();
  });
  expect([pauses, settling.isResting]).toEqual([[60_000, 120_000, 240_000, 240_000, 240_000], false]);
  settling.noticed('a.bin', 5);
  expect([settling.nextDue(), settling.isResting]).toEqual([2_005, true]);
  settling.noticed('a.bin', 1_000);
  settling.noticed('none.bin', 1_000);
  expect(settling.nextDue()).toBe(2_005);
});

test.each([
  ['a.part', true],
  ['b/c.CRDOWNLOAD', true],
  ['a.bin', false],
  ['part', false],
  ['a.part.bin', false],
])('%s is unfinished: %s', (path, expected) => {
  expect(isUnfinished(path)).toBe(expected);
});
