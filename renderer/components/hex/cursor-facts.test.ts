import { expect, test } from 'vitest';
import { cursorValues } from './byte-pages.ts';

const floatOf = (value: number): string | null => cursorValues(new Uint8Array(Float32Array.of(value).buffer)).float;

test('four bytes appear as numbers and as text, the least significant one first', () => {
  expect(cursorValues(Uint8Array.of(0x80, 0x34, 0x08, 0x5c))).toEqual({
    u8: '128',
    u16: '13440',
    u32: '1544041600',
    i32: '1544041600',
    float: '1.53e+17',
    text: '·4·\\',
  });
  expect(cursorValues(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x41))).toMatchObject({
    u32: '4294967295',
    i32: '-1',
    float: 'NaN',
    text: '····',
  });
});

test('values cut off by the end of the file are not made up', () => {
  expect(cursorValues(Uint8Array.of(0x41, 0x42, 0x43))).toEqual({
    u8: '65',
    u16: '16961',
    u32: null,
    i32: null,
    float: null,
    text: 'ABC',
  });
  expect(cursorValues(new Uint8Array())).toEqual({
    u8: null,
    u16: null,
    u32: null,
    i32: null,
    float: null,
    text: null,
  });
});

test.each([
  [1, '1'],
  [3.14159274, '3.141593'],
  [-0.5, '-0.5'],
  [1e-30, '1.00e-30'],
  [-0, '-0'],
  [Infinity, 'Infinity'],
])('%d is shown as %s', (value, words) => {
  expect(floatOf(value)).toBe(words);
});
