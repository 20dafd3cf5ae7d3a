import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readGoTo } from './go-to-field.tsx';

const file = { cursor: 0x100, sizeBytes: 0x2000 };

test.each([
  ['0x1fff', 0x1fff],
  ['1FFF', 0x1fff],
  ['1fffh', 0x1fff],
  [' 10 ', 0x10],
  ['+0x10', 0x110],
  ['-10', 0xf0],
  ['1,024', 1024],
  ['50 %', 0x1000],
  ['100%', 0x1fff],
  ['0', 0],
])('%s leads to byte %i', (text, offset) => {
  expect(readGoTo(text, file)).toEqual({ kind: 'offset', offset });
});

test.each(['0x2000', 'ffffffffffffffff', '-101', '101 %', '9,999,999'])('%s is outside of the file', (text) => {
  expect(readGoTo(text, file)).toEqual({ kind: 'beyond' });
});

test.each(['', 'match', '0x', '1 2', '1,02', '12345678901234567'])('“%s” is no offset', (text) => {
  expect(readGoTo(text, file)).toEqual({ kind: 'not-understood' });
});

describe('any typed offset', () => {
  test('leads to a byte of the file', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789abcdefxh+-,.% ') }),
        fc.integer({ min: 1, max: 2 ** 40 }),
        (text, sizeBytes) => {
          const led = readGoTo(text, { cursor: 0, sizeBytes });
          if (led.kind === 'offset')
            expect(led.offset >= 0 && led.offset < sizeBytes && Number.isInteger(led.offset)).toBe(true);
        },
      ),
    );
  });
});
