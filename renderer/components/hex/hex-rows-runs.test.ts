import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from './hex-rows.tsx';

const plain = '.'.repeat(16);

test('a whole row is sixteen bytes in two halves, and its text', () => {
  const { hex, text } = runsOf(
    Uint8Array.from({ length: 16 }, (_, at) => 0x41 + at),
    plain,
    -1,
  );
  expect(hex).toEqual([
    { text: '41 42 43 44 45 46 47 48  49 4a 4b 4c 4d 4e 4f 50', ground: '.', tone: 'print', isCursor: false },
  ]);
  expect(text.map((run) => run.text)).toEqual(['ABCDEFGHIJKLMNOP']);
});

test('zeros, printable bytes and the rest differ in colour, except on a highlight', () => {
  const bytes = Uint8Array.of(0, 0x41, 0x80, 0, 0x41, 0x80);
  expect(runsOf(bytes, plain, -1).hex.map(({ text, tone }) => [text, tone])).toEqual([
    ['00 ', 'zero'],
    ['41 ', 'print'],
    ['80 ', 'other'],
    ['00 ', 'zero'],
    ['41 ', 'print'],
    ['80', 'other'],
  ]);
  expect(runsOf(bytes, '.mmmm.', -1).hex.map(({ text, ground }) => [text, ground])).toEqual([
    ['00 ', '.'],
    ['41 80 00 41', 'm'],
    [' ', '.'],
    ['80', '.'],
  ]);
});

test('runsOf keeps matches that touch apart, and does not break a match at the cursor', () => {
  expect(
    runsOf(Uint8Array.of(1, 2, 3, 4), 'mmcc', 3).hex.map(({ text, ground, isCursor }) => [text, ground, isCursor]),
  ).toEqual([
    ['01 02', 'm', false],
    [' ', '.', false],
    ['03 ', 'c', false],
    ['04', 'c', true],
  ]);
});

test('the characters of a row are always the same, however it is marked', () => {
  const ground = fc.string({ unit: fc.constantFrom('.', 'm', 'c', 's'), minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 16 }), ground, fc.integer({ min: -1, max: 15 }), (bytes, marked, cursor) => {
      const [one, other] = [runsOf(bytes, marked, cursor), runsOf(bytes, plain, -1)];
      const whole = (runs: readonly { text: string }[]): string => runs.map(({ text }) => text).join('');
      expect([whole(one.hex), whole(one.text)]).toEqual([whole(other.hex), whole(other.text)]);
    }),
  );
});
