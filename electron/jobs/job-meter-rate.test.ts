import { expect, test } from 'vitest';
import { TransferRate } from './job-meter.ts';

test('the rate is empty when nothing was received', () => {
  expect(new TransferRate().perSecond(1_000)).toBe(0);
});

test('a steady transfer has its steady rate', () => {
  const rate = new TransferRate();
  for (let second = 0; second <= 10; second += 1) rate.add(second * 1_000, second * 500);
  expect(rate.perSecond(10_000)).toBe(500);
});

test('the rate covers only about the last two seconds', () => {
  const rate = new TransferRate();
  rate.add(0, 0);
  rate.add(10_000, 10);
  rate.add(12_000, 1_000_010);
  expect(rate.perSecond(12_000)).toBe(500_000);
});

test('the rate drops when a transfer has stopped', () => {
  const rate = new TransferRate();
  rate.add(0, 0);
  rate.add(1_000, 1_000);
  expect(rate.perSecond(4_000)).toBe(250);
});

test('many small pieces keep the memory bounded and the rate right', () => {
  const rate = new TransferRate();
  for (let ms = 0; ms <= 5_000; ms += 1) rate.add(ms, ms);
  expect(rate.perSecond(5_000)).toBeCloseTo(1_000, 0);
});
