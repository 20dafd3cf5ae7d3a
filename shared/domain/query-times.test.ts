import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedTime } from './clock.ts';
import { readTimeRange } from './query-values.ts';

const now = new Date('2026-11-05T10:30:00.000Z');
const day = (text: string): string => `${text}T00:00:00.000Z`;

test.each<[string, string | null, string | null]>([
  ['<7d', '2026-10-29T10:30:00.000Z', null],
  ['7d', '2026-10-29T10:30:00.000Z', null],
  ['<= 90M', '2026-11-05T09:00:00.000Z', null],
  ['>30d', null, '2026-10-06T10:30:00.000Z'],
  ['>=1mo', null, '2026-10-06T10:30:00.000Z'],
  ['2w..', null, '2026-10-22T10:30:00.000Z'],
  ['..1y', '2025-11-05T10:30:00.000Z', null],
  ['1d..2d', '2026-11-03T10:30:00.000Z', '2026-11-04T10:30:00.000Z'],
  ['2d..1d', '2026-11-03T10:30:00.000Z', '2026-11-04T10:30:00.000Z'],
  ['<48h', '2026-11-03T10:30:00.000Z', null],
  ['2026-11-01', day('2026-11-01'), day('2026-11-02')],
  ['2026-11', day('2026-11-01'), day('2026-12-01')],
  ['2026-12', day('2026-12-01'), day('2027-01-01')],
  ['2026', day('2026-01-01'), day('2027-01-01')],
  ['2024-02-29', day('2024-02-29'), day('2024-03-01')],
  ['0050-01', day('0050-01-01'), day('0050-02-01')],
  ['2026-11-01..2026-11-05', day('2026-11-01'), day('2026-11-06')],
  ['2026-11-05..2026-11-01', day('2026-11-01'), day('2026-11-06')],
  ['2026-10-31..2026-10', day('2026-10-01'), day('2026-11-01')],
  ['2026-11..', day('2026-11-01'), null],
  ['..2026-11', null, day('2026-12-01')],
  ['>=2026-11-01', day('2026-11-01'), null],
  ['>2026-11-01', day('2026-11-02'), null],
  ['<2026-11-01', null, day('2026-11-01')],
  ['<=2026-11-01', null, day('2026-11-02')],
  ['Today', day('2026-11-05'), day('2026-11-06')],
  ['yesterday..today', day('2026-11-04'), day('2026-11-06')],
  ['<yesterday', null, day('2026-11-04')],
  ['2026-11-01..1d', day('2026-11-01'), '2026-11-04T10:30:00.000Z'],
])('the time range %s is from %s until %s', (text, from, until) => {
  expect(readTimeRange(text, now)).toEqual({ from, until });
});

test.each([
  '',
  '..',
  '<',
  'x',
  '7',
  '7x',
  'd',
  '1.5d',
  '-7d',
  '<99999999y',
  '<3000y',
  '999999999999d',
  '2026-02-31',
  '2026-13',
  '2026-00',
  '2025-02-29',
  '2026-1-1',
  '2026-11-01T00:00',
  '20261101',
  '202',
  '9999-12-31',
  '9999',
  '1d..x',
  'x..1d',
  '1d..2d..3d',
  'tomorrow',
  '٢٠٢٦',
])('the text %j is not a time', (text) => {
  expect(readTimeRange(text, now)).toBeNull();
});

test.each(['1969-07-20T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '2026-12-31T23:59:59.999Z'])(
  'the range of today is the day in UTC at %s',
  (instant) => {
    expect(readTimeRange('today', new Date(instant))?.from).toBe(day(instant.slice(0, 10)));
  },
);

test.each(['+010000-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z'])(
  'a record written by a clock at %s is of today, of this week and not of yesterday',
  (said) => {
    const clock = new Date(said);
    const stored = boundedTime(clock.getTime()).toISOString();
    const holds = (text: string): boolean | null => {
      const range = readTimeRange(text, clock);
      return range && (range.from ?? stored) <= stored && stored < (range.until ?? '\u{10ffff}');
    };
    expect(['today', 'yesterday', 'yesterday..today', '<1y'].map(holds)).toEqual([true, false, true, true]);
  },
);

test('a range of two days contains both, in either order, and begins before it ends', () => {
  const date = fc
    .date({ min: new Date(day('1000-01-01')), max: new Date(day('9000-01-01')), noInvalidDate: true })
    .map((one) => one.toISOString().slice(0, 10));
  fc.assert(
    fc.property(date, date, (one, other) => {
      const range = readTimeRange(`${one}..${other}`, now);
      expect(readTimeRange(`${other}..${one}`, now)).toEqual(range);
      const [from, until] = [range?.from ?? '', range?.until ?? ''];
      for (const held of [one, other]) expect(day(held) >= from && `${held}T23:59:59.999Z` < until).toBe(true);
      expect([one, other].map(day)).toContain(from);
    }),
  );
});

test('an age and its opposite divide all times at one instant', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 700 }), fc.constantFrom('m', 'h', 'd', 'w', 'mo', 'y'), (count, unit) => {
      expect(readTimeRange(`<${count}${unit}`, now)?.from).toBe(readTimeRange(`>${count}${unit}`, now)?.until);
    }),
  );
});
