import { expect, test } from 'vitest';
import { formatMatchData } from './bytes-pane.tsx';

test.each([
  ['5a1c33007f', 5, '5a 1c 33 00 7f'],
  ['2f73796e632f', 6, '"/sync/"'],
  ['2f00730079006e0063002f00', 12, '"/sync/" wide'],
  ['00112233445566778899', 10, '00 11 22 33 44 55 66 77 …'],
  ['41424344', 400, '"ABCD…"'],
  ['414243', 3, '41 42 43'],
  ['', 0, ''],
])('formatMatchData formats the bytes %s of length %s as %s', (data, length, words) => {
  expect(formatMatchData({ data, length })).toBe(words);
});

test('bytes that a service did not send are reported as missing', () => {
  expect(formatMatchData({ data: null, length: 0 })).toBe('bytes unknown');
});
