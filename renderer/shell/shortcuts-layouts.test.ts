import { expect, test } from 'vitest';
import { shortcutKeyOf } from './shortcuts.ts';

test.each([
  ['k', 'KeyK', 'k', 'a key of this layout'],
  ['K', 'KeyK', 'k', 'Caps Lock'],
  ['k', 'KeyV', 'k', 'Dvorak: what is typed goes before where it is'],
  ['&', 'Digit1', '1', 'AZERTY'],
  ['è', 'Digit7', '7', 'AZERTY'],
  [',', 'KeyM', ',', 'AZERTY'],
  [';', 'Comma', ';', 'AZERTY: a character of its own'],
  ['л', 'KeyK', 'k', 'Cyrillic'],
  ['Б', 'Comma', ',', 'Cyrillic with Caps Lock'],
  ['1', 'Numpad1', '1', 'the number pad'],
  ['Enter', 'Enter', 'enter', 'no character'],
  ['ß', 'Minus', 'ß', 'a key that is none of ours'],
])('the shortcut key of %s at %s is %s: %s', (key, code, expected) => {
  expect(shortcutKeyOf({ key, code })).toBe(expected);
});
