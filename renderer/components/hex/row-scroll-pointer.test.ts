import { expect, test } from 'vitest';
import { byteAtDigit } from './row-scroll.ts';

test('each digit of a row, and the gap behind it, maps to its byte', () => {
  const row = Array.from({ length: 49 }, (_, character) => byteAtDigit(character).toString(16)).join('');
  // 00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f
  expect(row).toBe('0001112223334445556667777888999aaabbbcccdddeeefff');
});

test('a position beyond the ends of a row maps to its first or last byte', () => {
  expect([byteAtDigit(-5), byteAtDigit(60)]).toEqual([0, 15]);
});
