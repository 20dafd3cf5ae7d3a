import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUnfinished, Settling } from './file-intake.ts';

const file = (sizeBytes: number, changedMs = 1) => ({ path: 'a.bin', sizeBytes, changedMs });

test('a file is due after two seconds of rest, and again after as long when it is not taken', () => {
  const settling = new Settling();
  settling.seen(file(1), 0);
  settling.seen(file(1), 1_500);
  expect([settling.due(1_999), settling.nextDue()]).toEqual([[], 2_000]);
  expect([settling.due(2_000), settling.nextDue()]).toEqual([[file(1)], 4_000]);
  settling.forget('a.bin');
  expect(settling.nextDue()).toBeNull();
});

test('a growing file is not due before ten seconds of rest', () => {
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

test('a change of the time alone counts as a change, and so does one during the read', () => {
  const settling = new Settling();
  settling.seen(file(1, 1), 0);
  settling.seen(file(1, 2), 1_000);
  expect(settling.due(10_999)).toEqual([]);
  settling.moved(file(1, 2), 10_999);
  expect(settling.nextDue()).toBe(20_999);
  settling.putOff(file(1, 2), 20_999);
  expect(settling.nextDue()).toBe(80_999);
});

test('a file that cannot be taken is retried less and less often, and at once after a change', () => {
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
