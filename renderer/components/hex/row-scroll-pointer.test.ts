import { expect, test } from 'vitest';
import { byteAtDigit } from './row-scroll.ts';

test('each digit of a row is of its byte, and so is the gap behind it', () => {
  const row = Array.from({ length: 49 }, (_, character) => byteAtDigit(character).toString(16)).join('');
  // 00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f
  expect(row).toBe('0001112223334445556667777888999aaabbbcccdddeeefff');
});

test('beyond its ends it is the first byte and the last one', () => {
  expect([byteAtDigit(-5), byteAtDigit(60)]).toEqual([0, 15]);
});
