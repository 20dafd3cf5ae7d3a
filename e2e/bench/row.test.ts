import { expect, test } from 'vitest';
import { median, missedBy, type Row } from './row.ts';

const row: Row = {
  name: 'x',
  reference: 'y',
  limit: 'z',
  aim: 0.5,
  must: 0.8,
  residentMustMiB: 400,
  longestMustMs: 50,
  measure: async () => ({ ratio: 0.6, residentMiB: 300 }),
};

test.each([
  [[3], 3],
  [[9, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, middle) => expect(median(values)).toBe(middle));

test('an empty list has no median', () => expect(() => median([])).toThrow('nothing'));

test.each([
  [{ ratio: 0.8, residentMiB: 400 }, []],
  [{ ratio: 0.7, residentMiB: null }, []],
  [{ ratio: 0.81, residentMiB: 100 }, ['ratio 0.81, must be at most 0.8']],
  [{ ratio: 0.1, residentMiB: 401 }, ['401.00 MiB resident, must be at most 400']],
  [{ ratio: null, residentMiB: 100 }, ['ratio not measured, must be at most 0.8']],
  [
    {
      ratio: 0.1,
      residentMiB: 1,
      longest: [
        { what: 'page', ms: 50, ownMs: 20 },
        { what: 'host', ms: 50.4, ownMs: 20 },
      ],
    },
    ['host: 50.40 ms at a stretch, must be at most 50'],
  ],
  [
    {
      ratio: 0.1,
      residentMiB: 1,
      held: [
        { what: 'heap', value: 1.2, must: 1.2 },
        { what: 'lost', value: 1, must: 0 },
        { what: 'pace', value: Number.NaN, must: 2 },
      ],
    },
    ['lost: 1.00, must be at most 0', 'pace: NaN, must be at most 2'],
  ],
])('%j misses %j', (measured, missed) => expect(missedBy({ row, ...measured })).toEqual(missed));

test('a goal without a required value never misses', () =>
  expect(missedBy({ row: { ...row, must: null }, ratio: 2, residentMiB: 1 })).toEqual([]));
