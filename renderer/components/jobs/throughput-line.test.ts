import { expect, test } from 'vitest';
import { bulkJob } from './job.fixture.ts';
import { throughputShape } from './throughput-line.tsx';

const now = new Date('2026-11-18T14:32:07.000Z');
const job = {
  ...bulkJob,
  secondsLeft: 30,
  throughput: { secondsEach: 4, values: [0, 10 * 1024, 5 * 1024, 5 * 1024, 5 * 1024, 5 * 1024] },
};

test('the throughput line ends at the current point of the way to the end', () => {
  const shape = throughputShape(job, now);
  expect(shape?.now).toBe(0.4);
  expect(shape?.points.map(([x, y]) => [Math.round(x * 100), y])).toEqual([
    [0, 1],
    [8, 0],
    [16, 0.5],
    [24, 0.5],
    [32, 0.5],
    [40, 0.5],
  ]);
  expect(shape?.endTime?.toISOString()).toBe('2026-11-18T14:32:37.000Z');
});

test('the throughput line fills its width when the end is unknown', () => {
  expect(throughputShape({ ...job, secondsLeft: null }, now)).toMatchObject({ now: 1, endTime: null });
});

test('the throughput line of a finished job reaches its end, that of a halted job its halt', () => {
  expect(
    throughputShape({ ...job, state: 'done', ended: '2026-11-18T14:30:00.000Z' }, now)?.nowTime.toISOString(),
  ).toBe('2026-11-18T14:30:00.000Z');
  expect(throughputShape({ ...job, state: 'paused' }, now)?.nowTime.toISOString()).toBe('2026-11-18T14:29:56.000Z');
});

test('the throughput line is not drawn for only a few values', () => {
  expect(throughputShape({ ...job, throughput: { secondsEach: 1, values: [1, 2, 3, 4, 5] } }, now)).toBeNull();
});

test('the throughput line is flat at the bottom when nothing was received', () => {
  expect(
    throughputShape(
      { ...job, throughput: { secondsEach: 10, values: Array.from({ length: 6 }, () => 0) } },
      now,
    )?.points.map(([, y]) => y),
  ).toEqual([1, 1, 1, 1, 1, 1]);
});
