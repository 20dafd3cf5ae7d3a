import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ThroughputLine } from './job-meter.ts';

const empty = { secondsEach: 1, values: [] };

test('the throughput line has one value per second of running time', () => {
  const line = new ThroughputLine(empty);
  for (const bytes of [100, 200, 0]) line.add(bytes, 1000);
  expect(line.value).toEqual({ secondsEach: 1, values: [100, 200, 0] });
});

test('the throughput line holds a partial second until it is complete', () => {
  const line = new ThroughputLine(empty);
  line.add(100, 400);
  expect(line.value.values).toEqual([]);
  line.add(300, 600);
  expect(line.value.values).toEqual([400]);
});

test('a full throughput line is halved, and each value then covers twice the time', () => {
  const line = new ThroughputLine({
    secondsEach: 1,
    values: Array.from({ length: 240 }, (_, second) => (second % 2) * 100),
  });
  line.add(70, 1000);
  expect(line.value).toEqual({ secondsEach: 2, values: [...Array.from({ length: 120 }, () => 50), 70] });
});

test('the throughput line continues where an earlier run ended', () => {
  const first = new ThroughputLine(empty);
  first.add(5, 1000);
  const second = new ThroughputLine(first.value);
  second.add(7, 1000);
  expect(second.value.values).toEqual([5, 7]);
});

test('the throughput line stays bounded for any duration and any delay of updates', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1e9), fc.integer({ min: 0, max: 1e8 })), { maxLength: 60 }), (steps) => {
      const line = new ThroughputLine(empty);
      for (const [bytes, ms] of steps) line.add(bytes, ms);
      const { values, secondsEach } = line.value;
      expect(values.length).toBeLessThanOrEqual(240);
      expect(Math.log2(secondsEach) % 1).toBe(0);
      expect(values.every((value) => Number.isInteger(value) && value >= 0)).toBe(true);
    }),
  );
});
