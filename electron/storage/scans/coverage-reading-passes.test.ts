import { expect, test } from 'vitest';
import { bitsFor, countBits, type HuntGroup, huntPasses, setBit } from './coverage-reading.ts';

const rules = 5005;
function group(from: number, to: number, samples: number, state: number): HuntGroup {
  const bits = bitsFor(rules);
  for (let place = from; place < to; place += 1) setBit(bits, place);
  return { rules: bits, samples, bytes: samples, states: [state] };
}
const shown = (passes: readonly HuntGroup[]): unknown[] =>
  passes.map((pass) => [countBits(pass.rules), pass.samples, pass.states]);

test('five new rules for a whole vault and all rules for three new samples are two passes', () => {
  expect(shown(huntPasses([group(5000, 5005, 100_000, 1), group(0, 5005, 3, 0)]))).toEqual([
    [5, 100_000, [1]],
    [5005, 3, [0]],
  ]);
});

test('groups with small differences share a pass', () => {
  expect(shown(huntPasses([group(0, 10, 50, 1), group(5, 20, 2, 2)]))).toEqual([[20, 52, [1, 2]]]);
});

test('any number of groups needs few passes, and each group has all of its rules in one', () => {
  const groups = Array.from({ length: 200 }, (_, at) => group(at * 20, at * 20 + 900, 50_000 + at, at));
  const passes = huntPasses(groups);
  expect(passes.length).toBeLessThanOrEqual(8);
  for (const each of groups) {
    const pass = passes.find(({ states }) => each.states.every((state) => states.includes(state)));
    expect(each.rules.every((word, at) => (word & ~(pass?.rules[at] ?? 0)) === 0)).toBe(true);
  }
});
