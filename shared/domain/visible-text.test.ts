import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { longestPassMs, timeToRead } from '../testing/one-pass.ts';
import { visibleText, withFewMarks } from './visible-text.ts';

test.each([
  ['a control', 'nul\0', 'nul\\u0000'],
  ['a mark that turns text around', 'report\u202efdp.exe', 'report\\u202efdp.exe'],
  ['a soft hyphen', 'in\u00advoice', 'in\\u00advoice'],
  ['an Arabic letter mark', '\u061cx', '\\u061cx'],
  ['a Mongolian vowel separator', 'a\u180eb', 'a\\u180eb'],
  ['an invisible multiplication', 'a\u2062b', 'a\\u2062b'],
  ['a Hangul filler', '\u115f\u1160\u3164\uffa0', '\\u115f\\u1160\\u3164\\uffa0'],
  ['a combining joiner', 'a\u034fb', 'a\\u034fb'],
  ['a blank Braille pattern', '\u2800', '\\u2800'],
  ['tag characters, as the two halves JSON has', 'a\u{e0041}\u{e007f}', 'a\\udb40\\udc41\\udb40\\udc7f'],
  ['a variation selector that could carry a byte', 'a\ufe00\u{e0100}', 'a\\ufe00\\udb40\\udd00'],
  ['a joiner between letters', 'pay\u200dpal \u200c', 'pay\\u200dpal \\u200c'],
  ['a joiner between emoji that join to none', '👾\u200d👾', '👾\\u200d👾'],
  ['a selector after an emoji that needs none', '😀\ufe0f', '😀\\ufe0f'],
  ['a non-joiner behind a letter that joins to none anyway', 'دا\u200cر', 'دا\\u200cر'],
])('the character %s is spelled out', (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each([
  'two\nlines\tof text',
  'می\u200cخواهم',
  '👩🏽\u200d💻 and ❤\ufe0f\u200d🔥',
  '☠\ufe0f careful',
  '1\ufe0f\u20e3',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'naïve חשבון e\u0301',
])('the text %j stays unchanged', (text) => {
  expect(visibleText(text)).toBe(text);
});

test('marks that are too many on one character are spelled out', () => {
  expect(visibleText(`e${'\u0301'.repeat(32)}x`)).toBe(`e${'\u0301'.repeat(30)}\\u0301\\u0301x`);
});

test.each([
  ['as many as a script may need', `e${'\u0301'.repeat(30)}x`, `e${'\u0301'.repeat(30)}x`],
  ['one more', `e${'\u0301'.repeat(31)}x`, `e${'\u0301'.repeat(30)}…x`],
  [
    'too many twice',
    `e${'\u0301'.repeat(99)}x${'\u0323'.repeat(40)}`,
    `e${'\u0301'.repeat(30)}…x${'\u0323'.repeat(30)}…`,
  ],
  ['marks of two UTF-16 units', `a${'\u{1d165}'.repeat(40)}`, `a${'\u{1d165}'.repeat(30)}…`],
  ['scripts that are written with marks', 'हिन्दी ไทย עִבְרִית Tiếng Việt', 'हिन्दी ไทย עִבְרִית Tiếng Việt'],
])('of %s, the first thirty marks on a character are kept', (_what, text, kept) => {
  expect(withFewMarks(text)).toBe(kept);
});

test('millions of marks are left out without end of the stack', () => {
  expect(withFewMarks(`e${'\u0301'.repeat(2_000_000)}x`)).toHaveLength(33);
});

test('spelled-out text stays so, and is read back inside JSON', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom('👩', '💻', '\u200d', '\ufe0f', '\u{e0067}', '1', '\u20e3', '\u202e', 'ی', '\u200c'),
          fc.string({ unit: anyUnit, minLength: 1, maxLength: 1 }),
        ),
      }),
      (text) => {
        const shown = visibleText(text);
        expect(visibleText(shown)).toBe(shown);
        expect(JSON.parse(visibleText(JSON.stringify(text)))).toBe(text);
      },
    ),
  );
});

test.each(['a\u200b', '👩🏽\u200d❤\ufe0f\u200d💋\u200d', '🏴\u{e0067}\u{e0062}', 'ی\u200c'])(
  'a long text of %j is read in one pass',
  { tags: ['long'] },
  (piece) => {
    expect(timeToRead(visibleText, piece)).toBeLessThan(longestPassMs);
  },
);
