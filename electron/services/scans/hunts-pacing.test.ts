import { expect, test } from 'vitest';
import { learnedPace, secondsFor } from './hunts.ts';

const hunt = { files: 10_000, bytes: 10_000 * 4096, rules: 5 };

test('the pace has no estimate for an engine that has scanned nothing here yet', () => {
  expect(secondsFor('native', null, hunt, 2)).toBeNull();
});

test('the pace estimates the same time for the same load', () => {
  const pace = learnedPace('wasm', null, hunt, 60_000);
  expect(secondsFor('wasm', pace, hunt, 1)).toBeCloseTo(60);
  expect(secondsFor('wasm', pace, hunt, 2)).toBeCloseTo(30);
});

test('the pace estimates twice the time for twice the samples, and more for more rules', () => {
  const pace = learnedPace('native', null, hunt, 2_000);
  expect(secondsFor('native', pace, { ...hunt, files: 20_000, bytes: 2 * hunt.bytes }, 1)).toBeCloseTo(4);
  expect(secondsFor('native', pace, { ...hunt, rules: 5_000 }, 1)).toBeGreaterThan(4);
});

test('the pace counts a slow hour by half against earlier values', () => {
  const known = learnedPace('native', null, hunt, 2_000);
  expect(secondsFor('native', learnedPace('native', known, hunt, 6_000), hunt, 1)).toBeCloseTo(4);
});
