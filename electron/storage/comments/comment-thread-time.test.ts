import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { sortTimeOf } from './comment-thread.ts';

test.each([
  ['2024-03-01T10:00:00Z', '2024-03-01T10:00:00.000Z'],
  ['2024-03-01T10:00:00.123456Z', '2024-03-01T10:00:00.123Z'],
  ['2024-03-01T10:00:00+02:00', '2024-03-01T08:00:00.000Z'],
  ['2024-03-01T10:00:00-0530', '2024-03-01T15:30:00.000Z'],
  ['2024-03-01 10:00:00', '2024-03-01T10:00:00.000Z'],
  [' 2024-03-01T10:00:00 ', '2024-03-01T10:00:00.000Z'],
])('the time %s is sorted as %s', (created, expected) => expect(sortTimeOf(created)).toBe(expected));

test.each([
  null,
  '',
  'yesterday',
  '2024',
  '2024-03-01',
  '2024-13-01 10:00:00',
  '2024-03-01 25:00:00',
  '1709287200',
  '2024-03-01T10:00:00+99:99',
  '9999-12-31T23:59:59-01:00',
  '0000-12-31T23:59:59Z',
  '0001-01-01T00:00:00+01:00',
])('%s is not a valid time', (created) => expect(sortTimeOf(created)).toBeNull());

test('any time a service sends is either sorted or invalid', () => {
  const number = fc.nat(99).map((value) => String(value).padStart(2, '0'));
  const zone = fc.oneof(
    fc.constantFrom('', 'Z', '+0000', 'CET'),
    fc.tuple(number, number).map(([hours, minutes]) => `-${hours}:${minutes}`),
  );
  const stamp = fc
    .tuple(number, number, number, number, number, zone)
    .map(([month, day, hours, minutes, seconds, at]) => `2024-${month}-${day}T${hours}:${minutes}:${seconds}${at}`);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyUnit }), stamp), (created) => {
      expect(sortTimeOf(created) ?? '2024-01-01T00:00:00.000Z').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }),
  );
});
