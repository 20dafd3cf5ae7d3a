import { expect, test } from 'vitest';
import { expiryOf } from './mute-dialogs.tsx';

const now = new Date('2026-11-18T14:21:00.000Z');

test('a term of days ends at the same time of day, and never is never', () => {
  expect(expiryOf({ term: '7', date: '' }, now, null)).toBe('2026-11-25T14:21:00.000Z');
  expect(expiryOf({ term: '90', date: '' }, now, null)).toBe('2027-02-16T14:21:00.000Z');
  expect(expiryOf({ term: 'never', date: '2026-12-01' }, now, null)).toBeNull();
});

test('a date is the last day, all of it, in UTC', () => {
  expect(expiryOf({ term: 'date', date: '2026-12-01' }, now, null)).toBe('2026-12-01T23:59:59.000Z');
  expect(expiryOf({ term: 'date', date: '2026-11-18' }, now, null)).toBe('2026-11-18T23:59:59.000Z');
});

test('a past or invalid date is no end', () => {
  for (const date of ['2026-11-17', '', '2026-02-31', '1/2/2027', '12026-01-01'])
    expect(expiryOf({ term: 'date', date }, now, null)).toBeUndefined();
});

test('an unchanged end stays as before, also when it is past', () => {
  expect(expiryOf({ term: 'kept', date: '' }, now, '2026-01-01T00:00:00.000Z')).toBe('2026-01-01T00:00:00.000Z');
});
